import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { api, appToken, github, widgets } from "./world.ts";

const otherKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();

describe("the App's own token", () => {
  it("shows the App, finds the installation of a repository and is exchanged for a token of the bot", async () => {
    const from = await widgets();
    const token = appToken(from);
    expect((await api(from, "GET /app", { token })).body).toMatchObject({ id: from.appId, slug: "sallyport" });
    const { body: installation } = await api(from, "GET /repos/acme/widgets/installation", { token });
    expect(installation).toMatchObject({ id: from.installationId, app_slug: "sallyport", account: { login: "acme" } });
    const exchanged = await api(from, `POST /app/installations/${from.installationId}/access_tokens`, { token });
    expect(exchanged.body["token"]).toMatch(/^ghs_/);
    expect(Date.parse(String(exchanged.body["expires_at"])) - Date.now()).toBeGreaterThan(3_500_000);
    const body = { body: "Hello" };
    const comment = await api(from, "POST /repos/acme/widgets/issues/1/comments", { token: String(exchanged.body["token"]), body });
    expect(comment.body).toMatchObject({ user: { login: "sallyport[bot]", type: "Bot" }, performed_via_github_app: { id: from.appId } });
  });

  it.each([
    { name: "was issued in the future", options: { issued: 60 }, message: "'Issued at' claim ('iat')" },
    { name: "has expired", options: { issued: -600, expires: -1 }, message: "'Expiration time' claim ('exp')" },
    { name: "lives too long", options: { expires: 3600 }, message: "too far in the future" },
    { name: "names another App", options: { issuer: 1 }, message: "'Issuer' claim" },
    { name: "is signed with another key", options: { key: otherKey }, message: "could not be decoded" },
    { name: "claims another algorithm", options: { algorithm: "none" }, message: "could not be decoded" },
  ])("is refused when it $name", async ({ options, message }) => {
    const from = await github();
    const answer = await api(from, "GET /app", { token: appToken(from, options) });
    expect(answer.status).toBe(401);
    expect(answer.body.message).toContain(message);
    expect(from.requests.at(-1)).toMatchObject({ auth: "refused", login: undefined });
  });

  it.each(["GET /app", "GET /app/installations", "POST /app/installations/777/access_tokens"])(
    "is the only one that opens %s",
    async (line) => {
      const from = await github();
      for (const token of [from.addToken(), from.addToken({ login: "alice" })]) expect((await api(from, line, { token })).status).toBe(401);
      expect((await api(from, line)).status).toBe(401);
    },
  );

  it("opens nothing else", async () => {
    const from = await widgets();
    expect((await api(from, "GET /repos/acme/widgets", { token: appToken(from) })).status).toBe(403);
  });
});

describe("tokens", () => {
  it.each([
    { name: "unknown", credential: () => "Bearer ghs_unknown" },
    { name: "expired", credential: (token: (options: object) => string) => `Bearer ${token({ lifetimeMs: -1 })}` },
    { name: "empty", credential: () => "Bearer " },
    { name: "of an unknown scheme", credential: (token: (options: object) => string) => `Digest ${token({})}` },
  ])("are refused when $name, whatever is asked", async ({ credential }) => {
    const from = await widgets();
    const authorization = credential((options) => from.addToken(options));
    for (const line of ["GET /repos/acme/widgets", "GET /users/alice"]) {
      expect(await api(from, line, { authorization })).toMatchObject({ status: 401, body: { message: "Bad credentials" } });
    }
  });

  it.each(["Bearer", "bearer", "token"])("are taken with the scheme %s", async (scheme) => {
    const from = await widgets({ isPrivate: true });
    const authorization = `${scheme} ${from.addToken()}`;
    expect((await api(from, "GET /repos/acme/widgets", { authorization })).status).toBe(200);
    expect(from.requests.at(-1)).toMatchObject({ auth: "installation", login: "sallyport[bot]", authorization });
  });

  it("speak for people too", async () => {
    const from = await widgets();
    const token = from.addToken({ login: "alice" });
    const { body } = await api(from, "POST /repos/acme/widgets/issues/1/comments", { token, body: { body: "Hello" } });
    expect(body).toMatchObject({ user: { login: "alice", type: "User" }, performed_via_github_app: null });
    expect(from.requests.at(-1)).toMatchObject({ auth: "user", login: "alice" });
  });

  it("end when they are given back", async () => {
    const from = await github();
    const token = from.addToken();
    expect((await api(from, "DELETE /installation/token", { token })).status).toBe(204);
    expect((await api(from, "GET /meta", { token })).status).toBe(401);
  });

  it("are limited to the repositories and permissions that were asked for", async () => {
    const from = await widgets({ isPrivate: true });
    from.addRepository("acme/other", { files: { a: "a" }, isPrivate: true });
    const line = `POST /app/installations/${from.installationId}/access_tokens`;
    const body = { repositories: ["widgets"], permissions: { issues: "read" } };
    const { body: exchanged } = await api(from, line, { token: appToken(from), body });
    const token = String(exchanged["token"]);
    expect((await api(from, "GET /repos/acme/widgets/issues/1", { token })).status).toBe(200);
    expect((await api(from, "GET /repos/acme/widgets/contents/README.md", { token })).status).toBe(403);
    expect((await api(from, "POST /repos/acme/widgets/issues/1/comments", { token, body: { body: "x" } })).status).toBe(403);
    expect((await api(from, "GET /repos/acme/other", { token })).status).toBe(404);
    const { body: list } = await api(from, "GET /installation/repositories", { token });
    expect(list).toMatchObject({ total_count: 1, repositories: [{ full_name: "acme/widgets" }] });
  });
});
