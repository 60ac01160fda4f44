import { describe, expect, it } from "vitest";
import { makeTestPlan } from "../../../src/runs/test-plan.ts";
import type { CommitFiles } from "../../../src/workspace/commit-files.ts";

function base(files: Readonly<Record<string, string>>): CommitFiles {
  return {
    commit: "c".repeat(40),
    paths: () => Object.keys(files),
    file: (path) => Promise.resolve(files[path] === undefined ? undefined : Buffer.from(files[path])),
  };
}

const NODE = { "package.json": '{"scripts":{"test":"node --test"}}' };

describe("how a repository is tested", () => {
  it("is what its configuration says, before anything the repository says of itself", async () => {
    const plan = await makeTestPlan({ test: "make check", setup: "make deps", paths: {} }, base(NODE));
    expect(plan).toMatchObject({ setup: "make deps", script: "node --test" });
    expect(plan?.commandsFor(["a.js"])).toEqual(["make check"]);
  });

  it("is what its base branch says where nobody configured it, workflows of any name before manifests", async () => {
    expect((await makeTestPlan({ paths: {} }, base(NODE)))?.commandsFor(["a.js"])).toEqual(["npm test"]);
    const workflow = "on: push\njobs:\n  a:\n    steps:\n      - run: npx vitest run\n";
    const files = { ...NODE, ".github/workflows/odd-name.yml": workflow };
    expect((await makeTestPlan({ paths: {} }, base(files)))?.commandsFor(["a.js"])).toEqual(["npx vitest run"]);
  });

  it("can be another one for a part of it, each command once", async () => {
    const paths = { "web/**": { test: "cd web && npm test" }, "docs/": { test: "make links" }, "*.py": { build: "x" } };
    const plan = await makeTestPlan({ test: "make test", paths }, base({}));
    expect(plan?.commandsFor(["web/a.js", "web/b/c.js"])).toEqual(["cd web && npm test"]);
    expect(plan?.commandsFor(["docs/a.md", "a.py", "web/x"])).toEqual(["make links", "make test", "cd web && npm test"]);
  });

  it("is its build where nothing tests it, and nothing where nobody knows", async () => {
    expect((await makeTestPlan({ build: "make", paths: {} }, base({})))?.commandsFor(["a"])).toEqual(["make"]);
    expect(await makeTestPlan({ paths: {} }, base({ "package.json": "no json" }))).toBeUndefined();
  });
});
