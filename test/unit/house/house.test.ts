import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { heardEvents } from "../../../src/triggers/request.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const run = promisify(execFile);
const readme = read("README.md");
const scripts = (JSON.parse(read("package.json")) as { scripts: Record<string, string> }).scripts;

test("the room table is checked against every module of the source", { timeout: 120_000 }, async () => {
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", "src"];
  const { stdout } = await run("node_modules/.bin/depcruise", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const { summary, modules } = JSON.parse(stdout) as { summary: { violations: unknown[] }; modules: { source: string }[] };
  expect(summary.violations).toEqual([]);
  expect(modules.filter(({ source }) => source.startsWith("src/")).length).toBeGreaterThan(150);
});

test("the room table finds an import that it forbids", { timeout: 120_000 }, async () => {
  const args = ["--config", new URL(".dependency-cruiser.cjs", root).pathname, "--output-type", "json", "src"];
  const cwd = new URL("test/fixtures/rooms/", root);
  const found = await run(new URL("node_modules/.bin/depcruise", root).pathname, args, { cwd }).catch((error: { stdout: string }) => error);
  const { summary } = JSON.parse(found.stdout) as { summary: { violations: { rule: { name: string } }[] } };
  expect(summary.violations.map(({ rule }) => rule.name)).toEqual(["room-gate"]);
});

test("the manifest asks for the events that the code hears, and for no more", () => {
  const manifest = parse(read("app.yml")) as { default_events: string[]; default_permissions: Record<string, string> };
  expect(manifest.default_events.toSorted()).toEqual([...heardEvents()].toSorted());
  expect(manifest.default_permissions).toEqual({
    actions: "read",
    checks: "write",
    contents: "write",
    issues: "write",
    metadata: "read",
    pull_requests: "write",
  });
});

test("the README is short, its links lead somewhere, and its commands exist", () => {
  expect(readme.split("\n").length).toBeLessThan(100);
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(existsSync(new URL(link, root)), link).toBe(true);
  const commands = [...readme.matchAll(/npm (?:run )?(demo|test|start|check(?::\w+)?)\b/g)].map(([, name = ""]) => name);
  expect(commands).toContain("demo");
  for (const name of commands) expect(scripts, name).toHaveProperty(name);
});

test("the page on installing names every variable that the environment reads, and no other", () => {
  const page = read("docs/install.md").split("\n## Variables\n")[1] ?? "";
  const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)*)[`=]/g)].map(([, name = ""]) => name);
  const known = [...read("src/config/environment.ts").matchAll(/"([A-Z]+(?:_[A-Z]+)*)"/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].toSorted()).toEqual([...new Set(known)].toSorted());
});

test("every variable that the README names is on that page", () => {
  const page = read("docs/install.md");
  const named = [...readme.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(page, name).toContain(`\`${name}\``);
});

test("workflows use actions by commit only", () => {
  const workflow = parse(read(".github/workflows/ci.yml")) as { jobs: Record<string, { steps: { uses?: string }[] }> };
  const used = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
});
