import { describe, expect, it } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { inTemplate, readCommitStyle, readConventions } from "../../../src/runs/conventions.ts";

const base = (files: Readonly<Record<string, string>>) => ({
  commit: "c".repeat(40),
  paths: () => Object.keys(files),
  file: (path: string) => Promise.resolve(files[path] === undefined ? undefined : Buffer.from(files[path])),
});

describe("a pull request template", () => {
  it.each([
    [{ ".github/PULL_REQUEST_TEMPLATE.md": "## What\r\n<!-- say it -->\r\n" }, "## What"],
    [{ "pull_request_template.md": "x" }, "x"],
    [{ "docs/pull_request_template.txt": "x" }, "x"],
    [{ ".github/PULL_REQUEST_TEMPLATE/only.md": "x" }, "x"],
    [{ ".github/PULL_REQUEST_TEMPLATE/a.md": "x", ".github/PULL_REQUEST_TEMPLATE/b.md": "y" }, undefined],
    [{ ".github/PULL_REQUEST_TEMPLATE.md": "<!-- nothing -->" }, undefined],
    [{ "src/pull_request_template.md": "x" }, undefined],
    [{ ".github/pull_request_template.md": "y".repeat(20_000) }, undefined],
  ])("of %j is %j", async (files, template) => {
    expect((await readConventions(base(files))).template).toBe(template);
  });

  it.each([
    [
      "is followed by a description that has one of its headings",
      "## what?\nIt adds.",
      "## What\n\n## Tests\n- [ ] run",
      "## what?\nIt adds.",
    ],
    [
      "takes any other below its first heading",
      "It adds.",
      "Hi!\n## What\n\n## Tests\n- [ ] run",
      "Hi!\n## What\n\nIt adds.\n\n## Tests\n- [ ] run",
    ],
    ["without headings stands below the description", "It adds.", "- [ ] I ran the tests", "It adds.\n\n- [ ] I ran the tests"],
    ["that is none changes nothing", "It adds.", undefined, "It adds."],
  ])("%s", (_, description, template, expected) => {
    expect(inTemplate(description, template)).toBe(expected);
  });
});

describe("the style of commits", () => {
  const style = (titles: readonly string[] | Error) =>
    readCommitStyle(
      {
        reader: { commitTitles: () => (titles instanceof Error ? Promise.reject(titles) : Promise.resolve(titles)) } as never,
        log: silent,
      },
      "c",
    );

  it.each([
    [["feat: a", "fix(web): b", "chore!: c"], true],
    [["feat: a", "fix(web): b", "Merge branch x", "Tidy", "docs: e"], true],
    [["Add a", "Fix b", "feat: c"], false],
    [["feat: a"], false],
    [[], false],
  ])("is conventional of %j: %s", async (titles, isConventional) => {
    expect(await style(titles)).toMatchObject({ isConventional });
  });

  it("is unknown where GitHub does not say", async () => {
    expect(await style(new Error("away"))).toEqual({ titles: [], isConventional: false });
  });
});
