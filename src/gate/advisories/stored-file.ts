import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { decodeDatabase, encodeDatabase, StoredAdvisoriesError } from "./stored.ts";
import type { AdvisoryDatabase } from "./stored.ts";

/** Bytes that a stored database may unpack to. */
const LARGEST = 512 * 1024 * 1024;

/** Where the advisories of a data folder stand. */
export function storedAdvisoriesFile(dataDir: string): string {
  return join(dataDir, "advisories.v1.jsonl.gz");
}

/** Reads the file whenever it has changed; undefined where there is none. What it answers throws {StoredAdvisoriesError} for a damaged one. */
export function loadStored(file: string): () => Promise<AdvisoryDatabase | undefined> {
  let last: { readonly stamp: string; readonly database: Promise<AdvisoryDatabase> } | undefined;
  return async () => {
    const stats = await stat(file, { bigint: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    });
    if (stats === undefined) return undefined;
    const stamp = `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    if (last?.stamp !== stamp) last = { stamp, database: read(file) };
    return last.database;
  };
}

async function read(file: string): Promise<AdvisoryDatabase> {
  const packed = await readFile(file);
  let text: string;
  try {
    text = (await promisify(gunzip)(packed, { maxOutputLength: LARGEST })).toString("utf8");
  } catch (error) {
    throw new StoredAdvisoriesError("cannot be unpacked", error);
  }
  return decodeDatabase(text);
}

/** Puts a database in the file's place in one step. Answers how many bytes it has. */
export async function storeAdvisories(file: string, database: AdvisoryDatabase): Promise<number> {
  const packed = await promisify(gzip)(encodeDatabase(database), { level: 9 });
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = join(folder, `.advisories-${randomBytes(8).toString("hex")}`);
  try {
    await writeFile(aside, packed, { mode: 0o600, flag: "wx" });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  return packed.length;
}
