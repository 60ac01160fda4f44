import { describe, expect, test } from "vitest";
import type { ChangeSet } from "../../../src/core/change-set.ts";
import type { Commit, Operation, OpenPullRequest } from "../../../src/core/operation.ts";
import { findCommit, fitsGraphql } from "../../../src/github/commit.ts";
import { perform } from "../../../src/github/writer.ts";
import { ABC, BASE, blob, changeSet, MODES, PLAIN, TIP, TREE } from "./change-sets.ts";
import type { Answer, Arrived, Loopback } from "./loopback.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn } from "./loopback.ts";

const COMMIT: Commit = { kind: "commit", repository: REPOSITORY, branch: "fix", message: "Fix", changes: PLAIN };
const PULL: OpenPullRequest = { ...COMMIT, kind: "open-pull-request", base: "main", title: "T", body: "B", draft: false };
const GRAPHQL_DONE = { data: { createCommitOnBranch: { commit: { oid: TIP, tree: { oid: TREE }, signature: { isValid: true } } } } };

type Handler = (request: Arrived) => Answer | undefined;
/** A GitHub with a branch that stands at `tip` and these commits; `handle` comes first. */
function repository({
  tip,
  commits = {},
  handle = () => undefined,
}: {
  tip?: string;
  commits?: Record<string, { tree: string; parent: string }>;
  handle?: Handler;
}) {
  return loopback((request) => {
    const handled = handle(request);
    if (handled !== undefined) return handled;
    const { path } = request;
    if (path.includes("/git/ref/heads"))
      return tip === undefined
        ? { status: 404, body: { message: "Not Found" } }
        : { status: 200, body: { ref: "refs/heads/fix", object: { sha: tip } } };
    const [, sha = ""] = /\/git\/commits\/(.+)$/.exec(path) ?? [];
    const commit = commits[sha];
    if (commit !== undefined) return { status: 200, body: { sha, tree: { sha: commit.tree }, parents: [{ sha: commit.parent }] } };
    return { status: 404, body: { message: "Not Found" } };
  });
}
async function performed(github: Loopback, operation: Operation) {
  const ledger = fakeLedger();
  const outcome = await perform(operation, {
    session: sessionOn(github.baseUrl, ledger),
    mint: ledger.mint,
    once: (step) => step.send(),
  }).catch((error: unknown) => error);
  return { outcome, writes: github.lines().filter((line) => !line.startsWith("GET")) };
}
const errors = (...messages: string[]) => ({
  message: "Validation Failed",
  errors: messages.map((message) => ({ code: "custom", message })),
});

describe("which way a change set goes", () => {
  const folder = (...changes: Parameters<typeof changeSet>[0]) => changeSet(changes);
  test.for<readonly [string, ChangeSet, boolean]>([
    ["plain files", PLAIN, true],
    ["no files", folder(), true],
    ["a file that becomes executable", MODES, false],
    ["an executable that is edited", folder({ path: "a", before: blob("1", "100755"), after: blob("2", "100755") }), false],
    ["an executable that is deleted", folder({ path: "a", before: blob("1", "100755") }), false],
    ["bytes that only the base holds", { ...folder({ path: "a", after: blob("2") }), blobs: new Map() }, false],
    ["a file that becomes a folder", folder({ path: "a", before: blob("1") }, { path: "a/b", after: blob("2") }), false],
    ["a folder that becomes a file", folder({ path: "a", after: blob("2") }, { path: "a/b", before: blob("1") }), false],
    ["names that only begin alike", folder({ path: "a", before: blob("1") }, { path: "ab/c", after: blob("2") }), true],
    [
      "more than 20 MB",
      folder({ path: "a", after: { ...blob("2"), size: 12e6 } }, { path: "b", after: { ...blob("3"), size: 12e6 } }),
      false,
    ],
  ])("%s", ([, changes, expected]) => {
    expect(fitsGraphql(changes)).toBe(expected);
  });
});

describe("a commit is known again", () => {
  const OURS = { tree: TREE, parent: BASE.commit };
  test.for<readonly [string, Parameters<typeof repository>[0], string | undefined]>([
    ["at the tip", { tip: TIP, commits: { [TIP]: OURS } }, TIP],
    ["under somebody's later commit", { tip: "f1", commits: { f1: { tree: "x", parent: TIP }, [TIP]: OURS } }, TIP],
    ["not when the branch stands at the base", { tip: BASE.commit }, undefined],
    ["not when the branch is gone", {}, undefined],
    [
      "not with another tree",
      { tip: TIP, commits: { [TIP]: { ...OURS, tree: "x" }, [BASE.commit]: { tree: BASE.tree, parent: "0" } } },
      undefined,
    ],
    ["not on another base", { tip: TIP, commits: { [TIP]: { ...OURS, parent: "a1" }, a1: { tree: "y", parent: BASE.commit } } }, undefined],
  ])("%s", async ([, state, expected]) => {
    await using github = await repository(state);
    expect(await findCommit(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY, "fix", PLAIN)).toBe(expected);
  });

  test("within a few steps, not through a whole history", async () => {
    const commits = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`c${index}`, { tree: "x", parent: `c${index + 1}` }]));
    await using github = await repository({ tip: "c0", commits });
    expect(await findCommit(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY, "fix", PLAIN)).toBeUndefined();
    expect(github.requests.length).toBeLessThan(15);
  });
});

describe("a commit", () => {
  test.for([
    ["GraphQL", PLAIN, "POST /graphql"],
    ["REST", MODES, "PATCH /repos/acme/app/git/refs/heads/fix"],
  ] as const)("by %s whose answer was lost is found by its tree and parent, not made twice", async ([, changes, last]) => {
    const state = { tip: BASE.commit, commits: { [TIP]: { tree: TREE, parent: BASE.commit } } };
    await using github = await repository({
      commits: state.commits,
      handle: ({ method, path }) => {
        if (`${method} ${path}` === last) {
          state.tip = TIP;
          return { status: 502 };
        }
        if (path.includes("/git/ref/heads")) return { status: 200, body: { ref: "refs/heads/fix", object: { sha: state.tip } } };
        if (path.endsWith("/git/blobs")) return { status: 201, body: { sha: ABC } };
        if (path.endsWith("/git/trees")) return { status: 201, body: { sha: TREE } };
        return path.endsWith("/git/commits") ? { status: 201, body: { sha: TIP } } : undefined;
      },
    });
    const { outcome, writes } = await performed(github, { ...COMMIT, changes });
    expect(outcome).toEqual({ operation: "commit", sha: TIP, branch: "fix" });
    expect(writes.filter((line) => line === last)).toHaveLength(1);
  });

  test("that GraphQL answers without a tree is read back and compared", async () => {
    const answer = { data: { createCommitOnBranch: { commit: { oid: TIP } } } };
    await using good = await repository({
      commits: { [TIP]: { tree: TREE, parent: BASE.commit } },
      handle: ({ path }) => (path === "/graphql" ? { status: 200, body: answer } : undefined),
    });
    expect((await performed(good, COMMIT)).outcome).toMatchObject({ sha: TIP });
    await using bad = await repository({
      commits: { [TIP]: { tree: "x", parent: BASE.commit } },
      handle: ({ path }) => (path === "/graphql" ? { status: 200, body: answer } : undefined),
    });
    expect((await performed(bad, COMMIT)).outcome).toMatchObject({ code: "tree-mismatch" });
  });

  test("whose tree GitHub builds otherwise stops before the branch moves", async () => {
    await using github = await repository({
      handle: ({ path }) => ({ status: 201, body: { sha: path.endsWith("/git/blobs") ? ABC : "9".repeat(40) } }),
    });
    const { outcome, writes } = await performed(github, { ...COMMIT, changes: MODES });
    expect(outcome).toMatchObject({ code: "tree-mismatch" });
    expect(writes).toEqual(["POST /repos/acme/app/git/blobs", "POST /repos/acme/app/git/trees"]);
  });

  test.for([
    [
      "by GraphQL",
      PLAIN,
      {
        status: 200,
        body: { data: null, errors: [{ type: "STALE_DATA", message: 'Expected branch to point to "b" but it points to "c"' }] },
      },
    ],
    ["by REST", MODES, { status: 422, body: { message: "Update is not a fast forward" } }],
  ] as const)("%s on a branch that has moved is refused once, and nothing is forced", async ([, changes, refusal]) => {
    await using github = await repository({
      handle: ({ method, path }) => {
        if (path.endsWith("/git/blobs")) return { status: 201, body: { sha: ABC } };
        if (path.endsWith("/git/trees")) return { status: 201, body: { sha: TREE } };
        if (path.endsWith("/git/commits")) return { status: 201, body: { sha: TIP } };
        return method === "PATCH" || path === "/graphql" ? refusal : undefined;
      },
    });
    const { outcome } = await performed(github, { ...COMMIT, changes });
    expect(outcome).toMatchObject({ code: "branch-moved" });
    expect(github.requests.filter(({ method, path }) => method === "PATCH" || path === "/graphql")).toHaveLength(1);
  });

  test.for([
    ["without the permission", "Resource not accessible by integration", "missing-permission", 2],
    ["to a repository that is gone", "Could not resolve to a Repository with the name 'acme/app'.", "not-found", 1],
  ] as const)("%s fails with what that means", async ([, message, code, sends]) => {
    await using github = await repository({ handle: () => ({ status: 200, body: { data: null, errors: [{ message }] } }) });
    const { outcome, writes } = await performed(github, COMMIT);
    expect(outcome).toMatchObject({ code });
    expect(writes).toHaveLength(sends);
  });
});

describe("a pull request", () => {
  /** Everything goes well but for what `handle` says. */
  const otherwise = (handle: Handler) =>
    repository({
      handle: (request) =>
        handle(request) ??
        (request.path === "/graphql"
          ? { status: 200, body: GRAPHQL_DONE }
          : request.method === "POST"
            ? { status: 201, body: request.path.endsWith("/pulls") ? { number: 9, html_url: "u" } : { ref: "refs/heads/fix" } }
            : undefined),
    });
  const there = {
    number: 52,
    html_url: "u52",
    state: "open",
    title: "T",
    body: "",
    user: null,
    head: { ref: "fix", sha: TIP, repo: { id: 7 } },
    base: { ref: "main", sha: "b", repo: { id: 7 } },
  };

  test.for([
    ["a branch that exists", "/git/refs", { message: "Reference already exists" }, "reference-exists"],
    ["no difference", "/pulls", errors("No commits between main and fix"), "no-commits-between"],
    [
      "drafts that the plan does not have",
      "/pulls",
      { message: "Draft pull requests are not supported in this repository." },
      "draft-not-supported",
    ],
    ["a body that is too long", "/pulls", errors("body is too long (maximum is 65536 characters)"), "body-too-long"],
  ] as const)("refused for %s says so, after one try", async ([, at, body, code]) => {
    await using github = await otherwise(({ method, path }) =>
      method === "POST" && path.endsWith(at) ? { status: 422, body } : undefined,
    );
    const { outcome, writes } = await performed(github, PULL);
    expect(outcome).toMatchObject({ code, status: 422 });
    expect(writes.filter((line) => line.endsWith(at))).toHaveLength(1);
  });

  test.for([
    ["that exists already", { status: 422, body: errors("A pull request already exists for acme:fix.") }],
    ["whose answer was lost", { status: 502 }],
  ] as const)("%s is the one that was wanted", async ([, answer]) => {
    await using github = await otherwise(({ method, path }) => {
      if (method === "POST" && path.endsWith("/pulls")) return answer;
      const other = { ...there, number: 60, base: { ...there.base, ref: "release" } };
      return path.includes("/pulls?") ? { status: 200, body: [other, { ...there, number: 53, state: "closed" }, there] } : undefined;
    });
    const { outcome, writes } = await performed(github, PULL);
    expect(outcome).toMatchObject({ operation: "open-pull-request", id: 52, url: "u52", branch: "fix", sha: TIP });
    expect(writes.filter((line) => line.endsWith("/pulls"))).toHaveLength(1);
  });

  test.for([
    ["stands at the base", BASE.commit, true],
    ["stands at our commit", TIP, true],
    ["is somebody else's", "5".repeat(40), false],
  ] as const)("a branch whose creation was lost and that %s", async ([, tip, isOurs]) => {
    await using github = await repository({
      tip,
      commits: { [TIP]: { tree: TREE, parent: BASE.commit }, ["5".repeat(40)]: { tree: "x", parent: "6" } },
      handle: ({ method, path }) => {
        if (path.endsWith("/git/refs"))
          return github.lines().filter((line) => line.endsWith("/git/refs")).length === 1
            ? { status: 502 }
            : { status: 422, body: { message: "Reference already exists" } };
        if (path === "/graphql") return { status: 200, body: GRAPHQL_DONE };
        return method === "POST" ? { status: 201, body: { number: 9, html_url: "u" } } : undefined;
      },
    });
    const { outcome } = await performed(github, PULL);
    expect(outcome).toMatchObject(isOurs ? { id: 9 } : { code: "reference-exists" });
  });
});
