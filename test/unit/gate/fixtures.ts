import type { ChangeSet, FileChange, FileMode } from "../../../src/core/change-set.ts";
import { silent } from "../../../src/core/log.ts";
import type {
  CheckRun,
  Comment,
  Commit,
  DeletePendingReview,
  UploadSarif,
  EditOwnComment,
  OpenPullRequest,
  Operation,
  Reaction,
  ResolveThread,
  Review,
  WorkspaceWrite,
} from "../../../src/core/operation.ts";
import type { Finding } from "../../../src/core/result.ts";
import type { RunView } from "../../../src/core/run.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../src/gate/create-gate.ts";
import { blobId } from "../../../src/gate/git-blob.ts";
import type { Judged } from "../../../src/gate/judged.ts";
import { createLedger } from "../../../src/gate/mint.ts";
import { defaultPolicy } from "../../../src/gate/policy.ts";
import type { GateRule } from "../../../src/gate/rule.ts";
import type { RunScope } from "../../../src/gate/scope.ts";

export const run: RunView = { id: "run-1", repository: { owner: "acme", name: "app" }, trigger: "mention" };
export const repository = { id: 7, owner: "acme", name: "app" };
export const scope: RunScope = {
  repository,
  threads: [12],
  ownComments: [900],
  reactions: [{ kind: "issue-comment", id: 55 }],
  isOwnBranch: (branch) => branch === "sallyport/12-fix",
  commits: ["a".repeat(40)],
  ownCheckRuns: [700],
  pendingReviews: [800],
  ownConversation: { commentId: 71, threadId: "PRRT_kwDOAbc" },
  heads: ["feature/person"],
  bases: ["main"],
  codeScanning: true,
  actor: { id: 5, login: "maria", isBot: false },
  made: { pullRequests: 0, comments: 0 },
};

export interface Side {
  readonly before?: string | Uint8Array;
  readonly after?: string | Uint8Array;
  readonly mode?: FileMode;
  readonly modeBefore?: FileMode;
  readonly movedFrom?: string;
}

/** The base tree of the fixtures. */
const PATHS = ["README.md", ...Array.from({ length: 19 }, (_, index) => `src/${index}.ts`)];

/** A change set from texts by path: only `after` adds, only `before` deletes, both change. */
function changeSet(sides: Readonly<Record<string, Side>>): ChangeSet {
  const blobs = new Map<string, Uint8Array>();
  const before = new Map<string, Uint8Array>();
  const refer = (into: Map<string, Uint8Array>, content: string | Uint8Array, mode: FileMode = "100644") => {
    const bytes = Buffer.from(content);
    into.set(blobId(bytes), bytes);
    return { sha: blobId(bytes), mode, size: bytes.length };
  };
  const changes: FileChange[] = Object.keys(sides)
    .sort()
    .map((path) => {
      const { before: old, after, mode, modeBefore, movedFrom } = sides[path] ?? {};
      return {
        path,
        ...(old !== undefined && { before: refer(before, old, modeBefore) }),
        ...(after !== undefined && { after: refer(blobs, after, mode) }),
        ...(movedFrom !== undefined && { movedFrom }),
      };
    });
  return { base: { commit: "b".repeat(40), tree: "c".repeat(40) }, tree: "d".repeat(40), changes, blobs, before };
}

export const comment = (body = "Done.", more: Partial<Comment> = {}): Comment => ({
  kind: "comment",
  repository,
  thread: { kind: "issue", number: 12 },
  body,
  ...more,
});
export const edit = (body = "Done.", more: Partial<EditOwnComment> = {}): EditOwnComment => ({
  kind: "edit-own-comment",
  repository,
  thread: { kind: "issue", number: 12 },
  commentId: 900,
  body,
  ...more,
});
export const reaction = (more: Partial<Reaction> = {}): Reaction => ({
  kind: "reaction",
  repository,
  target: { kind: "issue-comment", id: 55 },
  content: "eyes",
  ...more,
});
export const checkRun = (more: Partial<CheckRun> = {}): CheckRun => ({
  kind: "check-run",
  repository,
  name: "sallyport",
  headSha: "a".repeat(40),
  status: "completed",
  conclusion: "neutral",
  title: "Read",
  summary: "Two files were read.",
  annotations: [{ path: "src/a.ts", startLine: 3, endLine: 4, level: "warning", message: "This never ends." }],
  externalId: "run-1/check",
  ...more,
});
export const review = (more: Partial<Review> = {}): Review => ({
  kind: "review",
  repository,
  number: 12,
  commitId: "a".repeat(40),
  body: "Two remarks.",
  comments: [
    { path: "src/a.ts", line: 4, side: "RIGHT", startLine: 3, body: "This never ends." },
    { path: "src/b.ts", line: 9, side: "LEFT", body: "Why did this go?" },
  ],
  ...more,
});
export const uploadSarif = (more: Partial<UploadSarif> = {}): UploadSarif => ({
  kind: "upload-sarif",
  repository,
  number: 12,
  headSha: "a".repeat(40),
  sarif: '{"version":"2.1.0","runs":[]}',
  ...more,
});
export const deletePending = (more: Partial<DeletePendingReview> = {}): DeletePendingReview => ({
  kind: "delete-pending-review",
  repository,
  number: 12,
  reviewId: 800,
  ...more,
});
export const resolveThread = (more: Partial<ResolveThread> = {}): ResolveThread => ({
  kind: "resolve-thread",
  repository,
  number: 12,
  commentId: 71,
  threadId: "PRRT_kwDOAbc",
  ...more,
});
export const commit = (sides: Readonly<Record<string, Side>> = { "src/a.ts": { after: "new\n" } }, more: Partial<Commit> = {}): Commit => ({
  kind: "commit",
  repository,
  branch: "sallyport/12-fix",
  message: "Fix it\n\nBecause.",
  changes: changeSet(sides),
  ...more,
});
export const openPull = (
  sides: Readonly<Record<string, Side>> = { "src/a.ts": { before: "old\n", after: "new\n" }, "src/b.ts": { before: "gone\n" } },
  more: Partial<OpenPullRequest> = {},
): OpenPullRequest => ({
  kind: "open-pull-request",
  repository,
  branch: "sallyport/12-fix",
  base: "main",
  title: "Fix it",
  body: "It works now.\n\nCloses #12",
  draft: false,
  message: "Fix it",
  changes: changeSet(sides),
  ...more,
});
export const write = (path: string, after: string | Uint8Array | undefined = "x", before?: string | Uint8Array): WorkspaceWrite => ({
  kind: "workspace-write",
  path,
  ...(after !== undefined && { after: Buffer.from(after) }),
  ...(before !== undefined && { before: Buffer.from(before) }),
});
export const deletion = (path: string, before = "x"): WorkspaceWrite => ({ kind: "workspace-write", path, before: Buffer.from(before) });

export function gateWith(options: Partial<GateOptions> = {}) {
  return createGate({ policy: defaultPolicy, scope: () => scope, ledger: createLedger(), log: silent, basePaths: () => PATHS, ...options });
}

/** One rule's findings as `severity`, or `severity path`, in order. */
export async function ask(rule: GateRule, judged: Judged): Promise<readonly Finding[]> {
  return rule.applies.includes(judged.kind) ? rule.check(judged, run) : [];
}
export const severities = (findings: readonly Finding[]): readonly string[] => findings.map(({ severity }) => severity);

/** One operation of every kind, each allowed by the default rules. */
export const everyKind: readonly Operation[] = [
  comment(),
  edit(),
  reaction(),
  checkRun(),
  uploadSarif(),
  review(),
  deletePending(),
  resolveThread(),
  commit(),
  openPull(),
];

/** A made-up token body that no stand-in check takes for one; fixed, so a failure repeats, and never in one piece in a file. */
export function filler(length: number, alphabet = "qZ7wE2rT9yU4iO1pA6sD3fG8hJ5kL0zXcVbNmQeWtYuIoPaSdFgHjKlxCvBnM"): string {
  return Array.from({ length }, (_, index) => alphabet[(index * 17 + ((index * index) % 13)) % alphabet.length]).join("");
}
