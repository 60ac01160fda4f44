import { describe, expect, it } from "vitest";
import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import { api, github, widgets, type ApiAnswer } from "./world.ts";

const MUTATION = "mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid tree { oid } } } }";

async function commit(from: EmbeddedGitHub, input: object): Promise<ApiAnswer> {
  const whole = {
    branch: { repositoryNameWithOwner: "acme/widgets", branchName: "topic" },
    message: { headline: "Add" },
    expectedHeadOid: from.tip("acme/widgets", "topic"),
    fileChanges: { additions: [{ path: "a.txt", contents: Buffer.from("a").toString("base64") }] },
    ...input,
  };
  return api(from, "POST /graphql", { token: from.addToken(), body: { query: MUTATION, variables: { input: whole } } });
}

async function topic(): Promise<EmbeddedGitHub> {
  const from = await widgets();
  from.moveBranch("acme/widgets", "topic", from.tip("acme/widgets", "main") ?? "");
  return from;
}

describe("createCommitOnBranch", () => {
  it("commits as the bot, signed by GitHub, and moves the branch", async () => {
    const from = await topic();
    const before = from.tip("acme/widgets", "topic");
    const message = { headline: "Add a", body: "Because.\n\nCo-authored-by: alice <alice@example.test>" };
    const { body } = await commit(from, { message });
    const data = body["data"] as { createCommitOnBranch: { commit: { oid: string; tree: { oid: string } } } };
    const { oid, tree } = data.createCommitOnBranch.commit;
    expect(from.tip("acme/widgets", "topic")).toBe(oid);
    expect(from.fileAt("acme/widgets", oid, "a.txt")).toBe("a");
    expect(from.requests.at(-1)).toMatchObject({ path: "/graphql", graphql: "createCommitOnBranch" });
    const { body: made } = await api(from, `GET /repos/acme/widgets/git/commits/${oid}`);
    expect(made).toMatchObject({
      message: `${message.headline}\n\n${message.body}`,
      author: { name: "sallyport[bot]" },
      parents: [{ sha: before }],
      tree: { sha: tree.oid },
      verification: { verified: true },
    });
  });

  it("makes every file it adds an ordinary one, and deletes", async () => {
    const from = await topic();
    from.push("acme/widgets", "topic", { "run.sh": { content: "x", mode: "100755" } });
    await commit(from, { fileChanges: { additions: [{ path: "run.sh", contents: "eQ==" }], deletions: [{ path: "README.md" }] } });
    expect(from.modeAt("acme/widgets", "topic", "run.sh")).toBe("100644");
    expect(from.fileAt("acme/widgets", "topic", "README.md")).toBeUndefined();
  });

  it.each([
    { name: "the branch has moved", input: { expectedHeadOid: "0".repeat(40) }, type: "STALE_DATA" },
    {
      name: "there is no such branch",
      input: { branch: { repositoryNameWithOwner: "acme/widgets", branchName: "gone" } },
      type: "NOT_FOUND",
    },
    {
      name: "there is no such repository",
      input: { branch: { repositoryNameWithOwner: "acme/gone", branchName: "topic" } },
      type: "NOT_FOUND",
    },
    { name: "a deleted file is not there", input: { fileChanges: { deletions: [{ path: "gone" }] } }, type: "UNPROCESSABLE" },
    { name: "a path leaves the tree", input: { fileChanges: { additions: [{ path: "../a", contents: "" }] } }, type: "INVALID_VARIABLE" },
    {
      name: "a path is git's own",
      input: { fileChanges: { additions: [{ path: ".git/config", contents: "YQ==" }] } },
      type: "UNPROCESSABLE",
    },
    { name: "the headline is empty", input: { message: { headline: "" } }, type: "INVALID_VARIABLE" },
  ])("answers 200 with an error and changes nothing when $name", async ({ input, type }) => {
    const from = await topic();
    const before = from.tip("acme/widgets", "topic");
    const answer = await commit(from, input);
    expect(answer).toMatchObject({ status: 200, body: { errors: [{ type }] } });
    expect(from.tip("acme/widgets", "topic")).toBe(before);
  });

  it("refuses a protected branch", async () => {
    const from = await topic();
    from.protect("acme/widgets", "topic");
    expect((await commit(from, {})).body).toMatchObject({ errors: [{ type: "BRANCH_PROTECTION_RULE_VIOLATION" }] });
  });

  it("refuses a token that may not write, and one that is not there", async () => {
    const from = await topic();
    const input = { branch: { repositoryNameWithOwner: "acme/widgets", branchName: "topic" } };
    const body = { query: MUTATION, variables: { input } };
    const token = from.addToken({ permissions: { contents: "read" } });
    expect((await api(from, "POST /graphql", { token, body })).body).toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    expect((await api(from, "POST /graphql", { body })).status).toBe(401);
  });
});

describe("other GraphQL", () => {
  it.each(["mutation { mergePullRequest(input: {}) { clientMutationId } }", "query Q($a: Int) { viewer { login } }", "{"])(
    "is answered with an error and marked: %s",
    async (query) => {
      const from = await github();
      const answer = await api(from, "POST /graphql", { token: from.addToken(), body: { query } });
      expect(answer).toMatchObject({ status: 200, body: { errors: [{ type: "undefinedField" }] } });
      expect(from.requests.at(-1)?.unrouted).toBe(true);
    },
  );
});

describe("references", () => {
  const line = "POST /repos/acme/widgets/git/refs";

  it.each([
    { name: "it exists", ref: "refs/heads/main", message: "Reference already exists" },
    { name: "its object is unknown", ref: "refs/heads/x", sha: "1".repeat(40), message: "Object does not exist" },
    { name: "it is no full name", ref: "heads/x", message: "Reference name must start with 'refs/'" },
    { name: "git forbids the name", ref: "refs/heads/a..b", message: "Reference name is not valid" },
    { name: "a branch stands where its folder would be", ref: "refs/heads/main/x", message: "Reference update failed" },
  ])("are refused with 422 when $name", async ({ ref, sha, message }) => {
    const from = await widgets();
    const body = { ref, sha: sha ?? from.tip("acme/widgets", "main") };
    const answer = await api(from, line, { token: from.addToken(), body });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain(message);
    expect(from.branches("acme/widgets")).toEqual(["main"]);
  });

  it("are refused with 409 in an empty repository", async () => {
    const from = await github();
    from.addRepository("acme/widgets");
    for (const [at, body] of [
      [line, { ref: "refs/heads/x", sha: "1".repeat(40) }],
      ["POST /repos/acme/widgets/git/blobs", { content: "x" }],
      ["POST /repos/acme/widgets/git/trees", { tree: [] }],
    ] as const) {
      expect(await api(from, at, { token: from.addToken(), body })).toMatchObject({
        status: 409,
        body: { message: "Git Repository is empty." },
      });
    }
  });

  it("move forwards only, unless forced", async () => {
    const from = await topic();
    const token = from.addToken();
    const ahead = from.push("acme/widgets", "topic", { a: "a" });
    const base = from.tip("acme/widgets", "main") ?? "";
    const at = "PATCH /repos/acme/widgets/git/refs/heads/topic";
    const refused = await api(from, at, { token, body: { sha: base } });
    expect(refused).toMatchObject({ status: 422, body: { message: "Update is not a fast forward" } });
    expect((await api(from, at, { token, body: { sha: base, force: true } })).status).toBe(200);
    expect((await api(from, at, { token, body: { sha: ahead } })).status).toBe(200);
    expect(from.tip("acme/widgets", "topic")).toBe(ahead);
  });

  it.each(["PATCH", "DELETE"])("of protected branches are refused: %s", async (method) => {
    const from = await widgets();
    const ahead = from.push("acme/widgets", "topic", { a: "a" });
    from.protect("acme/widgets", "main");
    const answer = await api(from, `${method} /repos/acme/widgets/git/refs/heads/main`, {
      token: from.addToken(),
      ...(method === "PATCH" ? { body: { sha: ahead, force: true } } : {}),
    });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain("rule violations");
    expect(from.branches("acme/widgets")).toContain("main");
    expect(from.tip("acme/widgets", "main")).not.toBe(ahead);
  });

  it("show a branch, whether it is protected, and the rules", async () => {
    const from = await widgets();
    from.protect("acme/widgets", "main");
    from.moveBranch("acme/widgets", "a/b", from.tip("acme/widgets", "main") ?? "");
    expect((await api(from, "GET /repos/acme/widgets/branches/main")).body).toMatchObject({ name: "main", protected: true });
    expect((await api(from, "GET /repos/acme/widgets/branches/a%2Fb")).body).toMatchObject({ name: "a/b", protected: false });
    expect((await api(from, "GET /repos/acme/widgets/rules/branches/main")).list).toContainEqual(
      expect.objectContaining({ type: "pull_request" }),
    );
    expect((await api(from, "GET /repos/acme/widgets/rules/branches/a/b")).list).toEqual([]);
    expect((await api(from, "GET /repos/acme/widgets/git/matching-refs/heads/a")).list).toMatchObject([{ ref: "refs/heads/a/b" }]);
  });
});

describe("the git data API", () => {
  it("carries what GraphQL cannot: modes, links and deletions", async () => {
    const from = await widgets();
    const token = from.addToken();
    const base = from.tip("acme/widgets", "main") ?? "";
    const entry = (path: string, mode: string, content: string) => ({ path, mode, type: "blob", content });
    const { body: tree } = await api(from, "POST /repos/acme/widgets/git/trees", {
      token,
      body: {
        base_tree: base,
        tree: [entry("run.sh", "100755", "x"), entry("link", "120000", "README.md"), { path: "src/sum.ts", mode: "100644", sha: null }],
      },
    });
    const { body: made } = await api(from, "POST /repos/acme/widgets/git/commits", {
      token,
      body: { message: "Modes", tree: tree["sha"], parents: [base] },
    });
    expect(made).toMatchObject({ author: { name: "sallyport[bot]" }, verification: { verified: true } });
    const sha = String(made["sha"]);
    expect(["run.sh", "link", "README.md", "src/sum.ts"].map((path) => from.modeAt("acme/widgets", sha, path))).toEqual([
      "100755",
      "120000",
      "100644",
      undefined,
    ]);
  });

  it.each([
    { name: "a path that leaves the tree", entry: { path: "../x", mode: "100644", content: "" } },
    { name: "a path of git's own", entry: { path: ".git/x", mode: "100644", content: "" } },
    { name: "an unknown mode", entry: { path: "x", mode: "100777", content: "" } },
    { name: "an unknown blob", entry: { path: "x", mode: "100644", sha: "1".repeat(40) } },
    { name: "no path", entry: { mode: "100644", content: "" } },
  ])("refuses a tree with $name", async ({ entry }) => {
    const from = await widgets();
    expect((await api(from, "POST /repos/acme/widgets/git/trees", { token: from.addToken(), body: { tree: [entry] } })).status).toBe(422);
  });

  it("answers the bytes of a blob when asked for them raw", async () => {
    const from = await widgets();
    const { body } = await api(from, "GET /repos/acme/widgets/contents/README.md");
    expect(Buffer.from(String(body["content"]), "base64").toString()).toBe("# Widgets\n");
    const accept = "application/vnd.github.raw+json";
    expect((await api(from, `GET /repos/acme/widgets/git/blobs/${String(body["sha"])}`, { accept })).text).toBe("# Widgets\n");
    expect((await api(from, "GET /repos/acme/widgets/contents/README.md", { accept })).text).toBe("# Widgets\n");
  });
});
