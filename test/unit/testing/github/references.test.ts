import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitFiles, initBare, resolveCommit } from "../../../../src/testing/github/git/objects.ts";
import { listBranches, readReference } from "../../../../src/testing/github/git/references.ts";
import { gitLines, runGit, tryGit } from "../../../../src/testing/github/git/run-git.ts";

const folder = mkdtempSync(join(tmpdir(), "references-"));
const git = join(folder, "repository.git");
const byGit = (name: string): string | undefined =>
  tryGit(git, ["rev-parse", "--verify", "-q", "--end-of-options", name])?.toString().trim();
let commit = "";

beforeAll(() => {
  initBare(git, "main");
  commit = commitFiles(git, undefined, { "a.txt": "a\n" }, { message: "one" });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("references are read as git reads them, loose and packed, whatever they are called", () => {
  const segment = fc.oneof(fc.stringMatching(/^[a-z0-9._-]{1,6}$/), fc.constantFrom("main", "..", "a", "b", "a.lock", "@", "é", "HEAD"));
  const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => `refs/heads/${parts.join("/")}`);
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean(), (names, packs) => {
      for (const each of names) tryGit(git, ["update-ref", each, commit]);
      if (packs) runGit(git, ["pack-refs", "--all"]);
      expect(listBranches(git)).toEqual(gitLines(git, ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"]));
      for (const each of [...names, ...names.map((one) => `${one}/x`), "refs/heads", "refs/heads/none"]) {
        expect(readReference(git, each)).toBe(byGit(each));
        expect(resolveCommit(git, each)).toBe(byGit(`${each}^{commit}`));
      }
      for (const branch of listBranches(git)) runGit(git, ["update-ref", "-d", `refs/heads/${branch}`]);
      rmSync(join(git, "packed-refs"), { force: true });
    }),
    { numRuns: 5 },
  );
});

test("a reference to a reference leads where git follows it", () => {
  runGit(git, ["update-ref", "refs/heads/main", commit]);
  runGit(git, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
  expect(readReference(git, "refs/heads/alias")).toBe(commit);
});
