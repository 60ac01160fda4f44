import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { FACTS_VERSION, LANGUAGES, type BlobFacts, type FactsCache } from "../facts.ts";
import { decodeFacts, encodeFacts } from "./encoded-cache.ts";
import { lazyFacts, type FactsHead } from "./lazy-facts.ts";

/** Where a linked repository is kept as it stands, beside the facts of its files. */
export interface KeptGraph {
  read(): Promise<Uint8Array | undefined>;
  /** Only what was handed over last is kept; it is made when it is written. */
  write(make: () => Uint8Array): void;
}

/** One file that holds the facts of one repository, and how they were linked last. */
export interface PackFile {
  readonly cache: FactsCache;
  readonly kept: KeptGraph;
  /** Writes what was asked for or added since it was opened, and nothing older; does nothing when the file holds just that. */
  save(): Promise<void>;
}

/** Bytes: what a pack, and what its index and graph unpacked, may take of memory. */
const LARGEST = 256 * 1024 * 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const MAGIC = Buffer.from(`sallyport graph ${FACTS_VERSION}\n`);
const HASH_BYTES = 32;

interface Entry {
  readonly head: FactsHead;
  readonly bytes: Uint8Array;
}

interface Pack {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly graph?: Uint8Array;
}

interface Index {
  readonly entries: readonly (readonly [key: string, size: number, head: FactsHead])[];
  /** Bytes of the graph, behind the entries; 0 for none. */
  readonly graph: number;
}

/**
 * Facts in one compressed file, for a process that works on one repository and ends. Facts are unpacked when they are looked into. A file that is
 * missing, damaged, too large or of another version counts as empty; it is replaced in one step, so that no reader ever sees half of it. One that
 * cannot be written is done without. The hash in it tells damage, not malice: who can write the file decides what the graph says.
 */
export function openPackFile(path: string): PackFile {
  const wanted = new Map<string, Entry>();
  let stored: Promise<Pack> | undefined;
  let graph: (() => Uint8Array) | undefined;
  let isChanged = false;
  const load = (): Promise<Pack> => (stored ??= readPack(path));
  return {
    cache: {
      async read(keys) {
        const { entries } = await load();
        const found = new Map<string, BlobFacts>();
        for (const key of keys) {
          const entry = entries.get(key);
          if (entry === undefined) continue;
          found.set(
            key,
            lazyFacts(entry.head, () => decodeFacts(entry.bytes)),
          );
          wanted.set(key, entry);
        }
        return found;
      },
      write(entries) {
        for (const [key, facts] of entries) wanted.set(key, { head: headOf(facts), bytes: encodeFacts(facts) });
        isChanged ||= entries.size > 0;
        return Promise.resolve();
      },
    },
    kept: {
      read: async () => (await load()).graph,
      write(make) {
        graph = make;
        isChanged = true;
      },
    },
    async save() {
      // A pack from which something is no longer used is kept as it is until something new comes.
      if (isChanged) await writePack(path, wanted, graph?.());
      isChanged = false;
    },
  };
}

function headOf({ version, language, package: declared, lines, syntaxErrors }: BlobFacts): FactsHead {
  return {
    version,
    language,
    lines,
    ...(declared === undefined ? {} : { package: declared }),
    ...(syntaxErrors === undefined ? {} : { syntaxErrors }),
  };
}

async function readPack(path: string): Promise<Pack> {
  try {
    return unpack(await readFile(path)) ?? { entries: new Map() };
  } catch {
    return { entries: new Map() };
  }
}

function unpack(bytes: Buffer): Pack | undefined {
  const body = bytes.subarray(MAGIC.length + HASH_BYTES);
  if (bytes.length > LARGEST || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  if (!hashOf(body).equals(bytes.subarray(MAGIC.length, MAGIC.length + HASH_BYTES))) return undefined;
  const size = body.readUInt32LE(0);
  const index = JSON.parse(unzipped(body.subarray(4, 4 + size)).toString("utf8")) as Index;
  const entries = new Map<string, Entry>();
  let at = 4 + size;
  for (const [key, length, head] of index.entries) {
    if (typeof key !== "string" || !Number.isInteger(length) || length < 0 || !isHead(head)) return undefined;
    entries.set(key, { head, bytes: body.subarray(at, at + length) });
    at += length;
  }
  return index.graph > 0 ? { entries, graph: unzipped(body.subarray(at, at + index.graph)) } : { entries };
}

function isHead(head: FactsHead): boolean {
  const { syntaxErrors: errors } = head;
  return (
    head.version === FACTS_VERSION &&
    LANGUAGES.includes(head.language) &&
    Number.isInteger(head.lines) &&
    (head.package === undefined || typeof head.package === "string") &&
    (errors === undefined || (Number.isInteger(errors.count) && Number.isInteger(errors.line)))
  );
}

function unzipped(bytes: Uint8Array): Buffer {
  return zstdDecompressSync(bytes, { maxOutputLength: LARGEST });
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

async function writePack(path: string, entries: ReadonlyMap<string, Entry>, graph: Uint8Array | undefined): Promise<void> {
  const packed = graph === undefined ? new Uint8Array() : zstdCompressSync(graph, LEVEL);
  const index: Index = { entries: [...entries].map(([key, { head, bytes }]) => [key, bytes.length, head]), graph: packed.length };
  const zipped = zstdCompressSync(JSON.stringify(index), LEVEL);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(zipped.length);
  const body = Buffer.concat([size, zipped, ...[...entries.values()].map(({ bytes }) => bytes), packed]);
  const part = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, Buffer.concat([MAGIC, hashOf(body), body]), { mode: 0o600, flag: "wx" });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
