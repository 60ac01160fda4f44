import { isDeepStrictEqual } from "node:util";
import nock from "nock";
import { afterEach, expect, test } from "vitest";
import { CREATE_COMMIT } from "../../../src/core/commit-document.ts";
import type { Operation } from "../../../src/core/operation.ts";
import { silent } from "../../../src/core/log.ts";
import type { RunView } from "../../../src/core/run.ts";
import { PASS_HEADER } from "../../../src/core/pass.ts";
import { freezeOperation } from "../../../src/gate/freeze.ts";
import { createLedger, mintFor } from "../../../src/gate/mint.ts";
import { createTokenSession } from "../../../src/github/client.ts";
import type { Once } from "../../../src/github/step.ts";
import { perform } from "../../../src/github/writer.ts";
import { ABC, BASE, changeSet, MODES, PLAIN, TIP, TREE } from "./change-sets.ts";
import type { Arrived } from "./loopback.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn } from "./loopback.ts";

/** A request line and its body. */
type Wire = readonly [string, unknown];

const thread = { kind: "issue", number: 5 } as const;
const pull = {
  kind: "open-pull-request",
  repository: REPOSITORY,
  branch: "sallyport/5-fix",
  base: "main",
  title: "Fix it",
  body: "Closes #5",
  draft: false,
  message: "Fix it\n\nBecause.",
  changes: PLAIN,
} as const;

const input = {
  branch: { repositoryNameWithOwner: "acme/app", branchName: "sallyport/5-fix" },
  expectedHeadOid: BASE.commit,
  message: { headline: "Fix it", body: "Because." },
  fileChanges: { additions: [{ path: "a.ts", contents: "YWJj" }], deletions: [{ path: "gone.ts" }] },
};
const graphqlCommit: Wire = ["POST /graphql", { query: CREATE_COMMIT, variables: { input } }];
const restCommit: readonly Wire[] = [
  ["POST /repos/acme/app/git/blobs", { content: "YWJj", encoding: "base64" }],
  [
    "POST /repos/acme/app/git/trees",
    {
      base_tree: BASE.tree,
      tree: [
        { path: "run.sh", mode: "100755", type: "blob", sha: ABC },
        { path: "gone.ts", mode: "100644", type: "blob", sha: null },
      ],
    },
  ],
  ["POST /repos/acme/app/git/commits", { message: "Fix it\n\nBecause.", tree: TREE, parents: [BASE.commit] }],
  ["PATCH /repos/acme/app/git/refs/heads/sallyport/5-fix", { sha: TIP, force: false }],
];
const reference: Wire = ["POST /repos/acme/app/git/refs", { ref: "refs/heads/sallyport/5-fix", sha: BASE.commit }];
const request: Wire = [
  "POST /repos/acme/app/pulls",
  { title: "Fix it", head: "sallyport/5-fix", base: "main", body: "Closes #5", draft: false },
];

/** GitHub as it answers when all goes well. */
function well({ method, path, json }: Pick<Arrived, "method" | "path" | "json">): { readonly status: number; readonly body: unknown } {
  const at = `${method} ${path}`;
  if (at === "POST /graphql")
    return {
      status: 200,
      body: { data: { createCommitOnBranch: { commit: { oid: TIP, tree: { oid: TREE }, signature: { isValid: true } } } } },
    };
  if (path.endsWith("/git/refs")) return { status: 201, body: { ref: (json as { ref: string }).ref, object: { sha: BASE.commit } } };
  if (path.endsWith("/git/blobs")) return { status: 201, body: { sha: ABC } };
  if (path.endsWith("/git/trees")) return { status: 201, body: { sha: TREE } };
  if (path.endsWith("/git/commits"))
    return { status: 201, body: { sha: TIP, tree: { sha: TREE }, parents: [{ sha: BASE.commit }], verification: { verified: true } } };
  if (method === "PATCH" && path.includes("/git/refs/")) return { status: 200, body: { object: { sha: TIP } } };
  if (path.endsWith("/pulls")) return { status: 201, body: { number: 9, html_url: "https://github.com/acme/app/pull/9" } };
  return { status: method === "POST" ? 201 : 200, body: { id: 31, html_url: "https://github.com/acme/app/issues/5#issuecomment-31" } };
}

interface Row {
  readonly what: string;
  readonly operation: Operation;
  readonly wire: readonly Wire[];
  readonly outcome: object;
}

const CHECK = {
  kind: "check-run",
  repository: REPOSITORY,
  name: "sallyport",
  headSha: TIP,
  status: "completed",
  conclusion: "failure",
  title: "Read",
  summary: "Bad.",
  externalId: "run-1/check",
} as const;

const rows: readonly Row[] = [
  {
    what: "a comment on an issue",
    operation: { kind: "comment", repository: REPOSITORY, thread, body: "Done." },
    wire: [["POST /repos/acme/app/issues/5/comments", { body: "Done." }]],
    outcome: { operation: "comment", id: 31 },
  },
  {
    what: "a reply in a review thread",
    operation: { kind: "comment", repository: REPOSITORY, thread: { ...thread, reviewCommentId: 77 }, body: "Done." },
    wire: [["POST /repos/acme/app/pulls/5/comments/77/replies", { body: "Done." }]],
    outcome: { operation: "comment", id: 31 },
  },
  {
    what: "an edit of a comment",
    operation: { kind: "edit-own-comment", repository: REPOSITORY, thread, commentId: 31, body: "More." },
    wire: [["PATCH /repos/acme/app/issues/comments/31", { body: "More." }]],
    outcome: { operation: "edit-own-comment", id: 31 },
  },
  {
    what: "an edit in a review thread",
    operation: {
      kind: "edit-own-comment",
      repository: REPOSITORY,
      thread: { ...thread, reviewCommentId: 77 },
      commentId: 31,
      body: "More.",
    },
    wire: [["PATCH /repos/acme/app/pulls/comments/31", { body: "More." }]],
    outcome: { operation: "edit-own-comment", id: 31 },
  },
  ...(["issue", "issue-comment", "review-comment"] as const).map((kind): Row => ({
    what: `eyes on the ${kind}`,
    operation: { kind: "reaction", repository: REPOSITORY, target: { kind, id: 12 }, content: "eyes" } as const,
    wire: [
      [
        `POST /repos/acme/app/${{ issue: "issues", "issue-comment": "issues/comments", "review-comment": "pulls/comments" }[kind]}/12/reactions`,
        { content: "eyes" },
      ],
    ],
    outcome: { operation: "reaction", id: 31 },
  })),
  {
    what: "a check run",
    operation: { ...CHECK, annotations: [{ path: "a.ts", startLine: 1, endLine: 2, level: "failure", title: "T", message: "No." }] },
    wire: [
      [
        "POST /repos/acme/app/check-runs",
        {
          name: "sallyport",
          head_sha: TIP,
          external_id: "run-1/check",
          status: "completed",
          conclusion: "failure",
          output: {
            title: "Read",
            summary: "Bad.",
            annotations: [{ path: "a.ts", start_line: 1, end_line: 2, annotation_level: "failure", message: "No.", title: "T" }],
          },
        },
      ],
    ],
    outcome: { operation: "check-run", id: 31 },
  },
  {
    what: "another state of a check run",
    operation: { ...CHECK, checkRunId: 31, text: "More.", detailsUrl: "https://bot.example/runs/1" },
    wire: [
      [
        "PATCH /repos/acme/app/check-runs/31",
        {
          status: "completed",
          conclusion: "failure",
          details_url: "https://bot.example/runs/1",
          output: { title: "Read", summary: "Bad.", text: "More." },
        },
      ],
    ],
    outcome: { operation: "check-run", id: 31 },
  },
  {
    what: "a pull request of plain files",
    operation: pull,
    wire: [reference, graphqlCommit, request],
    outcome: { id: 9, branch: "sallyport/5-fix", sha: TIP },
  },
  {
    what: "a pull request with file modes",
    operation: { ...pull, changes: MODES },
    wire: [reference, ...restCommit, request],
    outcome: { id: 9, sha: TIP },
  },
  {
    what: "a pull request whose branch stands",
    operation: { ...pull, branchExists: true },
    wire: [graphqlCommit, request],
    outcome: { id: 9, sha: TIP },
  },
  {
    what: "a pull request with nothing left to commit",
    operation: { ...pull, branchExists: true, changes: changeSet([]) },
    wire: [request],
    outcome: { id: 9 },
  },
  {
    what: "a commit",
    operation: { kind: "commit", repository: REPOSITORY, branch: pull.branch, message: pull.message, changes: PLAIN },
    wire: [graphqlCommit],
    outcome: { operation: "commit", sha: TIP },
  },
  {
    what: "a commit with file modes",
    operation: { kind: "commit", repository: REPOSITORY, branch: pull.branch, message: pull.message, changes: MODES },
    wire: restCommit,
    outcome: { operation: "commit", sha: TIP },
  },
  {
    what: "a commit on a new branch",
    operation: {
      kind: "commit",
      repository: REPOSITORY,
      branch: pull.branch,
      message: pull.message,
      changes: PLAIN,
      createsBranch: true,
    },
    wire: [reference, graphqlCommit],
    outcome: { sha: TIP },
  },
];

afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test.for(rows)("$what is exactly these requests, each with a pass of its own", async ({ operation, wire, outcome }) => {
  nock.disableNetConnect();
  const ledger = fakeLedger();
  for (const [line, body] of wire) {
    const [method = "", path = ""] = line.split(" ");
    const { status, body: answer } = well({ method, path, json: body });
    nock("https://api.github.com", { badheaders: [PASS_HEADER], reqheaders: { authorization: "token t0ken" } })
      .intercept(path, method, (sent) => isDeepStrictEqual(sent, body))
      .reply(status, JSON.stringify(answer), { "content-type": "application/json" });
  }
  const session = sessionOn("https://api.github.com", ledger);
  const made = await perform(operation, { session, mint: ledger.mint, once: (step) => step.send() });
  expect(nock.pendingMocks()).toEqual([]);
  expect(ledger.redeemed.map(({ method, path, body }) => [`${method} ${path}`, JSON.parse(body)])).toEqual(wire);
  expect(made).toMatchObject(outcome);
});

test.for(rows)("the gate mints a pass for each request of $what", async ({ operation, wire }) => {
  await using github = await loopback(well);
  const ledger = createLedger();
  const view: RunView = { id: "run-1", repository: REPOSITORY, trigger: "mention" };
  const mint = mintFor(freezeOperation(operation), view, ledger);
  await perform(operation, { session: sessionOn(github.baseUrl, ledger), mint, once: (step) => step.send() });
  expect(github.lines()).toEqual(wire.map(([line]) => line));
});

test("on an Enterprise server REST goes to /api/v3 and GraphQL beside it", async () => {
  await using github = await loopback(well);
  const ledger = fakeLedger();
  const urls: string[] = [];
  const session = createTokenSession({
    baseUrl: github.baseUrl,
    ledger,
    token: "t0ken",
    botLogin: "sallyport[bot]",
    log: silent,
    fetch: (input, init) => {
      urls.push(new URL(input).pathname);
      return fetch(input, init);
    },
  });
  await perform(pull, { session, mint: ledger.mint, once: (step) => step.send() });
  expect(urls).toEqual(["/api/v3/repos/acme/app/git/refs", "/api/graphql", "/api/v3/repos/acme/app/pulls"]);
  expect(session.origin).toBe(new URL(github.baseUrl).origin);
});

test("steps have stable names, so that a resumed run finds what was done", async () => {
  await using github = await loopback(well);
  const ledger = fakeLedger();
  const keys: string[] = [];
  const once: Once = (step) => {
    keys.push(step.key);
    return step.send();
  };
  const options = { session: sessionOn(github.baseUrl, ledger), mint: ledger.mint, once };
  await perform(pull, options);
  await perform(pull, { ...options, key: "publish" });
  expect(keys).toEqual([
    "open-pull-request/branch",
    "open-pull-request/commit",
    "open-pull-request/pull-request",
    "publish/branch",
    "publish/commit",
    "publish/pull-request",
  ]);
});
