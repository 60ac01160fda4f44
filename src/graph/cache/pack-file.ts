import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { FACTS_VERSION, type BlobFacts, type FactsCache } from "../facts.ts";
import { checkFacts } from "./encoded-cache.ts";

/** One file that holds the facts of one repository. */
export interface PackFile {
  readonly cache: FactsCache;
  /** Writes what was asked for or added since it was opened, and nothing older; does nothing when the file holds just that. */
  save(): Promise<void>;
}

/** Bytes, unpacked: what a pack may take of memory. */
const LARGEST = 512 * 1024 * 1024;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_enableLongDistanceMatching]: 1 } };

/**
 * Facts in one compressed file, for a process that works on one repository and ends. A file that is missing, damaged or of another version counts as
 * empty; it is replaced in one step, so that no reader ever sees half of it. One that cannot be written is done without.
 */
export function openPackFile(path: string): PackFile {
  const wanted = new Map<string, BlobFacts>();
  let stored: Promise<Map<string, BlobFacts>> | undefined;
  let isChanged = false;
  const load = (): Promise<Map<string, BlobFacts>> => (stored ??= readPack(path));
  return {
    cache: {
      async read(keys) {
        const all = await load();
        const found = new Map<string, BlobFacts>();
        for (const key of keys) {
          const facts = all.get(key);
          if (facts === undefined) continue;
          found.set(key, facts);
          wanted.set(key, facts);
        }
        return found;
      },
      write(entries) {
        for (const [key, facts] of entries) wanted.set(key, facts);
        isChanged ||= entries.size > 0;
        return Promise.resolve();
      },
    },
    async save() {
      // A pack from which something is no longer used is kept as it is until something new comes.
      if (isChanged) await writePack(path, wanted);
      isChanged = false;
    },
  };
}

async function readPack(path: string): Promise<Map<string, BlobFacts>> {
  try {
    const text = zstdDecompressSync(await readFile(path), { maxOutputLength: LARGEST }).toString("utf8");
    const pack = JSON.parse(text) as { readonly version?: unknown; readonly facts?: Readonly<Record<string, unknown>> };
    if (pack.version !== FACTS_VERSION || typeof pack.facts !== "object") return new Map();
    return new Map(
      Object.entries(pack.facts).flatMap(([key, value]): [string, BlobFacts][] => {
        const facts = checkFacts(value);
        return facts === undefined ? [] : [[key, facts]];
      }),
    );
  } catch {
    return new Map();
  }
}

async function writePack(path: string, facts: ReadonlyMap<string, BlobFacts>): Promise<void> {
  const packed = zstdCompressSync(JSON.stringify({ version: FACTS_VERSION, facts: Object.fromEntries(facts) }), LEVEL);
  const part = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(part, packed, { mode: 0o600, flag: "wx" });
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
