import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const CLI = new URL("src/cli.ts", ROOT).pathname;

function sallyport(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const overview = sallyport(["--help"]).stdout;
const commands = [...overview.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = ""]) => name);

describe("the command line's help", () => {
  it("lists the commands, in lines that fit a terminal", () => {
    expect(commands).toContain("gate");
    expect(commands.length).toBeGreaterThan(9);
    for (const line of overview.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it.each(commands)("explains %s by its options and by examples of it, whichever way it is asked", (name) => {
    const { status, stdout } = sallyport(["help", name]);
    expect(status).toBe(0);
    expect(stdout).toBe(sallyport([name, "--help"]).stdout);
    const lines = stdout.split("\n");
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    const options = lines.flatMap((line) => /^ {2}(--[a-z]+)/.exec(line)?.[1] ?? []);
    const examples = lines.slice(lines.indexOf("Examples") + 1).filter((line) => line.includes("sallyport "));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(example).toContain(`sallyport ${name}`);
      for (const [option] of example.matchAll(/--[a-z]+/g)) expect(options, example).toContain(option);
    }
    for (const [, page = ""] of stdout.matchAll(/^More: (\S+)$/gm)) expect(existsSync(new URL(page, ROOT)), page).toBe(true);
  });

  it("is the list of commands also with an option behind it, as a script adds one", () => {
    expect(sallyport(["--help", "--cwd", "/"])).toEqual({ status: 0, stdout: overview, stderr: "" });
  });

  it("is a line, and not a page, for a command that there is not", () => {
    const { status, stdout, stderr } = sallyport(["docter"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^sallyport: there is no command "docter"; did you mean doctor\? \(.*\bgate\b.*\)\n$/);
  });
});

it("says which Node.js it takes where it is called with an older one", () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` };
  const { status, stderr } = sallyport(["gate", "main..HEAD"], env);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^sallyport gate: this is Node\.js 20\.20\.2, and it takes >=24\. .*npm run.*\n$/);
  expect(sallyport(["gate", "--help"], env).status).toBe(0);
});

describe("a start that cannot succeed", () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  // GitHub does not answer there: the patience with it must keep no process that has failed.
  const app = { APP_ID: "1", PRIVATE_KEY: privateKey, WEBHOOK_SECRET: "s", GHE_HOST: "127.0.0.1:1", GHE_PROTOCOL: "http", PORT: "0" };

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ["a role without PostgreSQL", ["--role", "worker"], {}, "--role worker needs PostgreSQL"],
    ["a role that there is not", ["--role", "boss"], {}, "--role boss is not known"],
    ["a database that does not answer", [], { DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" }, "DATABASE_URL: PostgreSQL at 127.0.0.1:1/x"],
    ["a file of the server's that is not there", [], { SALLYPORT_CONFIG: "/none.yml" }, "SALLYPORT_CONFIG names a file"],
  ])("ends by itself with one line that names it: %s", (_, args, more, said) => {
    const { status, stderr } = sallyport(["serve", ...args], { ...app, ...more });
    expect(status).toBe(1);
    expect(stderr.startsWith(`sallyport: ${said}`), stderr).toBe(true);
    expect(stderr.trim()).not.toContain("\n");
  });
});

describe("a command that cannot be meant", () => {
  it.each([
    [["run"], /There is no task\./],
    [["init"], /--yes/],
    [["setup", "--port", "x"], /--port/],
    [["advisories"], /import/],
    [["config"], /explain/],
    [["graph"], /something to look for/],
    [["pause", "--installation", "x"], /installation/],
    [["serve", "--rol", "web"], /did you mean --role\?/],
  ])("%j ends with status 2 and a line that says what is expected", (args, said) => {
    const { status, stdout, stderr } = sallyport(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(said);
    expect(stderr.trim()).not.toContain("\n");
  });
});
