import { setImmediate as turn } from "node:timers/promises";
import type { FileSearch, FilesFound, FilesQuery, TextFound, TextQuery } from "./file-search.ts";
import { oddIgnoreFile } from "./odd-ignore-file.ts";
import { isPlainFile } from "./plain-file.ts";
import { positive } from "./ripgrep.ts";
import { collectEvents, type SearchEvent } from "./ripgrep-events.ts";
import { parsePlacedGlob } from "./scan-ignore.ts";
import { translatePattern } from "./scan-pattern.ts";
import { decodeText, eventsOf } from "./scan-text.ts";
import { fileAt, readPlainFile, walkFiles, type ScannedFile } from "./scan-walk.ts";
import { createTimeLimit } from "./time-limit.ts";

export interface ScanOptions {
  /** Wall clock of one search; default 20 s. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
/** Larger files are named instead of searched: each is held in memory. */
const LARGEST_FILE = 64 * 1024 * 1024;
/** How long the pattern may take for a handful of files, in milliseconds; everything else in the process waits so long. */
const HANDFUL_MS = 250;
const HANDFUL_BYTES = 1024 * 1024;
const HANDFUL_FILES = 64;
/** After so many files for which a pattern took too long it is given up. */
const MOST_SLOW = 4;

/**
 * Searches in this process, for machines without ripgrep, and answers as `ripgrepSearch` does. The pattern runs on JavaScript's engine, whose time
 * is not linear: where it takes too long for a file, the file is left out and the answer says so.
 */
export function scanSearch({ timeoutMs = DEFAULT_TIMEOUT_MS }: ScanOptions = {}): FileSearch {
  return {
    async files(query) {
      const listed = await listFiles(query, Date.now() + timeoutMs);
      if (!listed.ok) return listed;
      if (listed.isPartial) return { ok: false, why: TOOK_TOO_LONG };
      const paths = listed.files.map(({ path }) => path).toSorted();
      return { ok: true, paths, ...(listed.note === undefined ? {} : { note: listed.note }) };
    },
    grep: (query) => searchText(query, Date.now() + timeoutMs),
  };
}

const TOOK_TOO_LONG = "the search was stopped because it took too long; what was found until then is shown";

type Listed =
  | { readonly ok: true; readonly files: readonly ScannedFile[]; readonly isPartial: boolean; readonly note?: string }
  | (FilesFound & { readonly ok: false });

/** What is not ignored, and what is tracked all the same, as far as it matches the glob. */
async function listFiles({ directory, glob, tracked = [], signal }: FilesQuery, deadline: number): Promise<Listed> {
  const parsed = glob === undefined ? undefined : parsePlacedGlob(positive(glob));
  if (parsed?.ok === false) return { ok: false, why: `The glob cannot be used: ${parsed.why}.` };
  const odd = await oddIgnoreFile(directory, signal);
  const visible = await walkFiles({ directory, heedsIgnores: odd === undefined, signal, deadline });
  const names = new Set(visible.map(({ path }) => path));
  const hidden: ScannedFile[] = [];
  for (const path of tracked) {
    if (!names.has(path) && (await isPlainFile(directory, path))) hidden.push({ path, raw: Buffer.from(path) });
  }
  const matches = parsed?.matches ?? (() => true);
  return {
    ok: true,
    files: [...visible, ...hidden].filter(({ path }) => matches(path)),
    isPartial: Date.now() >= deadline,
    ...(odd === undefined
      ? {}
      : { note: `${JSON.stringify(odd)} is a link or a special file and is not read, so ignored files were searched too` }),
  };
}

async function searchText(query: TextQuery, deadline: number): Promise<TextFound> {
  const { pattern, ignoreCase = false, context = 0, limit, directory, signal } = query;
  const translated = translatePattern(pattern, ignoreCase);
  if (!translated.ok) return { ok: false, why: whyNoPattern(translated.why) };
  const listed = await filesOf(query, deadline);
  if (!listed.ok) return listed;
  const collected = collectEvents(limit, context);
  const notes = [listed.note];
  const isWhole = query.path === undefined && query.glob === undefined;
  if (listed.files.length === 0 && !isWhole) notes.push("no file was searched: none there matches, or the repository ignores them");
  const seen = await searchFiles(listed.files, { directory, signal, deadline, regex: translated.regex, context, add: collected.add });
  notes.push(...seen.notes, listed.isPartial || seen.isPartial ? TOOK_TOO_LONG : undefined);
  const said = notes.filter((note) => note !== undefined);
  return { ok: true, ...collected.end(), ...(said.length === 0 ? {} : { note: said.join("; ") }) };
}

function whyNoPattern(why: string): string {
  const hint = "It is a regular expression in Rust's syntax, within one line; a backslash makes a special character an ordinary one.";
  return `The pattern cannot be used: ${why}. ${hint}`;
}

async function filesOf(query: TextQuery, deadline: number): Promise<Listed> {
  const { path, glob, directory } = query;
  if (path !== undefined && glob === undefined && (await isPlainFile(directory, path)))
    return { ok: true, files: [{ path, raw: Buffer.from(path) }], isPartial: false };
  const listed = await listFiles(query, deadline);
  if (!listed.ok || path === undefined) return listed;
  const composed = path.normalize("NFC");
  const isBelow = (name: string): boolean => name === composed || name.startsWith(`${composed}/`);
  return { ...listed, files: listed.files.filter((file) => isBelow(file.path.normalize("NFC"))) };
}

interface Search {
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly regex: RegExp;
  readonly context: number;
  readonly add: (event: SearchEvent) => void;
}

/** Searches handful by handful, so that others get their turn; what took too long is tried again file by file. */
async function searchFiles(
  files: readonly ScannedFile[],
  search: Search,
): Promise<{ readonly isPartial: boolean; readonly notes: readonly string[] }> {
  const limited = createTimeLimit();
  const slow: string[] = [];
  const large: string[] = [];
  const order = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  let isPartial = false;
  for (let at = 0; at < order.length && !isPartial;) {
    search.signal.throwIfAborted();
    const handful = await readHandful(search.directory, order, at, large);
    at = handful.next;
    const whole = find(handful.files);
    const pieces = whole === undefined ? handful.files.map((file) => [file]) : [];
    whole?.forEach(search.add);
    for (const piece of pieces) {
      if (slow.length >= MOST_SLOW || Date.now() >= search.deadline) break;
      const events = find(piece);
      if (events === undefined) slow.push(piece[0]?.path ?? "");
      else events.forEach(search.add);
      await turn();
    }
    isPartial = slow.length >= MOST_SLOW || (at < order.length && Date.now() >= search.deadline);
    await turn();
  }
  const named = (paths: readonly string[]): string =>
    paths
      .slice(0, 5)
      .map((path) => JSON.stringify(path))
      .join(", ");
  return {
    isPartial,
    notes: [
      ...(large.length === 0 ? [] : [`${large.length} files over 64 MiB were not searched (${named(large)})`]),
      ...(slow.length === 0 ? [] : [`the pattern took too long for ${named(slow)}; write it without repetitions inside repetitions`]),
    ],
  };

  function find(read: readonly { readonly path: string; readonly bytes: Buffer }[]): readonly SearchEvent[] | undefined {
    const found = limited(
      () => read.flatMap(({ path, bytes }) => [...eventsOf(path, decodeText(bytes), search.regex, search.context)]),
      HANDFUL_MS,
    );
    return found.done ? found.value : undefined;
  }
}

async function readHandful(directory: string, files: readonly ScannedFile[], from: number, large: string[]) {
  const read: { readonly path: string; readonly bytes: Buffer }[] = [];
  let bytes = 0;
  let next = from;
  for (; next < files.length && bytes < HANDFUL_BYTES && next - from < HANDFUL_FILES; next++) {
    const file = files[next];
    if (file === undefined) break;
    const content = await readPlainFile(fileAt(directory, file.raw), LARGEST_FILE);
    if (content === "too-large") large.push(file.path);
    if (!Buffer.isBuffer(content)) continue;
    bytes += content.length;
    read.push({ path: file.path, bytes: content });
  }
  return { files: read, next };
}
