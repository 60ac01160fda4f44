import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { createGitHubApp } from "../../../src/github/client.ts";
import type { GitHubApp } from "../../../src/github/client.ts";
import { gitHubAddress } from "../../../src/github/repository-url.ts";
import type { Answer, Arrived } from "./loopback.ts";
import { fakeLedger, handClock, loopback, newPrivateKey } from "./loopback.ts";

const KEY = newPrivateKey();
const START = Date.parse("2026-03-01T12:00:00Z");

function appOn(baseUrl: string, clock = handClock(START), privateKey = KEY): GitHubApp {
  return createGitHubApp({
    baseUrl,
    appId: 99,
    privateKey,
    ledger: fakeLedger(),
    log: silent,
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timeLimitMs: 500,
  });
}
/** Issues tokens t1, t2 … that live an hour from `now`; everything else is an empty success. */
function issuing(now: () => number = () => START): (request: Arrived) => Answer {
  let issued = 0;
  return ({ path }) =>
    path.endsWith("/access_tokens")
      ? { status: 201, body: { token: `t${++issued}`, expires_at: new Date(now() + 3_600_000).toISOString(), permissions: {} } }
      : { status: 200, body: {} };
}
function claims(request: Arrived | undefined): { iat: number; exp: number; iss: string } {
  const [, head = "", body = "", signature = ""] = /^bearer (.+)\.(.+)\.(.+)$/.exec(request?.headers.authorization ?? "") ?? [];
  expect(verify("sha256", Buffer.from(`${head}.${body}`), createPublicKey(KEY), Buffer.from(signature, "base64url"))).toBe(true);
  return JSON.parse(Buffer.from(body, "base64url").toString()) as { iat: number; exp: number; iss: string };
}

test("callers that ask at once share one token request, which goes to the App's own server", async () => {
  await using github = await loopback(issuing());
  const app = appOn(github.baseUrl);
  const tokens = await Promise.all([
    app.session(5).token(),
    app.session(5).token(),
    app
      .session(5)
      .octokit.request("GET /x")
      .then(() => "t1"),
  ]);
  expect(tokens).toEqual(["t1", "t1", "t1"]);
  expect(github.lines()).toEqual(["POST /app/installations/5/access_tokens", "GET /x"]);
  expect(claims(github.requests[0])).toEqual({ iat: START / 1000 - 60, exp: START / 1000 + 540, iss: "99" });
});

test("installations have tokens of their own", async () => {
  await using github = await loopback(issuing());
  const app = appOn(github.baseUrl);
  expect([await app.session(5).token(), await app.session(6).token(), await app.session(5).token()]).toEqual(["t1", "t2", "t1"]);
});

test("a token is replaced five minutes before its end, not earlier", async () => {
  const clock = handClock(START);
  await using github = await loopback(issuing(() => clock.now()));
  const session = appOn(github.baseUrl, clock).session(5);
  const seen = [await session.token()];
  await clock.sleep(54 * 60_000);
  seen.push(await session.token());
  await clock.sleep(2 * 60_000);
  seen.push(await session.token());
  expect(seen).toEqual(["t1", "t1", "t2"]);
});

test("a read whose token was refused is asked once more with a new one, and no third time", async () => {
  const issue = issuing();
  const used: (string | undefined)[] = [];
  await using github = await loopback((request) => {
    if (request.method === "POST") return issue(request);
    used.push(request.headers.authorization);
    return { status: 401, body: { message: "Bad credentials" } };
  });
  await expect(appOn(github.baseUrl).session(5).octokit.request("GET /user")).rejects.toMatchObject({ status: 401 });
  expect(used).toEqual(["token t1", "token t2"]);
});

test.for([
  ["ahead of GitHub", "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued", -600],
  [
    "behind GitHub",
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    900,
  ],
] as const)("a clock %s is corrected from the answer's date, for tokens and for the App itself", async ([, message, offset]) => {
  const server = START + offset * 1000;
  const issue = issuing(() => server);
  await using github = await loopback((request) => {
    const { iat, exp } = request.headers.authorization?.startsWith("bearer") ? claims(request) : { iat: 0, exp: Infinity };
    if (iat * 1000 > server || exp * 1000 < server)
      return { status: 401, body: { message }, headers: { date: new Date(server).toUTCString() } };
    return request.path === "/app" ? { status: 200, body: { id: 99, slug: "sallyport" } } : issue(request);
  });
  expect(await appOn(github.baseUrl).session(5).token()).toBe("t1");
  expect(await appOn(github.baseUrl).identity()).toEqual({ id: 99, slug: "sallyport", botLogin: "sallyport[bot]" });
  expect(github.requests).toHaveLength(4);
});

test("the identity is asked once, and again after a failure", async () => {
  let broken = true;
  await using github = await loopback(() =>
    broken
      ? { status: 401, body: { message: "A JSON web token could not be decoded" } }
      : { status: 200, body: { id: 99, slug: "sallyport" } },
  );
  const app = appOn(github.baseUrl);
  await expect(app.identity()).rejects.toMatchObject({ code: "bad-credentials", hint: expect.stringContaining("PRIVATE_KEY") as string });
  broken = false;
  await Promise.all([app.identity(), app.identity(), app.session(5).botLogin()]);
  expect(github.lines()).toEqual(["GET /app", "GET /app"]);
});

test("a failed token request is not kept", async () => {
  const issue = issuing();
  let first = true;
  await using github = await loopback((request) => {
    if (!first) return issue(request);
    first = false;
    return { status: 404, body: { message: "Integration not found" } };
  });
  const session = appOn(github.baseUrl).session(5);
  await expect(session.token()).rejects.toMatchObject({ code: "not-found" });
  expect(await session.token()).toBe("t1");
});

test("a token request that met a server error is repeated", async () => {
  const issue = issuing();
  let first = true;
  await using github = await loopback((request) => {
    if (!first) return issue(request);
    first = false;
    return "reset";
  });
  expect(await appOn(github.baseUrl).session(5).token()).toBe("t1");
});

test("the private key may carry its line ends as two characters, and must be one", () => {
  const escaped = KEY.replaceAll("\n", String.raw`\n`);
  expect(() => appOn("https://api.github.com", handClock(), escaped)).not.toThrow();
  expect(() => appOn("https://api.github.com", handClock(), "-----BEGIN RSA PRIVATE KEY-----")).toThrow("PRIVATE_KEY is not a private key");
});

test.for([
  ["https://api.github.com", "https://api.github.com/graphql", "https://github.com"],
  ["https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql", "https://acme.ghe.com"],
  ["https://ghe.example/api/v3", "https://ghe.example/api/graphql", "https://ghe.example"],
  ["https://ghe.example/api/v3/", "https://ghe.example/api/graphql", "https://ghe.example"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/graphql", "http://127.0.0.1:8080"],
] as const)("%s has GraphQL at %s and pages at %s", ([base, graphqlUrl, origin]) => {
  expect(gitHubAddress(base)).toMatchObject({ graphqlUrl, origin });
});
