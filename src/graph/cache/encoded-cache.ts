import { setImmediate as nextTurn } from "node:timers/promises";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { FACTS_VERSION, type BlobFacts, type FactsCache } from "../facts.ts";

/** Where encoded facts are kept. What cannot be read is simply absent; both may throw, which costs no more than the work again. */
export interface BytesCache {
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  write(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

/** One blob's facts, unpacked; nothing real comes near it. */
const LARGEST = 64 * 1024 * 1024;
/** Blobs that are packed or unpacked before others get a turn; each takes a fraction of a millisecond. */
const AT_ONCE = 50;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/**
 * Facts as compressed JSON in a store of bytes. A store that fails, and an entry that cannot be read, cost time and nothing else. Others get a turn
 * now and then: a thousand files come at once.
 */
export function encodedCache(bytes: BytesCache, onFailure: (error: unknown) => void = () => undefined): FactsCache {
  return {
    async read(keys) {
      const found = new Map<string, BlobFacts>();
      try {
        await inTurns(await bytes.read(keys), (key, packed) => {
          const facts = decodeFacts(packed);
          if (facts !== undefined) found.set(key, facts);
        });
      } catch (error) {
        onFailure(error);
      }
      return found;
    },
    async write(entries) {
      try {
        const packed = new Map<string, Uint8Array>();
        await inTurns(entries, (key, facts) => packed.set(key, encodeFacts(facts)));
        await bytes.write(packed);
      } catch (error) {
        onFailure(error);
      }
    },
  };
}

async function inTurns<Row>(rows: ReadonlyMap<string, Row>, visit: (key: string, row: Row) => void): Promise<void> {
  let done = 0;
  for (const [key, row] of rows) {
    if (done > 0 && done % AT_ONCE === 0) await nextTurn();
    visit(key, row);
    done += 1;
  }
}

export function encodeFacts(facts: BlobFacts): Uint8Array {
  return zstdCompressSync(JSON.stringify(facts), LEVEL);
}

/** Undefined for what is damaged or of another version. */
export function decodeFacts(packed: Uint8Array): BlobFacts | undefined {
  try {
    return checkFacts(JSON.parse(zstdDecompressSync(packed, { maxOutputLength: LARGEST }).toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Whether a value that was read has the shape of this version's facts, as far as it is looked into. */
function checkFacts(value: unknown): BlobFacts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const facts = value as Partial<BlobFacts>;
  const lists = [
    facts.symbols,
    facts.bindings,
    facts.scopes,
    facts.expressions,
    facts.imports,
    facts.exports,
    facts.assignments,
    facts.types,
  ];
  return facts.version === FACTS_VERSION && lists.every(Array.isArray) && leadsOut(facts.symbols) && leadsOut(facts.scopes)
    ? (facts as BlobFacts)
    : undefined;
}

/** Whether each has its parent before it, so that every way outwards ends. */
function leadsOut(rows: readonly { readonly parent: number }[] | undefined): boolean {
  return (rows ?? []).every((row, index) => typeof row?.parent === "number" && row.parent < index);
}
