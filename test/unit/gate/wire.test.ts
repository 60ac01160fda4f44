import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CREATE_COMMIT } from "../../../src/core/commit-document.ts";
import type { Commit, Operation, OpenPullRequest } from "../../../src/core/operation.ts";
import type { WireRequest } from "../../../src/core/pass.ts";
import { RESOLVE_THREAD } from "../../../src/core/resolve-document.ts";
import { packSarif } from "../../../src/text/packed-sarif.ts";
import { freezeOperation } from "../../../src/gate/freeze.ts";
import { blobId } from "../../../src/gate/git-blob.ts";
import { checkRequest } from "../../../src/gate/wire.ts";
import {
  checkRun,
  comment,
  commit,
  deletePending,
  edit,
  everyKind,
  openPull,
  reaction,
  resolveThread,
  review,
  uploadSarif,
} from "./fixtures.ts";

const REPO = "/repos/acme/app";
const SHA = "f".repeat(40);
const send = (method: string, path: string, body: unknown): WireRequest => ({ method, path, body: JSON.stringify(body) });
const isMinted = (operation: Operation, request: WireRequest): boolean =>
  checkRequest(freezeOperation(operation), request, new Set([SHA])).ok;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The mutation that carries an operation's change set, as a writer would build it. */
const mutation = ({ branch, message, changes }: Commit | OpenPullRequest) => {
  const [headline = "", , body] = message.split("\n");
  return {
    query: CREATE_COMMIT,
    variables: {
      input: {
        branch: { repositoryNameWithOwner: "acme/app", branchName: branch },
        expectedHeadOid: changes.base.commit,
        message: { headline, ...(body !== undefined && { body }) },
        fileChanges: {
          additions: changes.changes.flatMap(({ path, after }) =>
            after === undefined ? [] : [{ path, contents: Buffer.from(changes.blobs.get(after.sha) ?? "").toString("base64") }],
          ),
          deletions: changes.changes.filter(({ after }) => after === undefined).map(({ path }) => ({ path })),
        },
      },
    },
  };
};
const tree = ({ changes }: Commit | OpenPullRequest) => ({
  base_tree: changes.base.tree,
  tree: changes.changes.map(({ path, before, after }) => ({ path, mode: (after ?? before)?.mode, type: "blob", sha: after?.sha ?? null })),
});
const resolved = (threadId: string, query: string = RESOLVE_THREAD, more: object = {}): WireRequest =>
  send("POST", "/graphql", { query, variables: { input: { threadId, ...more } } });
const newRef = { ref: "refs/heads/sallyport/12-fix", sha: "b".repeat(40) };
const pull = { title: "Fix it", head: "sallyport/12-fix", base: "main", body: "It works now.\n\nCloses #12", draft: false };
const gitCommit = { message: "Fix it", tree: "d".repeat(40), parents: ["b".repeat(40)] };
const inReview = { kind: "pull-request", number: 12, reviewCommentId: 31 } as const;

const annotations = [{ path: "src/a.ts", start_line: 3, end_line: 4, annotation_level: "warning", message: "This never ends." }];
const output = { title: "Read", summary: "Two files were read.", annotations };
const sentReview = {
  commit_id: "a".repeat(40),
  event: "COMMENT",
  body: "Two remarks.",
  comments: [
    { path: "src/a.ts", line: 4, side: "RIGHT", start_line: 3, start_side: "RIGHT", body: "This never ends." },
    { path: "src/b.ts", line: 9, side: "LEFT", body: "Why did this go?" },
  ],
};
const newCheck = {
  name: "sallyport",
  head_sha: "a".repeat(40),
  external_id: "run-1/check",
  status: "completed",
  conclusion: "neutral",
  output,
};

const sentSarif = { commit_sha: "a".repeat(40), ref: "refs/pull/12/head", sarif: packSarif(uploadSarif().sarif) };

/** Every request of every operation, by a name for people. */
const REQUESTS: readonly [string, Operation, WireRequest][] = [
  ["a comment", comment("Hi"), send("POST", `${REPO}/issues/12/comments`, { body: "Hi" })],
  ["a reply in a review thread", comment("Hi", { thread: inReview }), send("POST", `${REPO}/pulls/12/comments/31/replies`, { body: "Hi" })],
  ["an edit", edit("Hi"), send("PATCH", `${REPO}/issues/comments/900`, { body: "Hi" })],
  ["an edit in a review thread", edit("Hi", { thread: inReview }), send("PATCH", `${REPO}/pulls/comments/900`, { body: "Hi" })],
  ["eyes on an issue", reaction({ target: { kind: "issue", id: 12 } }), send("POST", `${REPO}/issues/12/reactions`, { content: "eyes" })],
  ["eyes on a comment", reaction(), send("POST", `${REPO}/issues/comments/55/reactions`, { content: "eyes" })],
  [
    "eyes on a review comment",
    reaction({ target: { kind: "review-comment", id: 55 } }),
    send("POST", `${REPO}/pulls/comments/55/reactions`, { content: "eyes" }),
  ],
  ["a check run", checkRun(), send("POST", `${REPO}/check-runs`, newCheck)],
  [
    "another state of a check run",
    checkRun({
      checkRunId: 700,
      status: "in_progress",
      conclusion: undefined,
      text: "More.",
      detailsUrl: "https://bot.example/runs/1",
    } as never),
    send("PATCH", `${REPO}/check-runs/700`, {
      status: "in_progress",
      details_url: "https://bot.example/runs/1",
      output: { ...output, text: "More." },
    }),
  ],
  ["an upload to code scanning", uploadSarif(), send("POST", `${REPO}/code-scanning/sarifs`, sentSarif)],
  ["a review", review(), send("POST", `${REPO}/pulls/12/reviews`, sentReview)],
  ["the end of a conversation", resolveThread(), resolved("PRRT_kwDOAbc")],
  ["the end of an unsubmitted review", deletePending(), { method: "DELETE", path: `${REPO}/pulls/12/reviews/800`, body: "" }],
  ["a commit by mutation", commit(), send("POST", "/graphql", mutation(commit()))],
  ["a blob", commit({ "a.ts": { after: "new\n" } }), send("POST", `${REPO}/git/blobs`, { content: base64("new\n"), encoding: "base64" })],
  ["a tree", openPull(), send("POST", `${REPO}/git/trees`, tree(openPull()))],
  ["a commit by parts", openPull(), send("POST", `${REPO}/git/commits`, gitCommit)],
  ["a move of the branch", commit(), send("PATCH", `${REPO}/git/refs/heads/sallyport/12-fix`, { sha: SHA, force: false })],
  ["the same as Octokit spells it", commit(), send("PATCH", `${REPO}/git/refs/heads%2Fsallyport%2F12-fix`, { sha: SHA, force: false })],
  ["a new branch", openPull(), send("POST", `${REPO}/git/refs`, newRef)],
  ["a new branch for a commit", commit(undefined, { createsBranch: true }), send("POST", `${REPO}/git/refs`, newRef)],
  ["a pull request's commit by mutation", openPull(), send("POST", "/graphql", mutation(openPull()))],
  ["a pull request", openPull(), send("POST", `${REPO}/pulls`, pull)],
  ["a pull request of an earlier branch", openPull({}, { branchExists: true }), send("POST", `${REPO}/pulls`, pull)],
];

describe("a pass is minted for", () => {
  it.each(REQUESTS)("%s", (_, operation, request) => {
    expect(checkRequest(freezeOperation(operation), request, new Set([SHA]))).toEqual({ ok: true });
  });

  it("a mutation without deletions, and one without additions", () => {
    const added = commit({ "a.ts": { after: "x" } });
    const { query, variables } = mutation(added);
    const { additions } = variables.input.fileChanges;
    expect(
      isMinted(added, send("POST", "/graphql", { query, variables: { input: { ...variables.input, fileChanges: { additions } } } })),
    ).toBe(true);
  });

  it("a branch with characters that a path must escape", () => {
    const request = send("PATCH", `${REPO}/git/refs/heads/fix%23%25/%C3%A9`, { sha: SHA, force: false });
    expect(isMinted(commit(undefined, { branch: "fix#%/é" }), request)).toBe(true);
  });
});

describe("no pass is minted for", () => {
  const nested = commit({ "a.ts": { after: "x" }, "b.ts": { before: "y" } });
  const input = mutation(nested).variables.input;
  const graph = (change: object, query: string = CREATE_COMMIT): WireRequest =>
    send("POST", "/graphql", { query, variables: { input: { ...input, ...change } } });
  const files = (additions: readonly unknown[], deletions: readonly unknown[] = input.fileChanges.deletions) =>
    graph({ fileChanges: { additions, deletions } });
  const parts = tree(openPull());

  it.each<[string, Operation, WireRequest]>([
    ["a comment on another thread", comment("Hi"), send("POST", `${REPO}/issues/13/comments`, { body: "Hi" })],
    ["a comment in another repository", comment("Hi"), send("POST", "/repos/acme/secret/issues/12/comments", { body: "Hi" })],
    ["a comment by another method", comment("Hi"), send("PUT", `${REPO}/issues/12/comments`, { body: "Hi" })],
    ["a method in lower case", comment("Hi"), send("post", `${REPO}/issues/12/comments`, { body: "Hi" })],
    ["a query behind the path", comment("Hi"), send("POST", `${REPO}/issues/12/comments?x=1`, { body: "Hi" })],
    ["a path with dot segments", comment("Hi"), send("POST", `${REPO}/pulls/../issues/12/comments`, { body: "Hi" })],
    ["other words", comment("Hi"), send("POST", `${REPO}/issues/12/comments`, { body: "Ho" })],
    ["one more field", comment("Hi"), send("POST", `${REPO}/issues/12/comments`, { body: "Hi", in_reply_to: 1 })],
    ["a field twice", comment("Hi"), { method: "POST", path: `${REPO}/issues/12/comments`, body: '{"body":"Ho","body":"Hi"}' }],
    ["a prototype as a field", comment("Hi"), { method: "POST", path: `${REPO}/issues/12/comments`, body: '{"body":"Hi","__proto__":{}}' }],
    ["JSON with blanks", comment("Hi"), { method: "POST", path: `${REPO}/issues/12/comments`, body: '{ "body": "Hi" }' }],
    ["no JSON", comment("Hi"), { method: "POST", path: `${REPO}/issues/12/comments`, body: "Hi" }],
    ["a list", comment("Hi"), send("POST", `${REPO}/issues/12/comments`, [{ body: "Hi" }])],
    ["an edit of somebody's comment", edit("Hi"), send("PATCH", `${REPO}/issues/comments/901`, { body: "Hi" })],
    ["another reaction", reaction(), send("POST", `${REPO}/issues/comments/55/reactions`, { content: "+1" })],
    ["a check run on another commit", checkRun(), send("POST", `${REPO}/check-runs`, { ...newCheck, head_sha: SHA })],
    ["a check run with another end", checkRun(), send("POST", `${REPO}/check-runs`, { ...newCheck, conclusion: "success" })],
    ["a check run with a button", checkRun(), send("POST", `${REPO}/check-runs`, { ...newCheck, actions: [] })],
    ["a state of another check run", checkRun({ checkRunId: 700 }), send("PATCH", `${REPO}/check-runs/701`, { status: "completed" })],
    ["a review that approves", review(), send("POST", `${REPO}/pulls/12/reviews`, { ...sentReview, event: "APPROVE" })],
    ["a review that stays a draft", review(), send("POST", `${REPO}/pulls/12/reviews`, { ...sentReview, event: undefined })],
    ["a review of another commit", review(), send("POST", `${REPO}/pulls/12/reviews`, { ...sentReview, commit_id: SHA })],
    ["a review with a remark less", review(), send("POST", `${REPO}/pulls/12/reviews`, { ...sentReview, comments: [] })],
    ["a review of another pull request", review(), send("POST", `${REPO}/pulls/13/reviews`, sentReview)],
    ["an upload about another commit", uploadSarif(), send("POST", `${REPO}/code-scanning/sarifs`, { ...sentSarif, commit_sha: SHA })],
    ["an upload about a branch", uploadSarif(), send("POST", `${REPO}/code-scanning/sarifs`, { ...sentSarif, ref: "refs/heads/main" })],
    [
      "an upload of something else",
      uploadSarif(),
      send("POST", `${REPO}/code-scanning/sarifs`, { ...sentSarif, sarif: packSarif('{"version":"2.1.0","runs":[{}]}') }),
    ],
    [
      "an upload that carries more behind what it packs",
      uploadSarif(),
      send("POST", `${REPO}/code-scanning/sarifs`, {
        ...sentSarif,
        sarif: Buffer.concat([Buffer.from(sentSarif.sarif, "base64"), Buffer.from("more")]).toString("base64"),
      }),
    ],
    ["an upload with a field more", uploadSarif(), send("POST", `${REPO}/code-scanning/sarifs`, { ...sentSarif, tool_name: "CodeQL" })],
    ["the end of another conversation", resolveThread(), resolved("PRRT_kwDOAbd")],
    ["a conversation that is opened again", resolveThread(), resolved("PRRT_kwDOAbc", RESOLVE_THREAD.replace("resolveR", "unresolveR"))],
    [
      "two conversations at once",
      resolveThread(),
      resolved("PRRT_kwDOAbc", RESOLVE_THREAD.replace("{ thread", "{ thread { id } more: thread")),
    ],
    ["a conversation with a field more", resolveThread(), resolved("PRRT_kwDOAbc", RESOLVE_THREAD, { clientMutationId: "x" })],
    ["the end of a conversation in place of a comment", comment(), resolved("PRRT_kwDOAbc")],
    ["the end of another review", deletePending(), { method: "DELETE", path: `${REPO}/pulls/12/reviews/801`, body: "" }],
    ["the end of a review with a body", deletePending(), send("DELETE", `${REPO}/pulls/12/reviews/800`, {})],
    ["an approval of what it would delete", deletePending(), send("POST", `${REPO}/pulls/12/reviews/800/events`, { event: "APPROVE" })],
    ["a comment without a body", comment("Hi"), { method: "POST", path: `${REPO}/issues/12/comments`, body: "" }],
    ["a merge", openPull(), send("PUT", `${REPO}/pulls/12/merge`, {})],
    ["an approval", openPull(), send("POST", `${REPO}/pulls/12/reviews`, { event: "APPROVE" })],
    ["a deletion of the branch", openPull(), { method: "DELETE", path: `${REPO}/git/refs/heads/sallyport/12-fix`, body: "" }],
    ["another branch", openPull(), send("POST", `${REPO}/git/refs`, { ...newRef, ref: "refs/heads/main" })],
    ["a tag", openPull(), send("POST", `${REPO}/git/refs`, { ...newRef, ref: "refs/tags/sallyport/12-fix" })],
    ["a branch at no commit", openPull(), send("POST", `${REPO}/git/refs`, { ...newRef, sha: "main" })],
    ["a branch at another commit than the judged base", openPull(), send("POST", `${REPO}/git/refs`, { ...newRef, sha: SHA })],
    ["a new branch where one exists", commit(), send("POST", `${REPO}/git/refs`, newRef)],
    ["a new branch for a pull request whose branch exists", openPull({}, { branchExists: true }), send("POST", `${REPO}/git/refs`, newRef)],
    ["a forced move", commit(), send("PATCH", `${REPO}/git/refs/heads/sallyport/12-fix`, { sha: SHA, force: true })],
    ["a move that leaves force open", commit(), send("PATCH", `${REPO}/git/refs/heads/sallyport/12-fix`, { sha: SHA })],
    ["a move of the main branch", commit(), send("PATCH", `${REPO}/git/refs/heads/main`, { sha: SHA, force: false })],
    ["a pull request against another base", openPull(), send("POST", `${REPO}/pulls`, { ...pull, base: "release" })],
    ["a pull request from a fork's branch", openPull(), send("POST", `${REPO}/pulls`, { ...pull, head: "evil:sallyport/12-fix" })],
    ["a pull request that maintainers may change", openPull(), send("POST", `${REPO}/pulls`, { ...pull, maintainer_can_modify: true })],
    ["a ready pull request for a draft", openPull(undefined, { draft: true }), send("POST", `${REPO}/pulls`, pull)],
    ["a blob that is not in the change", commit(), send("POST", `${REPO}/git/blobs`, { content: base64("other"), encoding: "base64" })],
    ["a blob as text", commit({ a: { after: "x" } }), send("POST", `${REPO}/git/blobs`, { content: "x", encoding: "utf-8" })],
    [
      "base64 in a second spelling",
      commit({ a: { after: "x" } }),
      send("POST", `${REPO}/git/blobs`, { content: "eA", encoding: "base64" }),
    ],
    ["a tree on another base", openPull(), send("POST", `${REPO}/git/trees`, { ...parts, base_tree: SHA })],
    ["a tree without a base", openPull(), send("POST", `${REPO}/git/trees`, { tree: parts.tree })],
    ["a tree with a file less", openPull(), send("POST", `${REPO}/git/trees`, { ...parts, tree: parts.tree.slice(1) })],
    ["a tree with a file twice", openPull(), send("POST", `${REPO}/git/trees`, { ...parts, tree: [parts.tree[0], parts.tree[0]] })],
    [
      "a tree with another mode",
      openPull(),
      send("POST", `${REPO}/git/trees`, { ...parts, tree: parts.tree.map((entry) => ({ ...entry, mode: "100755" })) }),
    ],
    [
      "a tree with inline content",
      openPull(),
      send("POST", `${REPO}/git/trees`, { ...parts, tree: parts.tree.map((entry) => ({ ...entry, content: "x" })) }),
    ],
    ["a commit with an author", openPull(), send("POST", `${REPO}/git/commits`, { ...gitCommit, author: { name: "x", email: "x@y.z" } })],
    [
      "a commit with a second parent",
      openPull(),
      send("POST", `${REPO}/git/commits`, { ...gitCommit, parents: [...gitCommit.parents, SHA] }),
    ],
    ["a commit of another tree", openPull(), send("POST", `${REPO}/git/commits`, { ...gitCommit, tree: SHA })],
    ["a commit with nothing in it", openPull({}, { branchExists: true }), send("POST", `${REPO}/git/commits`, gitCommit)],
    ["another mutation", nested, graph({}, "mutation { deleteRef(input: {}) { clientMutationId } }")],
    ["the mutation with an alias", nested, graph({}, CREATE_COMMIT.replace("createCommitOnBranch(", "a: createCommitOnBranch("))],
    ["a mutation on another branch", nested, graph({ branch: { ...input.branch, branchName: "main" } })],
    ["a mutation in another repository", nested, graph({ branch: { ...input.branch, repositoryNameWithOwner: "acme/secret" } })],
    ["a mutation on another head", nested, graph({ expectedHeadOid: SHA })],
    ["a mutation with another message", nested, graph({ message: { headline: "Other" } })],
    ["a mutation with an extra field", nested, graph({ clientMutationId: "x" })],
    ["a mutation with other bytes", nested, files([{ path: "a.ts", contents: base64("z") }])],
    ["a mutation with a file more", nested, files([...input.fileChanges.additions, { path: "c.ts", contents: base64("x") }])],
    ["a mutation with a file under another name", nested, files([{ path: "c.ts", contents: base64("x") }])],
    ["a mutation with a file twice", nested, files([...input.fileChanges.additions, ...input.fileChanges.additions])],
    ["a mutation with a deletion less", nested, files(input.fileChanges.additions, [])],
    ["a mutation with another deletion", nested, files(input.fileChanges.additions, [{ path: "c.ts" }])],
    [
      "a mutation that makes an executable plain",
      commit({ a: { after: "x", mode: "100755" } }),
      send("POST", "/graphql", mutation(commit({ a: { after: "x" } }))),
    ],
    ["a mutation for a text", comment("Hi"), graph({})],
  ])("%s", (_, operation, request) => {
    expect(isMinted(operation, request)).toBe(false);
  });

  it("bytes that a rule has changed after they were judged", () => {
    const frozen = freezeOperation(commit({ "a.ts": { after: "harmless" } }));
    const [bytes] = (frozen.operation as Commit).changes.blobs.values();
    bytes?.set(Buffer.from("harmful!"));
    const id = blobId(Buffer.from("harmless"));
    expect((frozen.operation as Commit).changes.blobs.get(id)).toEqual(new Uint8Array(Buffer.from("harmful!")));
    expect(checkRequest(frozen, send("POST", `${REPO}/git/blobs`, { content: base64("harmful!"), encoding: "base64" }), new Set()).ok).toBe(
      false,
    );
    expect(checkRequest(frozen, send("POST", "/graphql", mutation(frozen.operation as Commit)), new Set()).ok).toBe(false);
  });

  it("random requests to any place, or to the right place with any body", () => {
    const paths = REQUESTS.map(([, , { path }]) => path);
    const method = fc.constantFrom("POST", "PATCH", "PUT", "DELETE", "GET", "post", "");
    const path = fc.oneof(
      fc.constantFrom(...paths),
      fc.webPath(),
      fc.constantFrom(...paths).map((known) => `${known}/`),
      fc.string(),
    );
    const body = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({ body: fc.string(), content: fc.string(), sha: fc.string() }).map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...everyKind), method, path, body, (operation, ...[verb, place, text]) => {
        expect(isMinted(operation, { method: verb, path: place, body: text })).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("a known request with one character changed anywhere", () => {
    const mutate = (text: string, at: number, character: string): string => text.slice(0, at) + character + text.slice(at + 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...REQUESTS),
        fc.nat(),
        fc.string({ minLength: 1, maxLength: 1 }),
        fc.constantFrom("path", "body"),
        (row, seed, character, field) => {
          const [, operation, request] = row;
          const changed = { ...request, [field]: mutate(request[field], seed % request[field].length, character) };
          // A reference may move to any commit: GitHub alone knows the new one's id.
          const isOtherCommit = field === "body" && request.path.includes("/git/refs/");
          fc.pre(changed[field] !== request[field] && !isOtherCommit);
          expect(isMinted(operation, changed)).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});
