import { execFile, spawnSync } from "node:child_process";
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

let scratch: string;
/** A project of somebody's, with the package as npm would put it there and the package's own dependencies: nothing that is ours for development. */
let project: string;
let installed: string;
let manifest: Manifest;
let packed: readonly string[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "sallyport-package-"));
  const staging = join(scratch, "staging");
  await mkdir(staging);
  manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const sources = manifest.files.filter((name) => name !== "dist").map((name) => (name.includes("*") ? dirname(name) : name));
  for (const name of ["package.json", "README.md", "LICENSE", ...sources]) {
    await cp(join(root, name), join(staging, name), { recursive: true });
  }
  await run(process.execPath, [join(root, "scripts/build-package.ts"), join(staging, "dist")]);
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], { cwd: staging });
  const [tarball] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  packed = tarball?.files.map(({ path }) => path) ?? [];

  project = join(scratch, "project");
  installed = join(project, "node_modules/sallyport");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(scratch, tarball?.filename ?? ""), "--strip-components=1", "-C", installed]);
  for (const name of [...Object.keys(manifest.dependencies), "@types/node"]) {
    await mkdir(dirname(join(project, "node_modules", name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(project, "node_modules", name));
  }
  await writeFile(join(project, "package.json"), '{ "type": "module" }\n');
}, 120_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A module of the project, run there. */
async function module(text: string): Promise<string> {
  const file = join(project, "main.mjs");
  await writeFile(file, text);
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  return stdout;
}

describe("the package", () => {
  test("holds what is run and read, and nothing of how it is made", () => {
    for (const name of [
      "LICENSE",
      "README.md",
      "app.yml",
      "dist/cli.js",
      "dist/index.d.ts",
      "dist/testing/index.d.ts",
      "dist/gate/secrets/scan-worker.js",
      "dist/tools/script/isolate-worker.js",
      "examples/durations/package.json",
      "schema/sallyport.schema.json",
    ]) {
      expect(packed).toContain(name);
    }
    const shipped = /^(?:dist\/.+\.(?:js|d\.ts|tar\.zst)|docs\/[\w-]+\.md|examples\/durations\/.+|schema\/[\w.-]+\.json|[\w.]+)$/;
    const ours = /(?:^|\/)\.|\.(?:pem|key|log|env)$|(?:^|\/)fixtures\/|^dist\/.*\.test\./;
    expect(packed.filter((path) => !shipped.test(path) || ours.test(path))).toEqual([]);
  });

  test("imports nothing that it does not bring", async () => {
    const known = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies), ...builtinModules]);
    const foreign = new Set<string>();
    for await (const name of glob("dist/**/*.js", { cwd: installed })) {
      const text = await readFile(join(installed, name), "utf8");
      for (const [, from = ""] of text.matchAll(/^(?:import(?: [^";]*? from)?|export [^";=]*? from) "([^".][^"]*)";$/gm)) {
        const [scope = "", rest] = from.replace(/^node:/, "").split("/");
        const owner = scope.startsWith("@") ? `${scope}/${rest}` : scope;
        if (!known.has(owner)) foreign.add(`${name}: ${from}`);
      }
    }
    expect([...foreign]).toEqual([]);
  });

  test("is laid out as publint wants it", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, level: "suggestion" });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test("is a command that says its release and what it does", () => {
    const sallyport = (argument: string): string =>
      spawnSync(process.execPath, [join(installed, "dist/cli.js"), argument], { cwd: project, encoding: "utf8" }).stdout;
    expect(sallyport("--version")).toBe(`${manifest.version}\n`);
    expect(sallyport("--help")).toContain("sallyport <command> --help");
  });

  test("starts from a program of somebody's, against its own embedded GitHub and scripted model", async () => {
    const answer = await module(`
      import { startSallyport } from "sallyport";
      import { call, startEmbeddedGitHub, startScriptedModel } from "sallyport/testing";
      const lines = [];
      const log = { debug() {}, info: (_, line) => lines.push(line), warn: (_, line) => lines.push(line), error: (_, line) => lines.push(line), child: () => log };
      const github = await startEmbeddedGitHub({ directory: "./github" });
      const sallyport = await startSallyport({ ...github.environment, PATH: process.env.PATH, SALLYPORT_DATA_DIR: "./data" }, { log });
      const { status } = await fetch(sallyport.url + "/healthz");
      await sallyport.stop();
      await github.stop();
      console.log(JSON.stringify({ status, lines, given: [typeof startScriptedModel, typeof call] }));
    `);
    const { status, lines, given } = JSON.parse(answer) as { status: number; lines: string[]; given: string[] };
    expect({ status, given }).toEqual({ status: 200, given: ["function", "function"] });
    expect(lines).toContain("ready for webhooks");
  });

  test("has types by which a program is checked without taking any of it on trust", async () => {
    await writeFile(
      join(project, "consumer.ts"),
      `
      import { startSallyport, SallyportError, type GateRule, type Sallyport } from "sallyport";
      import { say, startScriptedModel } from "sallyport/testing";
      const rule: GateRule["name"] = "mine";
      const started: Sallyport = await startSallyport(process.env, { role: "all" });
      const model = await startScriptedModel([say("hello")]);
      // @ts-expect-error a role that there is not
      await startSallyport(process.env, { role: "both" }).catch((error: unknown) => error instanceof SallyportError);
      export { model, rule, started };
      `,
    );
    const args = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const checked = spawnSync(process.execPath, [join(root, "node_modules/ts7/bin/tsc"), ...args, "consumer.ts"], {
      cwd: project,
      encoding: "utf8",
    });
    expect(checked.stdout).toBe("");
    expect(checked.status).toBe(0);
  });
});
