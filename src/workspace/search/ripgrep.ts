import type { FileSearch, FilesFound, FilesQuery, TextFound, TextQuery } from "./file-search.ts";
import { collectEvents, readEvent } from "./ripgrep-events.ts";
import { oddIgnoreFile } from "./odd-ignore-file.ts";
import { isPlainFile } from "./plain-file.ts";
import { type RipgrepCommand, type RipgrepEnd, runRipgrep } from "./ripgrep-process.ts";

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
  "--no-ignore-messages",
  "--hidden",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-dot",
];
const NEVER = ["--iglob=!.git"];
const UNIGNORED = "--no-ignore-vcs";

/** Searches with ripgrep, whose time is linear in what it reads, whatever the pattern. */
export function ripgrepSearch({ binary, timeoutMs = DEFAULT_TIMEOUT_MS }: RipgrepOptions): FileSearch {
  return {
    files: (query) => withIgnoreRules(binary, timeoutMs, query, (search) => listFiles(search, query.glob)),
    grep: (query) => withIgnoreRules(binary, timeoutMs, query, (search) => searchText(search, query)),
  };
}

/** What all processes of one search share. */
interface Search extends Pick<RipgrepCommand, "binary" | "directory" | "signal" | "deadline"> {
  readonly flags: readonly string[];
  readonly tracked: readonly string[];
  readonly note?: string;
}

/**
 * Runs a search while its ignore files are looked at. Where one of them is not to be read, the answer is thrown away unseen and the search
 * runs again without ignore rules.
 */
async function withIgnoreRules<T>(binary: string, timeoutMs: number, query: FilesQuery, run: (search: Search) => Promise<T>): Promise<T> {
  const { directory, tracked = [], signal } = query;
  const shared = { binary, directory, tracked, deadline: Date.now() + timeoutMs };
  const discard = new AbortController();
  const first = run({ ...shared, flags: FIXED, signal: AbortSignal.any([signal, discard.signal]) });
  const [odd, settled] = await Promise.all([
    oddIgnoreFile(directory, signal).then((found) => {
      if (found !== undefined) discard.abort();
      return found;
    }),
    first.then(
      (value) => ({ done: true, value }) as const,
      (error: unknown) => ({ done: false, error }) as const,
    ),
  ]);
  if (odd !== undefined) {
    const note = `${JSON.stringify(odd)} is a link or a special file and is not read, so ignored files were searched too`;
    return run({ ...shared, flags: [...FIXED, UNIGNORED], signal, note });
  }
  if (!settled.done) throw settled.error;
  return settled.value;
}

async function listFiles(search: Search, glob: string | undefined): Promise<FilesFound> {
  const { note } = search;
  // A glob given to ripgrep brings ignored files back in, so what it matches is taken from what is tracked or not ignored.
  const globs = glob === undefined ? undefined : [UNIGNORED, `--glob=${positive(glob)}`];
  const [visible, matching] = await Promise.all([listPaths(search, []), globs === undefined ? undefined : listPaths(search, globs)]);
  const why = complaintOf(matching?.end ?? visible.end, "glob") ?? visible.end.stopped ?? matching?.end.stopped;
  if (why !== undefined) return { ok: false, why };
  const wanted =
    matching === undefined
      ? [...visible.paths, ...(await hiddenTracked(search, visible.paths))]
      : matching.paths.filter(within(new Set([...visible.paths, ...search.tracked])));
  return { ok: true, paths: wanted.toSorted(), ...(note === undefined ? {} : { note }) };
}

async function listPaths(
  { flags, ...search }: Search,
  more: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly end: RipgrepEnd }> {
  const paths: string[] = [];
  const onRecord = (path: string) => paths.push(path.replace(/^\.\//, ""));
  const args = [...flags, ...more, ...NEVER, "--files", "--null", "--", "./"];
  return { paths, end: await runRipgrep({ ...search, args, separator: 0, onRecord }) };
}

function within(names: ReadonlySet<string>): (name: string) => boolean {
  return (name) => names.has(name);
}

/** The tracked files that ignore rules hide. */
async function hiddenTracked({ directory, tracked }: Search, visible: readonly string[]): Promise<readonly string[]> {
  const seen = new Set(visible);
  const hidden: string[] = [];
  for (const path of tracked) if (!seen.has(path) && (await isPlainFile(directory, path))) hidden.push(path);
  return hidden;
}

/** A leading `!` would turn the glob round; models also write `./` before it. */
export function positive(glob: string): string {
  return glob.replace(/^(?:\.\/)+/, "/").replace(/^!/, "\\!");
}

async function searchText(search: Search, query: TextQuery): Promise<TextFound> {
  const { pattern, path, glob, ignoreCase = false, context = 0, limit } = query;
  const events = collectEvents(limit, context);
  const letters = ignoreCase ? "--ignore-case" : "--case-sensitive";
  const options = [...search.flags, ...NEVER, "--json", "--crlf", "--binary", "--no-mmap", `--context=${context}`, letters];
  const run = (names: readonly string[]) =>
    runRipgrep({
      ...search,
      args: [...options, "--", pattern, ...names],
      separator: 0x0a,
      onRecord: (record) => events.add(readEvent(record)),
    });
  const ends: RipgrepEnd[] = [];
  let files: FilesFound;
  if (path === undefined && glob === undefined) {
    // The whole folder at once, and what git tracks in spite of its rules by name.
    const [end, visible] = await Promise.all([run(["./"]), search.tracked.length === 0 ? undefined : listPaths(search, [])]);
    ends.push(end);
    files = { ok: true, paths: visible === undefined ? [] : await hiddenTracked(search, visible.paths) };
  } else {
    files = await filesOf(search, path, glob);
  }
  if (!files.ok) return files;
  for (const names of inBatches(files.paths)) if (ends.every((end) => end.stopped === undefined)) ends.push(await run(names));
  const why = ends.map((end) => complaintOf(end, "pattern")).find((complaint) => complaint !== undefined);
  if (why !== undefined) return { ok: false, why };
  const none = ends.length === 0 ? "no file was searched: none there matches, or the repository ignores them" : undefined;
  const notes = [search.note, none, ...ends.map(({ stopped }) => stopped)].filter((note) => note !== undefined);
  return { ok: true, ...events.end(), ...(notes.length === 0 ? {} : { note: notes.join("; ") }) };
}

/** The files below a path that match a glob, by name, so that neither brings in what is ignored. */
async function filesOf(search: Search, path: string | undefined, glob: string | undefined): Promise<FilesFound> {
  if (path !== undefined && glob === undefined && (await isPlainFile(search.directory, path))) return { ok: true, paths: [path] };
  const listed = await listFiles(search, glob);
  if (!listed.ok || path === undefined) return listed;
  const composed = path.normalize("NFC");
  const isBelow = (name: string) => name === composed || name.startsWith(`${composed}/`);
  return { ok: true, paths: listed.paths.filter((name) => isBelow(name.normalize("NFC"))) };
}

function inBatches(paths: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const name = `./${path}`;
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
