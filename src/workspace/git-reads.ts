import { SallyportError } from "../core/errors.ts";
import type { ChangeSet } from "../core/change-set.ts";
import { judgePath } from "../core/repository-path.ts";
import { GitError } from "./git-error.ts";
import { deepenUntil, ensureHistory, shallowCommits } from "./history.ts";
import type { History } from "./history.ts";
import { isObjectId } from "./object-id.ts";
import { openScratchObjects } from "./scratch-objects.ts";
import { rawOf, resultingTree } from "./tree.ts";
import type { PinnedTree, TreeFile } from "./tree.ts";
import type { BlameRequest, GitAnswer, GitReads } from "./workspace.ts";

export interface GitReadsRequest extends History {
  readonly commit: string;
  readonly tree: PinnedTree;
  readonly changeSet: () => Promise<ChangeSet>;
}

/** Nothing of the repository runs or rewrites the answer: no external diff, no text conversion. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"] as const;
const LONGEST_ANSWER = 8 * 1024 * 1024;
const MOST_COMMITS = 500;

/** Git's own answers about a workspace, from the bare store. The workspace's own files are hashed here and never read by git. */
export function openGitReads(request: GitReadsRequest): GitReads {
  return {
    diff: ({ base, path }) => answer(() => diff(request, base, path)),
    show: ({ rev, path }) => answer(() => show(request, rev, path)),
    log: ({ path, limit }) => answer(() => log(request, path, limit)),
    blame: (asked) => answer(() => blame(request, asked)),
  };
}

class NoAnswer extends Error {}

async function answer(ask: () => Promise<string>): Promise<GitAnswer> {
  try {
    return { ok: true, text: await ask() };
  } catch (error) {
    if (error instanceof NoAnswer) return { ok: false, why: error.message };
    if (error instanceof GitError) return { ok: false, why: error.stderr === "" ? error.message : error.stderr };
    if (error instanceof SallyportError) return { ok: false, why: [error.message, error.hint].filter(Boolean).join(" ") };
    throw error;
  }
}

async function diff(request: GitReadsRequest, base: string | undefined, path: string | undefined): Promise<string> {
  const { gitDir } = request.store;
  const from = base === undefined ? request.commit : await resolve(request, base, 1);
  const paths = ["--", ...(path === undefined ? [] : [pathspec(path)])];
  const changes = await request.changeSet();
  await using scratch = await openScratchObjects(gitDir);
  const edited = new Map<string, TreeFile | undefined>(changes.changes.map(({ path: at, after }) => [rawOf(at), after]));
  const pending: Promise<void>[] = [];
  const tree = resultingTree(request.tree, edited, (sha, bytes) => pending.push(scratch.add("tree", sha, bytes)));
  for (const [sha, bytes] of changes.blobs) pending.push(scratch.add("blob", sha, bytes));
  await Promise.all(pending);
  const args = ["diff-tree", "-r", "-p", ...PLAIN, "--find-renames", `${from}^{tree}`, tree, ...paths];
  return await print(request, args, scratch.env);
}

/** A commit with its change; with a path, that file (or folder listing) as it was at the commit. */
async function show(request: GitReadsRequest, rev: string, path: string | undefined): Promise<string> {
  if (path !== undefined) {
    const sha = await resolve(request, rev, 1);
    const at = pathspec(path);
    return print(request, ["show", ...PLAIN, `${sha}:${at === "." ? "" : at}`]);
  }
  const sha = await resolve(request, rev, 2);
  return print(request, ["show", ...PLAIN, "--no-decorate", "--find-renames", sha, "--"]);
}

async function log(request: GitReadsRequest, path: string | undefined, limit: number): Promise<string> {
  const count = Math.max(1, Math.min(MOST_COMMITS, Math.trunc(limit) || 1));
  const at = path === undefined ? undefined : pathspec(path);
  await ensureHistory(request, { sha: request.commit, count, path: at });
  return print(request, [
    "log",
    ...PLAIN,
    "--no-decorate",
    `--max-count=${count}`,
    request.commit,
    "--",
    ...(at === undefined ? [] : [at]),
  ]);
}

/** A commit at the border of what is held looks as though it had made every line that is older, so history comes until none does. */
async function blame(request: GitReadsRequest, { path, rev = "HEAD", start = 1, end }: BlameRequest): Promise<string> {
  const { store } = request;
  if (end !== undefined && end < start) throw new NoAnswer(`Lines ${start} to ${end} are no range.`);
  const sha = await resolve(request, rev, 1);
  const asked = [...PLAIN.slice(0, 2), `-L${start},${end ?? ""}`, sha, "--", pathspec(path)];
  await deepenUntil(request, { sha }, async () => {
    const border = await shallowCommits(store.gitDir);
    if (border.size === 0) return 0;
    const lines = await store.git.text(["blame", "--incremental", ...asked], { gitDir: store.gitDir });
    return lines.split("\n").some((line) => border.has(line.slice(0, 40))) ? 1 : 0;
  });
  return print(request, ["blame", "--root", "--date=short", "--abbrev=9", ...asked]);
}

/**
 * The commit that a revision names: `HEAD`, a commit id, either with `~n` and `^n`. Branch and tag names mean nothing here, since the
 * store pins commits and what a name points to may have moved. `generations` commits from it on are brought.
 */
async function resolve(request: GitReadsRequest, rev: string, generations: number): Promise<string> {
  const { git, gitDir } = request.store;
  const parts = /^(?<start>HEAD|@|[0-9a-f]{4,40})(?<steps>(?:[~^]\d{0,4})*)$/i.exec(rev.trim())?.groups;
  if (parts === undefined) {
    throw new NoAnswer(`${JSON.stringify(rev)} is no revision that is known here; use HEAD, HEAD~n or a commit id.`);
  }
  const start = (parts["start"] ?? "").toLowerCase();
  const steps = parts["steps"] ?? "";
  const named = start === "head" || start === "@" ? request.commit : start;
  const first = await startingCommit(request, named);
  if (first === undefined) throw new NoAnswer(`No commit ${named} is known here.`);
  const back = [...steps.matchAll(/~(\d*)|\^\d*/g)].reduce((sum, [, count]) => sum + (count === undefined ? 1 : Number(count || 1)), 0);
  await ensureHistory(request, { sha: first, count: back + generations - 1 });
  const found = (
    await git.text(["rev-parse", "--quiet", "--verify", `${first}${steps}^{commit}`], { gitDir, exitCodes: [0, 1, 128] })
  ).trim();
  if (!isObjectId(found)) throw new NoAnswer(`${rev} goes back before the first commit.`);
  return found;
}

async function startingCommit({ store, remote, commit }: GitReadsRequest, named: string): Promise<string | undefined> {
  const { git, gitDir } = store;
  const held = async (): Promise<string> =>
    (await git.text(["rev-parse", "--quiet", "--verify", `${named}^{commit}`], { gitDir, exitCodes: [0, 1, 128] })).trim();
  const first = await held();
  if (isObjectId(first)) return first;
  if (remote === undefined) return undefined;
  if (isObjectId(named)) return (await store.fetchCommit({ remote, sha: named })).commit;
  // A short id can be found only among all commits.
  await ensureHistory({ store, remote }, { sha: commit, count: Number.MAX_SAFE_INTEGER });
  const second = await held();
  return isObjectId(second) ? second : undefined;
}

function pathspec(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, "");
  if (plain === "." || plain === "") return ".";
  const verdict = judgePath(plain);
  if (!verdict.ok) throw new NoAnswer(verdict.why);
  return verdict.path;
}

async function print({ store }: GitReadsRequest, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const bytes = await store.git.run(args, { gitDir: store.gitDir, env, maxBytes: LONGEST_ANSWER, cut: true });
  const text = bytes.toString("utf8");
  return bytes.length < LONGEST_ANSWER ? text : `${text}\n[cut after ${LONGEST_ANSWER} bytes]\n`;
}
