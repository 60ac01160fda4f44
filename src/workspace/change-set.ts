import type { BlobRef, ChangeSet, FileChange } from "../core/change-set.ts";
import { SallyportError } from "../core/errors.ts";
import type { Finding } from "../core/result.ts";
import { openRoot } from "./folder.ts";
import type { Git } from "./git.ts";
import { type IgnoreRules, openIgnoreRules } from "./ignore.ts";
import { blobMap } from "./read-blobs.ts";
import { takeFile } from "./take-file.ts";
import { bytesOf, resultingTree, textOf } from "./tree.ts";
import type { PinnedTree, TreeFile } from "./tree.ts";
import { sameStamp, stampOf } from "./unpack.ts";
import type { FileStamp } from "./unpack.ts";
import { walk } from "./walk.ts";
import type { WalkEntry } from "./walk.ts";

export interface DifferenceRequest {
  readonly git: Git;
  readonly gitDir: string;
  readonly commit: string;
  readonly tree: PinnedTree;
  /** Stamps from the check-out: what still carries its own is not read again. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  readonly directory: string;
  /** Instead of the repository's own: which files in it are none of its matter. */
  readonly rules?: IgnoreRules;
}

export interface Difference {
  readonly changes: ChangeSet;
  /** What stands in the workspace and cannot be published or could not be looked at: each blocks. */
  readonly problems: readonly Finding[];
}

/** The workspace holds something that no commit can hold, or that could not be read: nothing is published around it. */
export class UnpublishableError extends SallyportError {
  readonly findings: readonly Finding[];
  /** The difference without the paths that the findings name: to be kept, never to be published. */
  readonly comparable: ChangeSet;

  constructor(findings: readonly Finding[], comparable: ChangeSet) {
    const shown = findings.slice(0, 5).map(({ where, why }) => `${JSON.stringify(where?.path ?? "")} ${why}`);
    const more = findings.length > shown.length ? ` and ${findings.length - shown.length} more` : "";
    const hint = "Remove these files, or let the repository's .gitignore name them.";
    super(`The workspace cannot be compared with its commit: ${shown.join("; ")}${more}.`, { code: "unpublishable-workspace", hint });
    this.findings = findings;
    this.comparable = comparable;
  }
}

/** Old bytes are for rules that compare; a file beyond this is judged without. */
const LARGEST_BEFORE = 4 * 1024 * 1024;
const ALL_BEFORE = 64 * 1024 * 1024;
/** All new bytes together: they are held in memory, and the gate's own limit is far below. */
const ALL_AFTER = 256 * 1024 * 1024;

/** Compares a workspace with its pinned tree. End its processes first: a file that is still written is a problem, not a guess. */
export async function differenceOf(request: DifferenceRequest): Promise<Difference> {
  const problems: Finding[] = [];
  const report = (path: string, why: string): void => void problems.push(problem(path, why));
  const { after, blobs } = await takeChanges(request, report);
  const difference = await changeSetOf(request, after, blobs);
  return { changes: difference.changes, problems: [...problems, ...difference.problems] };
}

/** The change set that new files make of a pinned tree, by raw path, `undefined` for a deleted one; `blobs` are their bytes. */
export async function changeSetOf(
  request: Pick<DifferenceRequest, "git" | "gitDir" | "commit" | "tree"> & {
    /** Old bytes from where they are at hand; without it a git is started for them. */
    readonly oldBlobs?: (shas: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
  },
  after: ReadonlyMap<string, TreeFile | undefined>,
  blobs: ReadonlyMap<string, Uint8Array>,
): Promise<Difference> {
  const { tree, commit } = request;
  const problems: Finding[] = [];
  const changes: FileChange[] = [];
  for (const [path, file] of after) {
    const before = tree.files.get(path);
    const text = textOf(path);
    if (text === undefined) problems.push(problem(path, "has a name that is not UTF-8"));
    else changes.push({ path: text, ...(before && { before: refOf(before) }), ...(file && { after: refOf(file) }) });
  }
  const base = { commit, tree: tree.folders.get("") ?? "" };
  const before = await oldBytes(request, changes);
  return { problems, changes: { base, tree: resultingTree(tree, after), changes: markMoves(sortByBytes(changes)), blobs, before } };
}

type Report = (path: string, why: string) => void;

async function takeChanges(request: DifferenceRequest, report: Report) {
  const { git, gitDir, directory, tree, stamps } = request;
  const after = new Map<string, TreeFile | undefined>();
  const blobs = new Map<string, Uint8Array>();
  const seen = new Set<string>();
  let total = 0;
  using root = openRoot(directory);
  using rules = request.rules ?? openIgnoreRules({ git, gitDir, directory });
  const start = { folder: root, path: "" };
  for await (const entry of walk({ start, tree, rules, onProblem: ({ path, why }) => report(path, why) })) {
    const pinned = tree.files.get(entry.path);
    if (entry.kind === "folder") {
      // A submodule is an empty folder here; folders themselves are nothing to git.
      if (pinned?.mode === "160000") seen.add(entry.path);
      continue;
    }
    const stamp = stamps.get(entry.path);
    if (pinned !== undefined) seen.add(entry.path);
    if (stamp !== undefined && pinned !== undefined && sameStamp(stamp, stampOf(entry.stats))) continue;
    const file = take(entry, pinned, report);
    if (file === undefined) continue;
    total += file.bytes.length;
    if (total > ALL_AFTER) {
      report(entry.path, `and what changed before it are more than ${ALL_AFTER} bytes`);
      break;
    }
    after.set(entry.path, { mode: file.mode, sha: file.sha, size: file.bytes.length });
    blobs.set(file.sha, file.bytes);
  }
  for (const path of tree.files.keys()) if (!seen.has(path)) after.set(path, undefined);
  return { after, blobs };
}

/** The file when it differs from the pinned one and can be published. */
function take(entry: WalkEntry, pinned: TreeFile | undefined, report: Report) {
  if (entry.kind === "special") {
    report(entry.path, "is a special file (a pipe, a socket or a device)");
    return undefined;
  }
  const taken = takeFile(entry);
  if (!taken.ok) {
    report(entry.path, taken.why);
    return undefined;
  }
  const { file } = taken;
  if (pinned?.sha === file.sha && pinned.mode === file.mode) return undefined;
  if (file.names > 1n) {
    report(entry.path, "has a second name (a hard link)");
    return undefined;
  }
  if (entry.submodule !== undefined) {
    report(entry.path, "lies in a submodule, which belongs to another repository");
    return undefined;
  }
  return file;
}

function problem(path: string, why: string): Finding {
  return {
    rule: "workspace",
    severity: "block",
    where: { path: bytesOf(path).toString("utf8") },
    why,
    fix: "Remove it, or let the repository's .gitignore name it.",
  };
}

const refOf = ({ sha, mode, size }: TreeFile): BlobRef => ({ sha, mode, size });

function sortByBytes(changes: readonly FileChange[]): FileChange[] {
  return [...changes].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** A file that vanished and one that appeared with the same bytes are told as one move; of several, the one with the same name. */
function markMoves(changes: readonly FileChange[]): FileChange[] {
  const gone = new Map<string, string[]>();
  for (const { path, before, after } of changes) {
    if (before !== undefined && after === undefined && before.size > 0) gone.set(before.sha, [...(gone.get(before.sha) ?? []), path]);
  }
  const name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  return changes.map((change) => {
    if (change.before !== undefined || change.after === undefined) return change;
    const candidates = gone.get(change.after.sha) ?? [];
    const from = candidates.find((path) => name(path) === name(change.path)) ?? candidates[0];
    if (from === undefined) return change;
    gone.set(
      change.after.sha,
      candidates.filter((path) => path !== from),
    );
    return { ...change, movedFrom: from };
  });
}

async function oldBytes(
  { git, gitDir, oldBlobs }: Parameters<typeof changeSetOf>[0],
  changes: readonly FileChange[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const shas: string[] = [];
  let total = 0;
  for (const { before } of changes) {
    if (before === undefined || before.mode === "160000" || before.size > LARGEST_BEFORE) continue;
    total += before.size;
    if (total > ALL_BEFORE) break;
    shas.push(before.sha);
  }
  return oldBlobs === undefined ? blobMap({ git, gitDir, shas, maxBytes: LARGEST_BEFORE }) : oldBlobs(shas);
}
