import { createReadStream } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { messageOf, SallyportError } from "../../core/errors.ts";
import { readOsv } from "../../gate/advisories/osv.ts";
import type { AdvisoryDatabase, StoredAdvisory } from "../../gate/advisories/stored.ts";

/** What was read, and what was left out of it. */
export interface OsvImport {
  readonly database: AdvisoryDatabase;
  readonly leftOut: number;
}

/** One advisory's JSON, and where it stands, for messages. */
interface Source {
  readonly name: string;
  readonly json: string;
}

/**
 * Reads advisories from a folder, a `.tar.gz` (or `.tgz`, `.tar`) of one, or lines of JSON (`.jsonl`, `.jsonl.gz`). In a checkout of GitHub's
 * advisory database only what is reviewed is looked at. The database is as old as the newest change that it knows.
 * @throws {SallyportError} for a file that is no advisory, and where there is none at all: a part must not pass for the whole.
 */
export async function readOsvFiles(path: string, now: number): Promise<OsvImport> {
  const advisories = new Map<string, StoredAdvisory>();
  let leftOut = 0;
  let newest = "";
  for await (const { name, json } of await sourcesOf(path)) {
    const reading = readOsv(parse(json));
    if (reading.kind === "unreadable") throw bad(`${name} is no advisory in OSV's format: ${reading.why}.`);
    // A date that is yet to come would make the database look fresh for ever.
    if (reading.modified > newest && Date.parse(reading.modified) <= now) newest = reading.modified;
    if (reading.kind === "left-out") leftOut++;
    else advisories.set(reading.advisory.id, reading.advisory);
  }
  if (advisories.size === 0) throw bad(`${path} holds no advisory.`);
  return { database: { asOf: newest === "" ? new Date(0).toISOString() : newest, advisories }, leftOut };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function sourcesOf(path: string): Promise<AsyncIterable<Source>> {
  try {
    if ((await stat(path)).isDirectory()) return inFolder(path);
  } catch (error) {
    throw bad(`${path} cannot be read: ${messageOf(error)}.`, error);
  }
  const raw = createReadStream(path);
  const stream = /\.(?:gz|tgz)$/i.test(path) ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => stream.destroy(error));
  if (/\.(?:tgz|tar|tar\.gz)$/i.test(path)) return inArchive(stream);
  if (/\.jsonl(?:\.gz)?$/i.test(path)) return inLines(path, stream);
  stream.destroy();
  throw bad(`${path} is neither a folder nor a .tar.gz, .tgz, .tar, .jsonl or .jsonl.gz file.`);
}

async function* inFolder(folder: string): AsyncIterable<Source> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const isDatabase = names.some((name) => REVIEWED.test(name));
  for (const name of names) if (isWanted(name, isDatabase)) yield { name, json: await readFile(join(folder, name), "utf8") };
}

/** Its files come once, so whether it is the database shows only in the names themselves. */
async function* inArchive(stream: Readable): AsyncIterable<Source> {
  const { readTar } = await import("./tar.ts");
  for await (const { name, bytes } of readTar(stream)) {
    if (isWanted(name, /(?:^|\/)advisory-database/.test(name))) yield { name, json: bytes.toString("utf8") };
  }
}

async function* inLines(path: string, input: Readable): AsyncIterable<Source> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number++;
    if (line.trim() !== "") yield { name: `${path}:${number}`, json: line };
  }
}

/** Where GitHub's advisory database keeps what counts. */
const REVIEWED = /(?:^|[/\\])advisories[/\\](?:github-reviewed|malware)[/\\]/;

function isWanted(name: string, isDatabase: boolean): boolean {
  if (!/\.json$/i.test(name)) return false;
  return REVIEWED.test(name) || (!isDatabase && !/(?:^|[/\\])advisories[/\\]unreviewed[/\\]/.test(name));
}

function bad(message: string, cause?: unknown): SallyportError {
  return new SallyportError(message, {
    code: "bad-advisories",
    hint: "Give a checkout of github.com/github/advisory-database, or its archive.",
    cause,
  });
}
