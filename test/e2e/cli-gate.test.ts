import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { gate, type GateCommandOptions } from "../../src/commands/gate.ts";
import { checkouts, GIT, put, type Files } from "./checkouts.ts";
import { FILES } from "./stage.ts";

const { checkout, remove, room } = checkouts();
afterAll(remove);

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const CONFIG = ".github/sallyport.yml";
const WORKFLOW = "on: push\njobs: {}\n";
const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const FIXED = { "src/sum.js": FILES["src/sum.js"].replace("a - b", "a + b") };
interface Call extends Partial<Omit<GateCommandOptions, "cwd" | "ranges">> {
  readonly range?: string;
  readonly config?: unknown;
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Calls the command in this process. */
async function judge(root: string, { range, config, input = "", variables = {}, ...options }: Call) {
  const file = join(room, "server.yml");
  if (config !== undefined) writeFileSync(file, JSON.stringify(config));
  let stdout = "";
  let stderr = "";
  const status = await gate(
    { cwd: root, ranges: range === undefined ? [] : [range], ...options },
    {
      variables: { PATH: GIT.PATH, ...(config === undefined ? {} : { SALLYPORT_CONFIG: file }), ...variables },
      stdin: Readable.from(input === "" ? [] : [Buffer.from(input)]),
      write: (text) => void (stdout += text),
      complain: (line) => void (stderr += `${line}\n`),
    },
  );
  return { status, stdout, stderr };
}
const RANGE = "HEAD~1..HEAD";

describe("gate on a range", () => {
  it.each<[string, Files, number, RegExp]>([
    ["a harmless change", FIXED, 0, /^PASS/m],
    ["no change at all", {}, 0, /0 files .* no findings/],
    ["a picture beside a change", { "docs/a.png": Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 255, 254]), ...FIXED }, 0, /^PASS/m],
    ["a workflow", { ".github/workflows/x.yml": WORKFLOW }, 1, /BLOCK +protected-paths +\.github\/workflows\/x\.yml/],
    ["a workflow in other letters", { ".GitHub/Workflows/x.yml": WORKFLOW }, 1, /BLOCK .*\.GitHub\/Workflows\/x\.yml/],
    ["a token", { "src/token.js": `export const a = 1\nexport const token = "${TOKEN}"\n` }, 1, /BLOCK +secrets +src\/token\.js:2/],
    [
      "more files than one change may have",
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, "x\n"])),
      1,
      /101 files \(limit 100\)/,
    ],
  ])("%s", async (_, change, status, shown) => {
    const { root } = checkout(change);
    const result = await judge(root, { range: RANGE });
    expect(result).toMatchObject({ status, stderr: "" });
    expect(result.stdout).toMatch(shown);
    expect(result.stdout).not.toContain(TOKEN);
  });

  it("says what was there before and lets it be", async () => {
    const text = `const token = "${TOKEN}"\n`;
    const { root } = checkout({ "src/token.js": text }, { "src/token.js": `${text}// more\n` });
    const result = await judge(root, { range: RANGE });
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/INFO +secrets +src\/token\.js:1/);
  });

  it("finds a file that moved into a protected place under both its names", async () => {
    const { root, git } = checkout({ "drafts/ci.yml": WORKFLOW });
    mkdirSync(join(root, ".github/workflows"), { recursive: true });
    git("mv", "drafts/ci.yml", ".github/workflows/ci.yml");
    git("commit", "-q", "-m", "move");
    expect(await judge(root, { range: RANGE })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(".github/workflows/ci.yml") as unknown,
    });
  });

  it("keeps values of this process's secrets in", async () => {
    const secret = "swordfish-of-the-server-0815";
    const { root } = checkout({ "notes.md": `the password is ${secret}\n` });
    expect((await judge(root, { range: RANGE })).status).toBe(0);
    const held = await judge(root, { range: RANGE, variables: { SALLYPORT_DASHBOARD_TOKEN: secret } });
    expect(held).toMatchObject({ status: 1, stdout: expect.stringMatching(/BLOCK +held-secrets/) as unknown });
    expect(held.stdout).not.toContain(secret);
  });

  it("of two thousand files is judged whole, and the one bad file is found", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2000 }, (_, n) => [
        `src/gen/f${n}.js`,
        `export const f${n} = ${n}\n${"// some text that fills the file\n".repeat(20)}`,
      ]),
    );
    const { root, commit } = checkout(many);
    const config = { gate: { limits: { files: 5000 } } };
    expect(await judge(root, { range: RANGE, config })).toMatchObject({ status: 0 });
    commit({ "src/gen/f1999.js": `export const token = "${TOKEN}"\n` });
    const found = await judge(root, { range: "HEAD~2..HEAD", config });
    expect(found).toMatchObject({ status: 1, stdout: expect.stringContaining("src/gen/f1999.js:1") as unknown });
    expect(found.stdout.length).toBeLessThan(20_000);
  });
});

describe("the policy", () => {
  const ask = { gate: { protected: { "docs/**": "ask" } } };
  const docs = { "docs/policy.md": "# Policy\n" };

  it("of the server may ask for approval, which a block beside it outweighs", async () => {
    const { root, commit } = checkout(docs);
    expect(await judge(root, { range: RANGE, config: ask })).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/ASK +protected-paths +docs\/policy\.md/) as unknown,
    });
    expect(await judge(root, { range: RANGE })).toMatchObject({ status: 0 });
    commit({ ".github/workflows/x.yml": WORKFLOW });
    expect(await judge(root, { range: "HEAD~2..HEAD", config: ask })).toMatchObject({ status: 1 });
  });

  it("of the repository is the base's, whatever the change makes of it", async () => {
    const strict = { [CONFIG]: 'gate:\n  protected: { "docs/**": ask }\n' };
    const loose = { [CONFIG]: "gate: {}\n", ...docs };
    const { root, git } = checkout(strict, loose);
    const result = await judge(root, { range: RANGE });
    expect(result.stdout).toMatch(/ASK +protected-paths +docs\/policy\.md/);
    // A diff against the same base, and a folder.
    const diff = git("diff", "HEAD~1", "HEAD");
    expect((await judge(root, { diff: "-", input: diff, base: "HEAD~1" })).stdout).toMatch(/ASK +protected-paths +docs\/policy\.md/);
    expect((await judge(root, { dir: root, base: "HEAD~1" })).stdout).toMatch(/ASK +protected-paths +docs\/policy\.md/);
  });

  it("of the repository may loosen what is built in, and nothing that the server has set", async () => {
    const own = { [CONFIG]: 'gate:\n  protected: { "docs/**": warn, "docs/policy.md": warn }\n  limits: { files: 500 }\n' };
    const { root } = checkout(own, { ...docs, ...Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}`, "x\n"])) });
    expect(await judge(root, { range: RANGE })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/WARN .*docs\/policy\.md/) as unknown,
    });
    expect(await judge(root, { range: RANGE, config: ask })).toMatchObject({ status: 2 });
    expect(await judge(root, { range: RANGE, config: { gate: { limits: { files: 120 } } } })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("limit 120") as unknown,
    });
  });

  it.each<[string, Call, Files, RegExp]>([
    [
      "the server's, by file, line and key",
      { config: { gate: { limit: {} } } },
      {},
      /server\.yml:1: gate\.limit: this key is not known; did you mean limits\?/,
    ],
    [
      "the base's, by file, line and key",
      {},
      { [CONFIG]: "label: bot\ngate:\n  hosts: yes\n" },
      /HEAD~1:\.github\/sallyport\.yml:3: gate\.hosts: expected array/,
    ],
    ["a file that is not there", { variables: { SALLYPORT_CONFIG: "nowhere.yml" } }, {}, /SALLYPORT_CONFIG.*nowhere\.yml/],
  ])("that cannot be read stops everything: %s", async (_, call, base, message) => {
    const { root } = checkout(base, FIXED);
    const result = await judge(root, { range: RANGE, ...call });
    expect(result).toMatchObject({ status: 3, stdout: "" });
    expect(result.stderr).toMatch(message);
  });

  it("that is a link stops everything", async () => {
    const { root, git, commit } = checkout();
    mkdirSync(join(root, ".github"));
    symlinkSync("../policy.yml", join(root, CONFIG));
    git("add", "-A");
    git("commit", "-q", "-m", "link");
    commit(FIXED);
    expect(await judge(root, { range: RANGE })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("is no regular file") as unknown,
    });
  });
});

describe("known vulnerabilities", () => {
  const manifest = {
    "package.json": `${JSON.stringify({ ...(JSON.parse(FILES["package.json"]) as object), dependencies: { lodash: "4.17.11" } }, null, 2)}\n`,
  };

  it("ask where there is nothing to look them up in", async () => {
    const { root } = checkout(manifest);
    expect(await judge(root, { range: RANGE })).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/ASK +vulnerabilities +package\.json/) as unknown,
    });
  });

  it("are looked up in the GitHub that a token was given for", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`);
      response.setHeader("content-type", "application/json");
      const advisory = {
        ghsa_id: "GHSA-aaaa-bbbb-cccc",
        summary: "It pollutes",
        severity: "high",
        type: "reviewed",
        vulnerabilities: [
          { package: { ecosystem: "npm", name: "lodash" }, vulnerable_version_range: "< 4.17.12", first_patched_version: "4.17.12" },
        ],
      };
      response.end(JSON.stringify(request.url?.includes("type=malware") === true ? [] : [advisory]));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { root } = checkout(manifest);
      const { port } = server.address() as AddressInfo;
      const variables = { GITHUB_TOKEN: "token-of-the-caller", GHE_HOST: `127.0.0.1:${port}`, GHE_PROTOCOL: "http" };
      const result = await judge(root, { range: RANGE, variables });
      expect(result).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/BLOCK +vulnerabilities +package\.json[\s\S]*GHSA-aaaa-bbbb-cccc/) as unknown,
      });
      expect(asked[0]).toMatch(/^token token-of-the-caller \/api\/v3\/advisories\?/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe("gate on a diff", () => {
  it.each<[string, Files, number, string]>([
    ["a workflow", { ".github/workflows/x.yml": WORKFLOW }, 1, ".github/workflows/x.yml"],
    ["a harmless change", FIXED, 0, "PASS"],
    ["a picture", { "logo.png": Buffer.from([137, 80, 78, 71, 0, 1, 2, 255]) }, 0, "PASS"],
    ["a rename into the workflows", { "README.md": null, ".github/workflows/ci.yml": FILES["README.md"] }, 1, ".github/workflows/ci.yml"],
  ])("%s, from a file and from standard input, leaving the checkout as it was", async (_, change, status, shown) => {
    const { root, git } = checkout();
    put(root, change);
    git("add", "-A");
    const diff = git("diff", "--cached", "--binary", "-M");
    git("reset", "-q", "--hard");
    writeFileSync(join(room, "change.diff"), diff);
    for (const call of [{ diff: join(room, "change.diff") }, { diff: "-", input: diff }]) {
      const result = await judge(root, call);
      expect(result).toMatchObject({ status, stderr: "" });
      expect(result.stdout).toContain(shown);
    }
    expect(git("status", "--porcelain")).toBe("");
  });

  it("judges the change as a commit would be, not as the work tree stands", async () => {
    const { root } = checkout();
    put(root, { "src/sum.js": "somebody's work\n" });
    const diff = "--- a/src/sum.js\n+++ b/src/sum.js\n@@ -2 +2 @@\n-  return a - b\n+  return a + b\n";
    expect(await judge(root, { diff: "-", input: diff })).toMatchObject({ status: 0 });
  });
});

describe("gate on a folder", () => {
  it("counts what differs: a file more, one less, a link", async () => {
    const { root, git } = checkout();
    const dir = mkdtempSync(join(room, "result-"));
    const call = { dir, base: "HEAD" };
    put(dir, { ...FILES, ...FIXED });
    expect(await judge(root, call)).toMatchObject({ status: 0, stdout: expect.stringContaining("1 file ") as unknown });
    put(dir, { ".github/workflows/x.yml": WORKFLOW });
    expect(await judge(root, call)).toMatchObject({ status: 1, stdout: expect.stringContaining(".github/workflows/x.yml") as unknown });
    put(dir, { ".github": null });
    symlinkSync("/etc/passwd", join(dir, "src/users.txt"));
    expect(await judge(root, call)).toMatchObject({ status: 1, stdout: expect.stringContaining("src/users.txt") as unknown });
    put(dir, { src: null });
    expect((await judge(root, { ...call, format: "json" })).stdout).toContain('"files": 1');
    execFileSync("mkfifo", [join(dir, "pipe")]);
    expect(await judge(root, call)).toMatchObject({ status: 1, stdout: expect.stringMatching(/BLOCK +workspace +pipe/) as unknown });
    expect(git("status", "--porcelain")).toBe("");
  });
});

describe("the formats", () => {
  it("say the same of one change", async () => {
    const { root } = checkout({ ".github/workflows/x.yml": WORKFLOW, "src/ü b#1.js": `const token = "${TOKEN}"\n` });
    const [text, json, sarif] = await Promise.all(["text", "json", "sarif"].map((format) => judge(root, { range: RANGE, format })));
    for (const result of [text, json, sarif]) expect(result).toMatchObject({ status: 1, stderr: "" });
    expect(text?.stdout).toContain("src/ü b#1.js:1");
    const { findings } = JSON.parse(json?.stdout ?? "") as { readonly findings: readonly { readonly path: string }[] };
    expect(findings.map(({ path }) => path)).toContain("src/ü b#1.js");
    expect(sarif?.stdout).toContain("src/%C3%BC%20b%231.js");
  });
});

describe("what cannot be judged", () => {
  const garbled = join(room, "garbled.diff");
  writeFileSync(garbled, "diff --git a/x b/x\n@@ -1,99 +1 @@\n-a\n");
  it.each<[string, Call, RegExp]>([
    ["an unknown revision", { range: "no-such-ref..HEAD" }, /no-such-ref/],
    ["a single revision", { range: "HEAD" }, /no range/],
    ["an empty range", { range: "" }, /no range/],
    ["nothing", {}, /something to judge/],
    ["two things", { range: RANGE, diff: "-" }, /one thing at a time/],
    ["a garbled diff", { diff: garbled }, /diff/i],
    ["an empty diff", { diff: "-" }, /empty/],
    ["a missing diff", { diff: "missing.diff" }, /missing\.diff/],
    ["a folder as a diff", { diff: "." }, /cannot be read/],
    ["a missing folder", { dir: "missing", base: "HEAD" }, /missing/],
    ["a folder without a base", { dir: "." }, /--base/],
    ["a range with a base", { range: RANGE, base: "HEAD" }, /--base/],
    ["an unknown base", { dir: ".", base: "no-such-ref" }, /no-such-ref/],
    ["an unknown format", { range: RANGE, format: "xml" }, /xml/],
    ["an inherited name as a format", { range: RANGE, format: "constructor" }, /constructor/],
  ])("answers 3, in one line: %s", async (_, call, message) => {
    const { root } = checkout(FIXED);
    const result = await judge(root, call);
    expect(result).toMatchObject({ status: 3, stdout: "" });
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("answers 3 outside a repository, and where there is no git", async () => {
    expect(await judge(room, { range: RANGE })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("not in a git checkout") as unknown,
    });
    expect(await judge(checkout(FIXED).root, { range: RANGE, variables: { PATH: "/nowhere" } })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("git") as unknown,
    });
  });
});

describe("the command line", () => {
  function run(
    args: readonly string[],
    { cwd = room, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd, env: { ...GIT, ...env }, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  it.each([
    ["gate", "HEAD..HEAD"],
    ["config", "explain"],
    ["config", "explain", "--json"],
  ])("%s %s: what a repository's file holds steers no terminal", (...args) => {
    const hostile = String.raw`{"\u001b]0;x\u0007": 1, "\u009b31m": 1, label: "\u202e\u001b[2J", gate: {protected: {"\u001b[31m": no}}}`;
    const { root } = checkout({ [CONFIG]: hostile });
    const { stdout, stderr } = run(args, { cwd: root });
    expect(stderr + stdout).toContain(String.raw`\u001b`);
    // oxlint-disable-next-line no-control-regex
    expect(stderr + stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("answers the status, and works in the folder it is told or was called from", () => {
    const { root } = checkout({ ".github/workflows/x.yml": WORKFLOW });
    expect(run(["gate", RANGE], { cwd: root })).toMatchObject({ status: 1, stderr: "" });
    expect(run(["gate", RANGE, "--cwd", root])).toMatchObject({ status: 1 });
    const called = { INIT_CWD: root, npm_lifecycle_event: "sallyport", npm_package_name: "sallyport" };
    expect(run(["gate", RANGE], { env: called })).toMatchObject({ status: 1 });
    expect(run(["gate", RANGE], { env: { ...called, npm_lifecycle_event: "lint" } })).toMatchObject({ status: 3 });
  });

  it.each<[readonly string[], number, RegExp]>([
    [["gate", RANGE, "--fromat", "json"], 3, /--fromat; did you mean --format\?/],
    [["gate", RANGE, "--format"], 3, /--format/],
    [["gate", RANGE, "HEAD..HEAD"], 3, /one thing at a time/],
    [["gat"], 2, /did you mean gate\?/],
    [["serve", "extra"], 2, /serve/],
  ])("refuses %j", (args, status, message) => {
    const result = run([...args]);
    expect(result).toMatchObject({ status, stdout: "" });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it("explains itself", () => {
    const help = run(["gate", "--help"]);
    expect(help.status).toBe(0);
    for (const option of ["--diff", "--dir", "--base", "--format", "--cwd", "base..head"]) expect(help.stdout).toContain(option);
  });
});
