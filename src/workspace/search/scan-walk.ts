import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseIgnoreFile, type IgnoreVerdict } from "./scan-ignore.ts";

/** A regular file: its path for people, and the bytes by which it is opened. */
export interface ScannedFile {
  readonly path: string;
  readonly raw: Buffer;
}

export interface WalkOptions {
  readonly directory: string;
  /** Whether ignore files are heard. */
  readonly heedsIgnores: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

interface Rules {
  readonly verdict: (path: string, isFolder: boolean) => IgnoreVerdict;
  /** Length of the folder's path with its slash: what is cut off before the rules are asked. */
  readonly prefix: number;
}

interface Place {
  readonly path: string;
  readonly raw: Buffer;
  /** Innermost first. */
  readonly rules: readonly Rules[];
}

/** More than this is no rule file. */
const LARGEST_RULES = 1024 * 1024;
const SLASH = Buffer.from("/");

/**
 * Every regular file below a folder that no `.gitignore` of it names. Follows no link, sees no `.git` of any spelling; what cannot be read is
 * passed over. Ends early at the deadline.
 * @throws the signal's reason.
 */
export async function walkFiles({ directory, heedsIgnores, signal, deadline }: WalkOptions): Promise<readonly ScannedFile[]> {
  const found: ScannedFile[] = [];
  const open: Place[] = [{ path: "", raw: Buffer.alloc(0), rules: [] }];
  for (let place = open.pop(); place !== undefined && Date.now() < deadline; place = open.pop()) {
    signal.throwIfAborted();
    const here = place;
    const entries = await readdir(fileAt(directory, here.raw), { withFileTypes: true, encoding: "buffer" }).catch(() => []);
    const own = heedsIgnores && entries.some((entry) => entry.isFile() && entry.name.toString("latin1") === ".gitignore");
    const rules = own ? [await readRules(directory, here), ...here.rules] : here.rules;
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      const name = entry.name.toString("utf8");
      if ((!isFolder && !entry.isFile()) || name.toLowerCase() === ".git") continue;
      const path = here.path === "" ? name : `${here.path}/${name}`;
      if (isIgnored(rules, path, isFolder)) continue;
      const raw = here.raw.length === 0 ? entry.name : Buffer.concat([here.raw, SLASH, entry.name]);
      if (isFolder) open.push({ path, raw, rules });
      else found.push({ path, raw });
    }
  }
  return found;
}

/** The absolute path of a file, as bytes. */
export function fileAt(directory: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from(join(directory, "/")), raw]);
}

/** A file's bytes; undefined for a link, a pipe, what is larger than `largest` and what cannot be read. */
export async function readPlainFile(path: Buffer, largest: number): Promise<Buffer | "too-large" | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    return stats.size > largest ? "too-large" : await file.readFile();
  } catch {
    return undefined;
  }
}

async function readRules(directory: string, { path, raw }: Place): Promise<Rules> {
  const name = Buffer.from(raw.length === 0 ? ".gitignore" : "/.gitignore");
  const bytes = await readPlainFile(fileAt(directory, Buffer.concat([raw, name])), LARGEST_RULES);
  return { verdict: parseIgnoreFile(Buffer.isBuffer(bytes) ? bytes.toString("utf8") : ""), prefix: path === "" ? 0 : path.length + 1 };
}

/** The innermost rule file that says something decides. A folder that is ignored takes all below it along, since it is not entered. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { verdict, prefix } of rules) {
    const said = verdict(path.slice(prefix), isFolder);
    if (said !== undefined) return said === "ignored";
  }
  return false;
}
