import { describe, expect, it } from "vitest";
import type { EmbeddedGitHub } from "../../../../src/testing/index.ts";
import { api, github, widgets } from "./world.ts";

const base = (from: EmbeddedGitHub): string => from.tip("acme/widgets", "main") ?? "";

const WRITES = [
  { permission: "issues", line: "POST /repos/acme/widgets/issues/1/comments", body: () => ({ body: "x" }) },
  { permission: "issues", line: "POST /repos/acme/widgets/issues/1/reactions", body: () => ({ content: "eyes" }) },
  { permission: "issues", line: "POST /repos/acme/widgets/issues/1/labels", body: () => ["bug"] },
  {
    permission: "contents",
    line: "POST /repos/acme/widgets/git/refs",
    body: (from: EmbeddedGitHub) => ({ ref: "refs/heads/x", sha: base(from) }),
  },
  { permission: "contents", line: "POST /repos/acme/widgets/git/blobs", body: () => ({ content: "x" }) },
  { permission: "pull_requests", line: "POST /repos/acme/widgets/pulls", body: () => ({ title: "T", head: "topic", base: "main" }) },
  {
    permission: "checks",
    line: "POST /repos/acme/widgets/check-runs",
    body: (from: EmbeddedGitHub) => ({ name: "c", head_sha: base(from) }),
  },
];

async function stage(options: { isPrivate?: boolean; archived?: boolean } = {}): Promise<EmbeddedGitHub> {
  const from = await widgets(options);
  from.push("acme/widgets", "topic", { a: "a" });
  return from;
}

describe("an installation's permissions", () => {
  it.each(WRITES)("let through $line with $permission alone", async ({ permission, line, body }) => {
    const from = await stage();
    const token = from.addToken({ permissions: { [permission]: "write" } });
    expect((await api(from, line, { token, body: body(from) })).status).toBeLessThan(300);
  });

  it.each(WRITES)("refuse $line without $permission", async ({ permission, line, body }) => {
    const from = await stage();
    const all = { contents: "write", issues: "write", pull_requests: "write", checks: "write" } as const;
    const token = from.addToken({
      permissions: { ...all, [permission]: "read", ...(permission === "issues" ? { pull_requests: "read" } : {}) },
    });
    const answer = await api(from, line, { token, body: body(from) });
    expect(answer).toMatchObject({ status: 403, body: { message: "Resource not accessible by integration" } });
  });

  it.each(WRITES)("do not help in an archived repository: $line", async ({ line, body }) => {
    const from = await stage({ archived: true });
    const answer = await api(from, line, { token: from.addToken(), body: body(from) });
    expect(answer).toMatchObject({ status: 403, body: { message: "Repository was archived so is read-only." } });
  });

  it.each(WRITES)("are needed at all: $line without a credential is 401", async ({ line, body }) => {
    const from = await stage();
    expect(await api(from, line, { body: body(from) })).toMatchObject({ status: 401, body: { message: "Requires authentication" } });
  });

  it.each(WRITES)("end where the App is not installed: $line", async ({ line, body }) => {
    const from = await stage();
    from.addRepository("acme/foreign", { files: { a: "a" }, installed: false });
    from.addIssue("acme/foreign", { title: "x" });
    const answer = await api(from, line.replace("widgets", "foreign"), { token: from.addToken(), body: body(from) });
    expect(answer.status).toBe(403);
  });
});

describe("a private repository", () => {
  it.each([
    { who: "nobody", status: 404, token: () => undefined },
    { who: "a stranger", status: 404, token: (from: EmbeddedGitHub) => from.addToken({ login: "eve" }) },
    { who: "a reader", status: 200, token: (from: EmbeddedGitHub) => from.addToken({ login: "mallory" }) },
    { who: "the App", status: 200, token: (from: EmbeddedGitHub) => from.addToken() },
  ])("answers $who with $status", async ({ status, token }) => {
    const from = await widgets({ isPrivate: true });
    const credential = token(from);
    expect((await api(from, "GET /repos/acme/widgets", credential === undefined ? {} : { token: credential })).status).toBe(status);
  });
});

describe("the permission of an account", () => {
  it.each([
    { login: "admin", role: "admin", permission: "admin" },
    { login: "maria", role: "maintain", permission: "write" },
    { login: "alice", role: "write", permission: "write" },
    { login: "tria", role: "triage", permission: "read" },
    { login: "mallory", role: "read", permission: "read" },
    { login: "ALICE", role: "write", permission: "write" },
  ])("of $login is $permission, with the role $role", async ({ login, role, permission }) => {
    const from = await github();
    const permissions = { admin: "admin", maria: "maintain", alice: "write", tria: "triage", mallory: "read" } as const;
    from.addRepository("acme/widgets", { files: { a: "a" }, permissions });
    const { body } = await api(from, `GET /repos/acme/widgets/collaborators/${login}/permission`, { token: from.addToken() });
    expect(body).toMatchObject({ permission, role_name: role });
  });

  it.each([
    { isPrivate: false, permission: "read" },
    { isPrivate: true, permission: "none" },
  ])("who is not named is $permission when the repository is private: $isPrivate", async ({ isPrivate, permission }) => {
    const from = await widgets({ isPrivate });
    from.addUser("eve");
    const { body } = await api(from, "GET /repos/acme/widgets/collaborators/eve/permission", { token: from.addToken() });
    expect(body).toMatchObject({ permission });
  });

  it("of an account that does not exist is 404", async () => {
    const from = await widgets();
    expect((await api(from, "GET /repos/acme/widgets/collaborators/who/permission", { token: from.addToken() })).status).toBe(404);
  });

  it("lets people talk where they read, and push only where they write", async () => {
    const from = await widgets();
    const token = from.addToken({ login: "mallory" });
    expect((await api(from, "POST /repos/acme/widgets/issues/1/comments", { token, body: { body: "x" } })).status).toBe(201);
    const body = { ref: "refs/heads/x", sha: base(from) };
    expect((await api(from, "POST /repos/acme/widgets/git/refs", { token, body })).status).toBe(404);
  });
});
