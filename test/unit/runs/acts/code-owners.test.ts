import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { parseCodeOwners } from "../../../../src/runs/acts/code-owners.ts";
import { compileOwnerPattern } from "../../../../src/runs/acts/owner-pattern.ts";

const folder = mkdtempSync(join(tmpdir(), "sallyport-owners-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is written of the file in GitHub's documentation, and what follows from it. */
const DOCUMENTED = `
# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`;

describe("a CODEOWNERS file", () => {
  test.each([
    ["README.md", ["global-owner1", "global-owner2"]],
    ["src/deep/er/x.js", ["js-owner"]],
    ["a.go", []],
    ["notes.txt", ["octo-org/octocats"]],
    ["docs/getting-started.md", ["doctocat"]],
    ["docs/build-app/troubleshooting.md", ["doctocat"]],
    ["lib/apps/x.c", ["octocat"]],
    ["scripts/a/b", ["doctocat", "octocat"]],
    ["build/logs/x", ["octocat"]],
    ["deeply/nested/logs/x", ["octocat"]],
    ["apps/x", ["octocat"]],
    ["apps/github/x", []],
    ["apps/github", []],
  ])("is read as GitHub's own example says: %s", (path, owners) => {
    const { users = [], teams = [] } = parseCodeOwners(DOCUMENTED).ownersOf(path) ?? {};
    expect([...users, ...teams]).toEqual(owners);
  });

  test.each([
    ["docs/*", ["docs/a"], ["docs/a/b", "x/docs/a", "docs"]],
    ["/*", ["a"], ["a/b"]],
    ["*", ["a", "a/b"], []],
    ["docs", ["docs", "docs/a/b", "x/docs/a"], ["docsx"]],
    ["docs/", ["docs/a", "x/docs/a"], ["docs"]],
    ["/a/**/b", ["a/b", "a/x/y/b", "a/b/c"], ["x/a/b"]],
    ["/a/**", ["a/b", "a/b/c"], ["a"]],
    ["/with\\ blank", ["with blank", "with blank/x"], ["with", "with\\"]],
    ["/Case", ["Case"], ["case"]],
    ["/a?c", ["abc"], ["a/c", "ac"]],
    ["/\\*", ["*"], ["a"]],
  ])("takes %s for what it means", (pattern, inside, outside) => {
    const { ownersOf } = parseCodeOwners(`${pattern} @somebody`);
    for (const path of inside) expect(ownersOf(path)?.users, path).toEqual(["somebody"]);
    for (const path of outside) expect(ownersOf(path), path).toBeUndefined();
  });

  test.each(["!docs/", "[ab].js", "\\#x", "***/x", "/", "a//b"])("skips what GitHub does not take: %s", (pattern) => {
    expect(parseCodeOwners(`* @all\n${pattern} @somebody`)).toMatchObject({ skipped: [2] });
    expect(parseCodeOwners(`* @all\n${pattern} @somebody`).ownersOf("a.js")?.users).toEqual(["all"]);
  });

  test.each(["@", "somebody", "@a/b/c", "@-x", "@who?", "@\u0430lice"])("skips a line with an owner that is none: %j", (owner) => {
    const read = parseCodeOwners(`* @all\n*.js @somebody ${owner}`);
    expect(read.skipped).toEqual([2]);
    expect(read.ownersOf("a.js")?.users).toEqual(["all"]);
  });

  test("lets the last line that matches decide, also where it names nobody", () => {
    const { ownersOf } = parseCodeOwners("* @all\r\n/src/ @core\r\n/src/free\r\n");
    expect(ownersOf("src/x")?.users).toEqual(["core"]);
    expect(ownersOf("src/free/x")).toEqual({ users: [], teams: [], addresses: [] });
    expect(parseCodeOwners("/x @one").ownersOf("y")).toBeUndefined();
  });

  test("matches in time that does not explode", () => {
    const matches = compileOwnerPattern(`/${"*a".repeat(200)}/${"**/".repeat(100)}b`);
    expect(matches?.(`${"a".repeat(200)}/${"x/".repeat(500)}c`)).toBe(false);
  });

  test("matches as git ignores, which is what GitHub says of it", () => {
    const name = fc.stringMatching(/^[ab]{1,3}$/);
    const segment = fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(/^[ab*?]{1,3}$/).filter((text) => !text.includes("**")) },
      { weight: 1, arbitrary: fc.constant("**") },
    );
    const pattern = fc
      .tuple(fc.constantFrom("", "/"), fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "/"))
      .map(([front, segments, behind]) => front + segments.join("/") + behind)
      // The one rule that is CODEOWNERS' own is in the table above.
      .filter((text) => !text.endsWith("/*"));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    const cases = fc.sample(fc.tuple(pattern, fc.array(path, { minLength: 3, maxLength: 8 })), { numRuns: 300, seed: 5 });
    execFileSync("git", ["init", "-q", folder]);
    const asked = cases.flatMap(([one, paths], index) => {
      mkdirSync(join(folder, String(index)));
      writeFileSync(join(folder, String(index), ".gitignore"), `${one}\n`);
      return paths.map((each) => ({ one, each, at: `${index}/${each}` }));
    });
    const said = execFileSync("git", ["-C", folder, "check-ignore", "--no-index", "-z", "--stdin"], {
      input: asked.map(({ at }) => `${at}\0`).join(""),
      encoding: "utf8",
    });
    const ignored = new Set(said.split("\0"));
    expect(ignored.size).toBeGreaterThan(100);
    for (const { one, each, at } of asked) expect([one, each, compileOwnerPattern(one)?.(each)]).toEqual([one, each, ignored.has(at)]);
  });
});
