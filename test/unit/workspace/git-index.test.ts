import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { gitIndex } from "../../../src/workspace/git-index.ts";
import type { TreeFile } from "../../../src/workspace/tree.ts";
import { makeRepository, temporaryFolder } from "./git-host.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const repository = makeRepository(temporary.path);
const read = (index: Buffer): string => {
  const file = join(mkdtempSync(join(temporary.path, "index-")), "index");
  writeFileSync(file, index);
  const env = { PATH: process.env["PATH"] ?? "", GIT_INDEX_FILE: file };
  return execFileSync("git", [`--git-dir=${repository.gitDir}`, "ls-files", "--stage", "-z"], { env }).toString("latin1");
};

const part = fc.string({ unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)), minLength: 1, maxLength: 12 });
// Folders end with a letter that no file begins with, so that nothing is both.
const path = fc
  .tuple(fc.array(part, { maxLength: 2 }), part)
  .map(([folders, name]) => [...folders.map((folder) => `${folder.replaceAll("/", "_")}D`), `f${name.replaceAll("/", "_")}`].join("/"));
const file = fc.record({
  mode: fc.constantFrom<TreeFile["mode"]>("100644", "100755", "120000", "160000"),
  sha: fc.stringMatching(/^[1-9a-f][0-9a-f]{39}$/),
  size: fc.constant(0),
});

test("git reads of an index what the tree holds, in its own order, whatever bytes the names are of", () => {
  fc.assert(
    fc.property(fc.dictionary(path, file, { maxKeys: 20 }), (files) => {
      const tree = { files: new Map(Object.entries(files)), folders: new Map<string, string>() };
      const stamp = { size: 2n ** 40n + 5n, mode: 0n, ino: 2n ** 33n + 7n, mtimeNs: 1_700_000_000_123_456_789n, ctimeNs: 1n };
      const lines = Object.entries(files)
        .sort(([a], [b]) => Buffer.compare(Buffer.from(a, "latin1"), Buffer.from(b, "latin1")))
        .map(([name, { mode, sha }]) => `${mode} ${sha} 0\t${name}\0`);
      expect(read(gitIndex(tree, (name) => (name.length % 2 === 0 ? stamp : undefined), 1000))).toBe(lines.join(""));
    }),
    { numRuns: 40 },
  );
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 4094, 4095, 4096, 6000])("a name of %i bytes is kept whole", (length) => {
  const name = "n".repeat(length);
  const sha = "a".repeat(40);
  const files = new Map<string, TreeFile>([
    [name, { mode: "100644", sha, size: 0 }],
    ["o", { mode: "100755", sha, size: 0 }],
  ]);
  expect(read(gitIndex({ files, folders: new Map() }, () => undefined, 0))).toBe(`100644 ${sha} 0\t${name}\x00100755 ${sha} 0\to\0`);
});
