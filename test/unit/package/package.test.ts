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
  const { stdout } = await run(process.execPath, [file], { cwd: project, env: { PATH: process.env["PATH"], LOG_FORMAT: "json" } });
  return stdout;
}

/** What the page on installing shows to those who start it from a program of theirs. */
async function programs(): Promise<readonly string[]> {
  const page = await readFile(join(root, "docs/install.md"), "utf8");
  return [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
}

describe("the package", () => {
  test("holds what is run and read, and nothing of how it is made", () => {
    for (const name of [
      "LICENSE",
      "README.md",
      "app.yml",
      "dist/cli.js",
      "dist/index.d.ts",
      "dist/testing.d.ts",
      "dist/gate/secrets/scan-worker.js",
      "dist/tools/script/isolate-worker.js",
      "examples/action/mention.yml",
      "examples/durations/package.json",
      "schema/sallyport.schema.json",
    ]) {
      expect(packed).toContain(name);
    }
    const shipped = /^(?:dist\/.+\.(?:js|d\.ts|tar\.zst)|docs\/[\w-]+\.md|examples\/.+|schema\/[\w.-]+\.json|[\w.]+)$/;
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

  test("starts from the program that the page on installing shows, against its own embedded GitHub and scripted model", async () => {
    const [, embedded = ""] = await programs();
    const output = await module(`
      ${embedded}
      const { status } = await fetch(sallyport.url + "/healthz");
      await sallyport.stop();
      await Promise.all([github.stop(), model.stop()]);
      console.log(JSON.stringify({ status }));
    `);
    const lines = output.trim().split("\n");
    expect(lines.at(-1)).toBe('{"status":200}');
    expect(output).toContain('"msg":"ready for webhooks"');
  });

  test("has types by which programs are checked without taking any of it on trust", async () => {
    const own = `
      import { startSallyport, SallyportError, type GateRule, type Sallyport } from "sallyport";
      const rule: GateRule["name"] = "mine";
      const started: Sallyport = await startSallyport(process.env, { role: "all" });
      // @ts-expect-error a role that there is not
      await startSallyport(process.env, { role: "both" }).catch((error: unknown) => error instanceof SallyportError);
      export { rule, started };
    `;
    const shown = await programs();
    expect(shown.length).toBe(2);
    const files = await Promise.all(
      [own, ...shown].map(async (text, index) => {
        await writeFile(join(project, `program-${index}.ts`), text);
        return `program-${index}.ts`;
      }),
    );
    const args = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const checked = spawnSync(process.execPath, [join(root, "node_modules/ts7/bin/tsc"), ...args, ...files], {
      cwd: project,
      encoding: "utf8",
    });
    expect(checked).toMatchObject({ stdout: "", status: 0 });
  });

  test("carries a template of an extension that passes its own test and its own check of types where it is copied to", async () => {
    const copy = join(project, "my-extension");
    await cp(join(installed, "examples/extension-template"), copy, { recursive: true });
    const { scripts } = JSON.parse(await readFile(join(copy, "package.json"), "utf8")) as { scripts: Record<string, string> };
    expect(scripts).toEqual({ test: "node --test test/*.test.ts", check: "tsc" });
    const checked = spawnSync(process.execPath, [join(root, "node_modules/ts7/bin/tsc")], { cwd: copy, encoding: "utf8" });
    expect(checked).toMatchObject({ stdout: "", status: 0 });
    const env = { PATH: process.env["PATH"] };
    const tried = spawnSync(process.execPath, ["--test", "test/index.test.ts"], { cwd: copy, encoding: "utf8", env });
    expect(tried.stdout).toMatch(/^. pass 2$/m);
    expect(tried.status).toBe(0);
  }, 120_000);
});
