import type { RunView } from "../../core/run.ts";
import { filesOf } from "../contents.ts";
import type { JudgedFile } from "../contents.ts";
import type { Awaitable, Judged } from "../judged.ts";
import type { BaseFile, BasePaths } from "../rule-sources.ts";
import { NO_FACTS, UnreadableError, type Ecosystem, type Facts } from "./facts.ts";
import { readerOf, type Reader } from "./readers.ts";

/** A manifest or lockfile that a change touches. */
export interface ChangedFile {
  readonly path: string;
  /** Ends in a slash; empty for the root. */
  readonly folder: string;
  /** Absent for a file that names dependencies and is not read. */
  readonly ecosystem?: Ecosystem;
  readonly role: Reader["role"];
  /** The file is new. */
  readonly isNew: boolean;
  /** What it said; nothing for a new file, and for one that could not be read. */
  readonly before: Facts;
  /** What it says; absent for a deletion, and where it cannot be read. */
  readonly after?: Facts;
  /** Why it cannot be read, and whether it could before. */
  readonly unreadable?: { readonly why: string; readonly couldBefore: boolean };
}

/** A manifest or lockfile that stays as it is beside one that changes. */
export interface StandingFile {
  readonly path: string;
  readonly folder: string;
  readonly ecosystem: Ecosystem;
  readonly role: Reader["role"];
  readonly facts: Facts;
}

export interface DependencyChange {
  readonly changed: readonly ChangedFile[];
  /** Lockfiles and manifests of the same folders, and of those above, as they stand at the base. */
  readonly standing: readonly StandingFile[];
}

/** What is judged, as facts about dependencies: read once for all rules that ask. */
export type ReadDependencies = (judged: Judged, run: RunView) => Promise<DependencyChange>;

/** Files beside changed ones that are read; a change of more manifests than that is judged without the rest. */
const MOST_STANDING = 40;
/** Bytes; JSON of this size takes a fifth of a second. */
const LARGEST = 10_000_000;
const NOTHING: DependencyChange = { changed: [], standing: [] };

/** Reads each judgement once, however many rules ask. */
export function createDependencyReader(sources: {
  readonly basePaths?: BasePaths | undefined;
  readonly baseFile?: BaseFile | undefined;
}): ReadDependencies {
  const known = new WeakMap<Judged, Promise<DependencyChange>>();
  return (judged, run) => {
    const reading = known.get(judged) ?? readChange(judged, run, sources);
    known.set(judged, reading);
    return reading;
  };
}

async function readChange(
  judged: Judged,
  run: RunView,
  { basePaths = () => undefined, baseFile = () => undefined }: Parameters<typeof createDependencyReader>[0],
): Promise<DependencyChange> {
  const files = filesOf(judged).filter(({ path }) => readerOf(path) !== undefined);
  if (files.length === 0) return NOTHING;
  const changed = files.flatMap(readFile);
  const paths = new Set(await basePaths(run));
  const touched = new Set(files.map(({ path }) => path));
  const wanted = [...placesBeside(changed, paths)].filter((path) => !touched.has(path)).slice(0, MOST_STANDING);
  const standing: StandingFile[] = [];
  for (const path of wanted) standing.push(...(await readStanding(path, (one) => baseFile(run, one))));
  return { changed, standing };
}

function readFile({ path, before, after }: JudgedFile): readonly ChangedFile[] {
  const reader = readerOf(path);
  if (reader === undefined || (after?.ref !== undefined && after.ref.sha === before?.ref?.sha)) return [];
  const base = { path, folder: folderOf(path), isNew: before === undefined };
  if (reader === "unread") return after === undefined ? [] : [{ ...base, role: "lock", before: NO_FACTS }];
  const old = before === undefined ? undefined : attempt(reader, before.bytes);
  const known = { ...base, ecosystem: reader.ecosystem, role: reader.role, before: old?.facts ?? NO_FACTS };
  if (after === undefined) return [known];
  const now = attempt(reader, after.bytes);
  if (now.facts !== undefined)
    return [
      {
        ...known,
        after: now.facts,
        ...(old !== undefined &&
          old.facts === undefined && { unreadable: { why: `could not be read as it stood: it ${old.why}`, couldBefore: false } }),
      },
    ];
  return [{ ...known, unreadable: { why: now.why, couldBefore: old === undefined || old.facts !== undefined } }];
}

type Attempt = { readonly facts: Facts } | { readonly facts?: undefined; readonly why: string };

function attempt({ read }: Reader, bytes: Uint8Array | undefined): Attempt {
  if (bytes === undefined) return { why: "is too large to be at hand" };
  if (bytes.length > LARGEST) return { why: `has more than ${LARGEST} bytes` };
  try {
    return { facts: read(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch (error) {
    if (error instanceof UnreadableError) return { why: error.message };
    // Nesting beyond the stack, bytes that are no UTF-8: whatever the reason, it is not known what the file says.
    return { why: error instanceof TypeError ? "is no UTF-8 text" : "cannot be read" };
  }
}

/** Where a counterpart of the changed files may stand: in their folders and in those above, where workspaces keep their lockfile. */
function* placesBeside(changed: readonly ChangedFile[], paths: ReadonlySet<string>): Iterable<string> {
  const folders = new Map<string, Set<Ecosystem>>();
  for (const { folder, ecosystem } of changed) {
    if (ecosystem === undefined) continue;
    for (const above of foldersUp(folder)) folders.set(above, (folders.get(above) ?? new Set()).add(ecosystem));
  }
  for (const path of paths) {
    const reader = readerOf(path);
    if (reader === undefined || reader === "unread") continue;
    if (folders.get(folderOf(path))?.has(reader.ecosystem) === true) yield path;
  }
}

async function readStanding(path: string, baseFile: (path: string) => Awaitable<Uint8Array | undefined>): Promise<readonly StandingFile[]> {
  const reader = readerOf(path);
  if (reader === undefined || reader === "unread") return [];
  const bytes = await baseFile(path);
  const { facts } = attempt(reader, bytes);
  return facts === undefined ? [] : [{ path, folder: folderOf(path), ecosystem: reader.ecosystem, role: reader.role, facts }];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A folder and all above it, the root last. */
export function foldersUp(folder: string): readonly string[] {
  const parts = folder.split("/").filter((part) => part !== "");
  return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join("/")}/`), ""];
}
