import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { doctor } from "../../../src/commands/doctor.ts";
import { gitOutcome } from "../../../src/commands/doctor/git-check.ts";
import { NEEDED } from "../../../src/commands/doctor/github-checks.ts";
import { sandboxAdvice } from "../../../src/commands/doctor/sandbox-advice.ts";
import { sandboxOutcome } from "../../../src/commands/doctor/sandbox-check.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

interface Answers {
  app: { status: number; body: object };
  deliveries: { status: number; body: unknown };
  models: { status: number; body: object };
  date?: Date;
}
const good = (): Answers => ({
  app: {
    status: 200,
    body: {
      id: 7,
      slug: "sallyport",
      permissions: NEEDED,
      events: ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment", "workflow_run"],
    },
  },
  deliveries: { status: 200, body: [200, 200, 200].map((status_code, id) => ({ id, status_code })) },
  models: { status: 200, body: { data: [{ id: "gpt-5" }] } },
});
let answers = good();
let server: Server;
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const { status, body } = url.endsWith("/models") ? answers.models : url.includes("/hook/deliveries") ? answers.deliveries : answers.app;
    const date = answers.date === undefined ? {} : { date: answers.date.toUTCString() };
    response.writeHead(status, { "content-type": "application/json", ...date }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());

const SECRETS = { WEBHOOK_SECRET: "webhook-secret-of-the-test", OPENAI_API_KEY: "key-of-the-test-0123456789" };
async function examine(more: Readonly<Record<string, string>> = {}, change: (answers: Answers) => void = () => undefined) {
  answers = good();
  change(answers);
  const { port } = server.address() as AddressInfo;
  const variables = {
    PATH: process.env["PATH"] ?? "",
    APP_ID: "7",
    PRIVATE_KEY: privateKey,
    GHE_HOST: `127.0.0.1:${port}`,
    GHE_PROTOCOL: "http",
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    SALLYPORT_MODEL: "gpt-5",
    ...SECRETS,
    ...more,
  };
  let text = "";
  const status = await doctor({ json: true, cwd: "/" }, { variables, write: (part) => (text += part) });
  const { checks } = JSON.parse(text) as {
    checks: readonly { name: string; status: string; says: string; details?: readonly string[]; advice?: readonly string[] }[];
  };
  return { status, text, of: (name: string) => checks.find((check) => check.name === name) };
}

describe("the doctor", () => {
  test("finds nothing in the way of a server that has all it needs", async ({ skip }) => {
    const { status, of, text } = await examine();
    if (of("sandbox")?.status === "failed") return skip("this machine has no sandbox");
    for (const name of ["configuration", "git", "environment", "app", "clock", "permissions", "deliveries", "model"]) {
      expect.soft(of(name)?.status, `${name}: ${of(name)?.says}`).toBe("ok");
    }
    expect(status, text).toBe(0);
    return undefined;
  });

  test.each<[string, Readonly<Record<string, string>>, (answers: Answers) => void, string, RegExp]>([
    ["a missing variable", { WEBHOOK_SECRET: "" }, () => undefined, "environment", /^WEBHOOK_SECRET is missing/],
    [
      "several variables at once",
      { APP_ID: "", WEBHOOK_SECRET: "", PORT: "x" },
      () => undefined,
      "environment",
      /^3 variables are missing/,
    ],
    ["a machine without git", { PATH: "/none" }, () => undefined, "git", /could not be started/],
    ["a malformed one", { APP_ID: "seven" }, () => undefined, "environment", /^APP_ID is "seven"/],
    [
      "id and key of different Apps",
      {},
      (now) => (now.app = { status: 401, body: { message: "Bad credentials" } }),
      "app",
      /APP_ID and PRIVATE_KEY/,
    ],
    ["a GitHub that does not answer", { GHE_HOST: "127.0.0.1:1" }, () => undefined, "app", /127\.0\.0\.1:1/],
    ["a clock that is far off", {}, (now) => (now.date = new Date(Date.now() - 300_000)), "clock", /30\d s ahead of GitHub/],
    [
      "a permission that is missing",
      {},
      (now) => (now.app.body = { ...now.app.body, permissions: { ...NEEDED, checks: "read" } }),
      "permissions",
      /lacks checks: write/,
    ],
    [
      "deliveries that were answered 401",
      {},
      (now) => (now.deliveries.body = [401, 400, 200].map((status_code, id) => ({ id, status_code }))),
      "deliveries",
      /^WEBHOOK_SECRET .* 2 of the last 3/,
    ],
    ["a model that does not answer", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, () => undefined, "model", /127\.0\.0\.1:1/],
    ["a key that is refused", {}, (now) => (now.models = { status: 401, body: {} }), "model", /^OPENAI_API_KEY is refused/],
  ])("names %s, says what to do and ends with 1", async (_, variables, change, name, says) => {
    const { status, of } = await examine(variables, change);
    expect(of(name)).toMatchObject({ status: "failed", says: expect.stringMatching(says) });
    expect([...(of(name)?.advice ?? []), ...(of(name)?.details ?? [])].join(" ")).toMatch(/\w{3}/);
    expect(status).toBe(1);
  });

  test.each<[string, (answers: Answers) => void, string, RegExp]>([
    [
      "permissions that the App must never use",
      (now) => (now.app.body = { ...now.app.body, permissions: { ...NEEDED, workflows: "write" } }),
      "permissions",
      /workflows/,
    ],
    ["events that it does not hear", (now) => (now.app.body = { ...now.app.body, events: ["issues"] }), "permissions", /issue_comment/],
    [
      "deliveries none of which arrives",
      (now) => (now.deliveries.body = [502, 502].map((status_code, id) => ({ id, status_code }))),
      "deliveries",
      /none of the last 2/,
    ],
    ["a model that is not listed", (now) => (now.models.body = { data: [{ id: "other" }] }), "model", /does not list gpt-5/],
  ])("warns of %s", async (_, change, name, says) => {
    expect((await examine({}, change)).of(name)).toMatchObject({ status: "warning", says: expect.stringMatching(says) });
  });

  test.each([
    ["does not list deliveries", (now: Answers) => (now.deliveries = { status: 404, body: {} }), "deliveries"],
    ["is not the App's", (now: Answers) => (now.app = { status: 401, body: {} }), "permissions"],
  ])("says what it could not see where GitHub %s", async (_, change, name) => {
    expect((await examine({}, change)).of(name)?.status).toBe("skipped");
  });

  test("says what the token of a workflow cannot do, and nothing of it where there is none", async () => {
    const token = "ghs_token-of-the-test-0123456789";
    const { of, text } = await examine({ GITHUB_TOKEN: token, GITHUB_ACTIONS: "true" });
    expect(of("GITHUB_TOKEN")).toMatchObject({
      status: "warning",
      says: expect.stringContaining("start no CI"),
      details: expect.arrayContaining([expect.stringContaining("Allow GitHub Actions to create and approve pull requests")]),
      advice: expect.arrayContaining([expect.stringContaining("github_token")]),
    });
    expect(text).not.toContain(token);
    expect((await examine({ GITHUB_TOKEN: token })).of("GITHUB_TOKEN")?.status).toBe("ok");
    expect((await examine()).of("GITHUB_TOKEN")).toBeUndefined();
  });

  test("names setup where no App is set up at all, and not where one is set up in part", async () => {
    const without = { APP_ID: "", PRIVATE_KEY: "", WEBHOOK_SECRET: "" };
    expect((await examine(without)).of("environment")?.advice).toEqual([expect.stringContaining('"sallyport setup"')]);
    expect((await examine({ ...without, APP_ID: "7" })).of("environment")?.advice ?? []).toEqual([]);
  });

  test.each([
    ["git version 2.34.1\n", "failed"],
    ["git version 1.99.0\n", "failed"],
    ["git version 2.35.0\n", "ok"],
    ["git version 2.39.5 (Apple Git-154)\n", "ok"],
    ["git version 3.0.0.rc1\n", "ok"],
    ["", "failed"],
  ] as const)("takes a git that says %j as %s", (said, status) => {
    expect(gitOutcome(said).status).toBe(status);
  });

  test("prints no secret, whatever is wrong", async () => {
    for (const change of [() => undefined, (now: Answers) => (now.models = { status: 401, body: { error: SECRETS.OPENAI_API_KEY } })]) {
      const { text } = await examine({}, change);
      for (const secret of [...Object.values(SECRETS), "PRIVATE KEY-----"]) expect(text).not.toContain(secret);
    }
  });

  test("asks for the permissions of the App's manifest", () => {
    const manifest = parse(readFileSync(new URL("../../../app.yml", import.meta.url), "utf8")) as { default_permissions: object };
    expect(NEEDED).toEqual(manifest.default_permissions);
  });
});

describe("the doctor's word on the sandbox", () => {
  const linux = { platform: "linux", isContainer: false, restrictsNamespaces: false };
  const sandbox = (level: "strong" | "partial"): Sandbox => ({
    backend: "bubblewrap",
    level,
    run: () => Promise.reject(new Error("not run")),
  });

  test("is a failure where there is none, with every canary that got out", () => {
    const tried = [{ backend: "bubblewrap", escaped: ["tcp: the host was reached", "limits: processes 9999"] }] as const;
    const outcome = sandboxOutcome({ reason: "none holds", tried }, linux);
    expect(outcome.status).toBe("failed");
    expect(outcome.details?.join("\n")).toMatch(
      /got out by tcp: the host was reached\n.*limits: processes 9999\n.*held environment, reading/,
    );
  });

  test("is a warning below strong, and good news at strong", () => {
    expect(sandboxOutcome({ sandbox: sandbox("partial"), reason: "holds" }, linux).status).toBe("warning");
    expect(sandboxOutcome({ sandbox: sandbox("strong"), reason: "holds" }, linux).status).toBe("ok");
  });

  test.each([
    [
      "Debian without bubblewrap",
      { ...linux, distribution: { id: "debian", version: "12" }, lacks: ["bwrap"] },
      /apt-get install --yes bubblewrap/,
    ],
    ["Fedora without bubblewrap", { ...linux, distribution: { id: "fedora", version: "43" }, lacks: ["bwrap"] }, /dnf install/],
    [
      "an Ubuntu 24.04 runner",
      { ...linux, distribution: { id: "ubuntu", version: "24.04" }, restrictsNamespaces: true, lacks: [] },
      /profile bwrap \/usr\/bin\/bwrap[^}]*userns,/,
    ],
    ["a container", { ...linux, isContainer: true, lacks: [] }, /systempaths=unconfined/],
    ["macOS", { ...linux, platform: "darwin", lacks: [] }, /npm install @anthropic-ai\/sandbox-runtime[^]*not been tried on a Mac/],
    ["another system", { ...linux, platform: "win32", lacks: [] }, /mode: external/],
    ["a kernel without user namespaces", { ...linux, lacks: [] }, /user\.max_user_namespaces/],
  ])("says what to do on %s", (_, machine, advice) => {
    expect(sandboxAdvice(machine).join("\n")).toMatch(advice);
  });
});
