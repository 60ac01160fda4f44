import { describe, expect, test } from "vitest";
import type { RunRequest } from "../../../src/core/run.ts";
import type { Authorized } from "../../../src/runs/phase-results.ts";
import type { RunDependencies } from "../../../src/runs/run-context.ts";
import { confined } from "../../../src/runs/run-sandbox.ts";
import type { SandboxLevel } from "../../../src/workspace/sandbox/sandbox.ts";

const tools = [{ name: "read_file" }, { name: "run_shell" }] as unknown as RunDependencies["tools"];
const withLevel = (level: SandboxLevel): RunDependencies =>
  ({ tools, sandbox: { backend: "external", level, run: () => Promise.reject(new Error("not run")) } }) as unknown as RunDependencies;
const asked = { actor: { id: 1, login: "ada", isBot: false }, trigger: "mention" } as RunRequest;
const own = { profile: "write", pin: { pull: { sameRepository: true } } } as unknown as Authorized;
const fork = { profile: "read", pin: { pull: { sameRepository: false } } } as unknown as Authorized;

describe.each(["external", "off"] as const)("where the sandbox is %s", (level) => {
  test.each<[string, RunRequest, Authorized]>([
    ["a fork's pull request", asked, fork],
    ["a fork's pull request that would be written to", asked, { ...fork, profile: "write" }],
    ["a run that may only read", asked, { ...own, profile: "read" }],
    ["a run that nobody asked for", { ...asked, unasked: true }, own],
    ["another bot's pull request", { ...asked, byBot: true }, own],
    ["a bot that asks", { ...asked, actor: { id: 2, login: "renovate", isBot: true } }, own],
  ])("%s has none, and no tool that runs commands", (_, request, authorized) => {
    const { sandbox, tools: left } = confined(withLevel(level), request, authorized);
    expect(sandbox).toBeUndefined();
    expect(left.map(({ name }) => name)).toEqual(["read_file"]);
  });

  test("a person who was let in has it", () => {
    const dependencies = withLevel(level);
    expect(confined(dependencies, asked, own)).toBe(dependencies);
    expect(confined(dependencies, asked, { profile: "write" })).toBe(dependencies);
  });
});

test.each(["strong", "partial"] as const)("a sandbox of level %s serves every run", (level) => {
  const dependencies = withLevel(level);
  expect(confined(dependencies, { ...asked, unasked: true }, fork)).toBe(dependencies);
});
