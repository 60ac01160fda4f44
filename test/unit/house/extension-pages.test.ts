import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");
const blocks = (page: string, language: string): readonly string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

describe("the table of what other plugin systems do", () => {
  const [, part = ""] = read("docs/extensions.md").split("\n## What other plugin systems do, and where it is here\n");
  const rows = [...part.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)]
    .map(([, there = "", here = "", title = ""]) => ({ there, here, title }))
    .filter(({ there }) => there !== "there" && !/^-+$/.test(there));
  const tests = globSync("test/**/*.test.ts", { cwd: ROOT }).map(read).join("\n");

  it("has a row for each feature of the three", () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map(({ there }) => there)).size).toBe(rows.length);
  });

  test.each(rows)("shows $there by a test that there is", ({ title }) => {
    // The title of a test, or of one of many rows, as it stands in the source.
    expect(tests).toMatch(new RegExp(`(?:\\b(?:it|test)\\(|\\)\\()\\s*"${title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}"`));
  });
});

const SHAPES = [
  ["docs/extension-hooks.md", "examples/deployment-status/index.ts"],
  ["docs/extension-handlers.md", "examples/changelog-entry/index.ts"],
  ["docs/extension-register.md", "examples/repository-metadata/index.ts"],
  ["docs/extension-testing.md", "examples/extension-template/test/index.test.ts"],
] as const;

test.each(SHAPES)("%s shows the whole of %s, as it is", (page, example) => {
  expect(blocks(page, "ts")).toEqual([read(example)]);
});

test.each(SHAPES.slice(0, 3))("%s: the original shape is a module that parses", (page) => {
  const [original = "", ...more] = blocks(page, "js");
  expect(more).toEqual([]);
  const checked = spawnSync(process.execPath, ["--check", "--input-type=module"], { input: original, encoding: "utf8" });
  expect(checked, checked.stderr).toMatchObject({ status: 0 });
});
