import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SallyportError } from "../../../src/core/errors.ts";
import { createSignIn } from "../../../src/github/sign-in.ts";
import { startEmbeddedGitHub, type EmbeddedGitHub } from "../../../src/testing/index.ts";

const VERIFIER = "verifier-".repeat(6);
const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
const CALLBACK = "http://127.0.0.1:3000/sallyport/sign-in/callback";

describe("signing in through GitHub", () => {
  let folder = "";
  let github: EmbeddedGitHub;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sallyport-sign-in-"));
    github = await startEmbeddedGitHub({ directory: folder });
    github.browseAs({ login: "maria", callback: CALLBACK });
  });
  afterAll(async () => {
    await github.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const tokens: string[] = [];
  const open = (more: { readonly webUrl?: string; readonly fetch?: typeof fetch } = {}) =>
    createSignIn({
      clientId: "Iv1.client",
      clientSecret: "client-secret-0123456789",
      webUrl: github.origin,
      apiUrl: github.apiUrl,
      onToken: (token) => tokens.push(token),
      ...more,
    });

  /** Goes to GitHub and comes back with a code. */
  async function code(): Promise<string> {
    const sent = await fetch(open().address({ state: "its state", challenge }), { redirect: "manual" });
    const back = new URL(sent.headers.get("location") ?? "");
    expect(back.searchParams.get("state")).toBe("its state");
    return back.searchParams.get("code") ?? "";
  }

  /** How it fails: always in words for people, and without a token in them. */
  async function failure(attempt: Promise<unknown>): Promise<string> {
    const error: unknown = await attempt.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof SallyportError)) throw new Error("it did not fail as it should", { cause: error });
    expect(error.code).toBe("sign-in-failed");
    for (const secret of [...tokens, "client-secret", "access_token", "gho_"])
      expect(`${error.message}${error.hint}${String(error.cause)}`).not.toContain(secret);
    return error.message;
  }

  test("tells who somebody is, and tells of the token so that it is masked", async () => {
    expect(await open().identify(await code(), VERIFIER)).toMatchObject({ login: "maria", id: expect.any(Number) as number });
    expect(tokens).toHaveLength(1);
  });

  test("sends nobody's address along, and asks GitHub for no right", () => {
    const { searchParams } = new URL(open().address({ state: "s", challenge }));
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: "Iv1.client",
      state: "s",
      code_challenge: challenge,
      code_challenge_method: "S256",
      allow_signup: "false",
    });
  });

  test("fails with a code that is used up, has expired or was begun by somebody else", async () => {
    const used = await code();
    await open().identify(used, VERIFIER);
    expect(await failure(open().identify(used, VERIFIER))).toContain("did not take the code");
    expect(await failure(open().identify("expired", VERIFIER))).toContain("did not take the code");
    expect(await failure(open().identify(await code(), "verifier of somebody else"))).toContain("did not take the code");
  });

  test.each([
    ["refuses the code", "/login/oauth/access_token", { status: 404 }, "did not take the code"],
    ["is broken", "/login/oauth/access_token", { status: 502 }, "did not take the code"],
    ["breaks off", "/login/oauth/access_token", "reset", "did not answer"],
    [
      "does not speak JSON",
      "/login/oauth/access_token",
      { status: 200, body: "access_token=gho_0123456789abcdef" },
      "did not take the code",
    ],
    ["sends elsewhere", "/login/oauth/access_token", { status: 302, headers: { location: "https://evil.example/" } }, "did not answer"],
    ["gives an empty token", "/login/oauth/access_token", { status: 200, body: { access_token: "" } }, "did not take the code"],
    ["knows no such token", "/user", { status: 401, body: { message: "Bad credentials" } }, "did not say that you are a person"],
    ["breaks off then", "/user", "reset", "did not answer"],
    ["names a bot", "/user", { status: 200, body: { id: 7, login: "renovate", type: "Bot" } }, "did not say that you are a person"],
    [
      "names somebody whom nobody can be called",
      "/user",
      { status: 200, body: { id: 7, login: "a\nb", type: "User" } },
      "did not say that you are a person",
    ],
  ] as const)("fails where GitHub %s", async (_, path, respond, said) => {
    const fresh = await code();
    github.fault({ match: (request) => request.path.endsWith(path), times: 1, respond });
    expect(await failure(open().identify(fresh, VERIFIER))).toContain(said);
  });

  test("fails where there is no GitHub", async () => {
    expect(await failure(open({ webUrl: "http://127.0.0.1:9" }).identify("code", VERIFIER))).toContain("did not answer");
  });
});
