import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { FileSearch, FilesFound, FilesQuery, TextFound, TextQuery } from "./file-search.ts";
import { collectEvents } from "./ripgrep-events.ts";
import { type RipgrepEnd, runRipgrep } from "./ripgrep-process.ts";

export interface RipgrepOptions {
  /** Path of the ripgrep binary, as `locateRipgrep` finds it. */
  readonly binary: string;
  /** Wall clock of one search; default 20 s. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 20_000;
/** How many bytes of file names go to one process: well under what macOS (1 MiB) and Linux (2 MiB) take with the environment. */
const NAMES_PER_PROCESS = 200_000;
/**
 * What makes a search depend on the workspace alone: no settings of the machine, no ignore file above it or beside `.gitignore`, no link
 * followed, dot files seen, git's own folder not.
 */
const FIXED = [
  "--no-config",
  "--no-follow",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-dot",
];
const NEVER = ["--iglob=!.git"];

/** Searches with ripgrep, whose time is linear in what it reads, whatever the pattern. */
export function ripgrepSearch({ binary, timeoutMs = DEFAULT_TIMEOUT_MS }: RipgrepOptions): FileSearch {
  return {
    files: (query) => listFiles(binary, query, Date.now() + timeoutMs),
    grep: (query) => searchText(binary, query, Date.now() + timeoutMs),
  };
}

async function listFiles(binary: string, { directory, glob, signal }: FilesQuery, deadline: number): Promise<FilesFound> {
  const list = async (globs: readonly string[]) => {
    const paths: string[] = [];
    const onRecord = (path: string) => paths.push(path.replace(/^\.\//, ""));
    const args = [...FIXED, ...globs, "--files", "--null", "--", "./"];
    return { paths, end: await runRipgrep({ binary, directory, args, separator: 0, onRecord, signal, deadline }) };
  };
  // A glob given to ripgrep brings ignored files back in, so what it matches is taken from what is not ignored.
  const [all, matching] = await Promise.all([list(NEVER), glob === undefined ? undefined : list([`--glob=${positive(glob)}`, ...NEVER])]);
  const why = complaintOf(matching?.end ?? all.end, "glob") ?? all.end.stopped ?? matching?.end.stopped;
  if (why !== undefined) return { ok: false, why };
  const wanted = matching === undefined ? undefined : new Set(matching.paths);
  return { ok: true, paths: all.paths.filter((path) => wanted?.has(path) ?? true).toSorted() };
}

/** A leading `!` would turn the glob round; models also write `./` before it. */
function positive(glob: string): string {
  return glob.replace(/^(?:\.\/)+/, "/").replace(/^!/, "\\!");
}

async function searchText(binary: string, query: TextQuery, deadline: number): Promise<TextFound> {
  const { directory, pattern, ignoreCase = false, context = 0, limit, signal } = query;
  const targets = await targetsOf(binary, query, deadline);
  if (!targets.ok) return targets;
  const events = collectEvents(limit, context);
  const flags = [
    ...FIXED,
    ...NEVER,
    "--json",
    "--crlf",
    "--binary",
    "--no-mmap",
    `--context=${context}`,
    ignoreCase ? "--ignore-case" : "--case-sensitive",
  ];
  let stopped: string | undefined = targets.empty;
  for (const names of targets.batches) {
    const args = [...flags, "--", pattern, ...names];
    const end = await runRipgrep({ binary, directory, args, separator: 0x0a, onRecord: events.add, signal, deadline });
    const why = complaintOf(end, "pattern");
    if (why !== undefined) return { ok: false, why };
    stopped = end.stopped;
    if (stopped !== undefined) break;
  }
  return { ok: true, ...events.end(), ...(stopped === undefined ? {} : { stopped }) };
}

type Targets =
  | { readonly ok: true; readonly batches: readonly (readonly string[])[]; readonly empty?: string }
  | { readonly ok: false; readonly why: string };

/** What ripgrep is told to search: the whole folder, or the files of it by name, so that a path or a glob never brings in what is ignored. */
async function targetsOf(binary: string, { directory, path, glob, signal }: TextQuery, deadline: number): Promise<Targets> {
  if (path === undefined && glob === undefined) return { ok: true, batches: [["./"]] };
  if (path !== undefined && glob === undefined && (await isFile(join(directory, path)))) return { ok: true, batches: [[`./${path}`]] };
  const listed = await listFiles(binary, { directory, signal, ...(glob === undefined ? {} : { glob }) }, deadline);
  if (!listed.ok) return listed;
  const inPath = listed.paths.filter((name) => path === undefined || name === path || name.startsWith(`${path}/`));
  if (inPath.length === 0)
    return { ok: true, batches: [], empty: "no file was searched: none there matches, or the repository ignores them" };
  return { ok: true, batches: inBatches(inPath.map((name) => `./${name}`)) };
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );
}

function inBatches(names: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const name of names) {
    const size = Buffer.byteLength(name) + 1;
    if (size > room) {
      batches.push([]);
      room = NAMES_PER_PROCESS;
    }
    batches.at(-1)?.push(name);
    room -= size;
  }
  return batches;
}

/** Unreadable files are left out without a word, so what ripgrep complains of is the pattern or the glob. */
function complaintOf({ exitCode, complaint }: RipgrepEnd, what: "pattern" | "glob"): string | undefined {
  if (exitCode !== 2 || complaint.trim() === "") return undefined;
  const said = /^error: ([\s\S]*)$/m.exec(complaint)?.[1] ?? complaint.replace(/^rg: /, "");
  const hint =
    what === "pattern"
      ? " It is a regular expression in Rust's syntax, within one line; a backslash makes a special character an ordinary one."
      : "";
  return `The ${what} cannot be used: ${(said.trim().split(/\n\s*\n/)[0] ?? "").split(/\s+/).join(" ")}.${hint}`;
}
