import type { BigIntStats } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { isGitInternals } from "../core/repository-path.ts";
import { kindOf, lookAt, openFolder } from "./folder.ts";
import type { EntryKind, Folder } from "./folder.ts";
import type { IgnoreRules } from "./ignore.ts";
import type { PinnedTree } from "./tree.ts";

/** One name in the workspace that is not ignored. `folder` is open only until the walk goes on. */
export interface WalkEntry {
  /** Raw path from the repository root. */
  readonly path: string;
  readonly name: Buffer;
  readonly folder: Folder;
  readonly kind: EntryKind;
  readonly stats: BigIntStats;
  /** The submodule that it lies in. */
  readonly submodule?: string;
}

/** What could not be looked at, and why. */
export interface WalkProblem {
  readonly path: string;
  readonly why: string;
}

export interface WalkRequest {
  /** Where the walk begins, open, and its raw path (`""` for the repository root). */
  readonly start: { readonly folder: Folder; readonly path: string };
  readonly tree: PinnedTree;
  readonly rules: IgnoreRules;
  /** How many folders deep; a child of the start is at 1. */
  readonly depth?: number;
  readonly onProblem: (problem: WalkProblem) => void;
}

/** Deeper folders are no source code; each holds a descriptor while the walk is in it. */
const DEEPEST = 256;
/** So many names are looked at before everybody else has a turn. */
const TURN = 500;

/**
 * Walks the workspace in byte order, never through a link: what is tracked, and what is neither tracked nor ignored.
 * `.git` is passed over at any level, as git passes over it; names that other systems would take for it are a problem.
 */
export async function* walk(request: WalkRequest): AsyncGenerator<WalkEntry> {
  const counter = { seen: 0 };
  yield* walkFolder(request, { ...request.start, depth: 1 }, counter);
}

interface Place {
  readonly folder: Folder;
  readonly path: string;
  readonly depth: number;
  readonly submodule?: string;
}

async function* walkFolder(request: WalkRequest, place: Place, counter: { seen: number }): AsyncGenerator<WalkEntry> {
  const { tree, rules, onProblem } = request;
  const found: WalkEntry[] = [];
  const untracked: string[] = [];
  let rulesReadable = true;
  for (const name of place.folder.names().sort((a, b) => a.compare(b))) {
    const raw = name.toString("latin1");
    if (raw === ".git") continue;
    const path = place.path === "" ? raw : `${place.path}/${raw}`;
    counter.seen += 1;
    if (counter.seen % TURN === 0) await turn();
    const stats = lookAt(place.folder, name);
    if (stats === undefined) continue;
    const kind = kindOf(stats);
    if (isGitInternals(name.toString("utf8"))) {
      onProblem({ path, why: "has a name that some systems take for git's own folder" });
      continue;
    }
    // git opens rule files itself, and would wait for the writer of a pipe.
    if (raw === ".gitignore" && kind === "special") rulesReadable = false;
    found.push({ path, name, folder: place.folder, kind, stats, ...(place.submodule === undefined ? {} : { submodule: place.submodule }) });
    if (!tree.files.has(path) && !(kind === "folder" && tree.folders.has(path))) untracked.push(path);
  }
  if (!rulesReadable) onProblem({ path: `${place.path === "" ? "" : `${place.path}/`}.gitignore`, why: "is a special file" });
  const ignored = rulesReadable ? await rules.ignored(untracked) : new Set(untracked);
  for (const entry of found) {
    if (ignored.has(entry.path)) continue;
    yield entry;
    if (entry.kind === "folder") yield* walkInto(request, place, entry, counter);
  }
}

async function* walkInto(request: WalkRequest, place: Place, entry: WalkEntry, counter: { seen: number }): AsyncGenerator<WalkEntry> {
  if (place.depth >= (request.depth ?? Infinity)) return;
  if (place.depth >= DEEPEST) {
    request.onProblem({ path: entry.path, why: `lies deeper than ${DEEPEST} folders` });
    return;
  }
  let folder: Folder;
  try {
    folder = openFolder(place.folder, entry.name);
  } catch {
    request.onProblem({ path: entry.path, why: "cannot be opened" });
    return;
  }
  using inside = folder;
  const submodule = request.tree.files.get(entry.path)?.mode === "160000" ? entry.path : place.submodule;
  const next = { folder: inside, path: entry.path, depth: place.depth + 1 };
  yield* walkFolder(request, submodule === undefined ? next : { ...next, submodule }, counter);
}
