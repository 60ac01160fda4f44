import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { DiffError } from "../../../../src/workspace/local/diff/diff-error.ts";
import { makeRepository, temporaryFolder, type TestFile, type TestTree } from "../git-host.ts";
import { applyTo, filesAfter, filesOf, textAfter } from "./bases.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const repository = makeRepository(temporary.path);

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
const NOISE = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919 + (index >> 3)) % 256));
const BASE: TestTree = {
  "README.md": "# Read me\n",
  "src/sum.js": LINES.join(""),
  "src/windows.txt": "one\r\ntwo\r\nthree\r\n",
  "src/bare.txt": "first\nlast",
  "run.sh": "#!/bin/sh\n",
  "logo.png": NOISE,
  "with blank.txt": "blank\n",
  link: { mode: "120000", bytes: "README.md" },
  module: { submodule: "1".repeat(40) },
};
const without = (path: string): TestTree => Object.fromEntries(Object.entries(BASE).filter(([name]) => name !== path));
const edited = [...LINES.slice(0, 3), "new\n", ...LINES.slice(3, 20), ...LINES.slice(22)].join("");

describe("a diff of git makes of the base what git makes of it", () => {
  const changes: [name: string, after: TestTree, options?: readonly string[]][] = [
    ["a changed file", { ...BASE, "src/sum.js": edited }],
    ["one with no context", { ...BASE, "src/sum.js": edited }, ["-U0"]],
    ["a new and a deleted file", { ...without("README.md"), "docs/new.md": "new\n" }],
    ["an empty new file", { ...BASE, empty: "" }],
    ["a deleted file that was left out", without("src/sum.js"), ["--irreversible-delete"]],
    ["a pure rename", { ...without("src/sum.js"), "lib/sum.js": LINES.join("") }],
    ["a rename with a change", { ...without("src/sum.js"), "lib/sum.js": edited }],
    ["a copy", { ...BASE, "copy.js": LINES.join("") }, ["-C", "--find-copies-harder"]],
    ["two files that change places", { ...BASE, "README.md": LINES.join(""), "src/sum.js": "# Read me\n" }, ["-B", "-M"]],
    ["a mode", { ...BASE, "run.sh": { mode: "100755", bytes: "#!/bin/sh\n" } }],
    ["a mode and a change", { ...BASE, "run.sh": { mode: "100755", bytes: "#!/bin/sh\necho\n" } }],
    ["a file that becomes a link", { ...BASE, "README.md": { mode: "120000", bytes: "/etc/passwd" } }],
    ["a link that points elsewhere", { ...BASE, link: { mode: "120000", bytes: "../../secret" } }],
    ["a new binary file", { ...BASE, "new.bin": NOISE.subarray(0, 777) }],
    ["a binary delta", { ...BASE, "logo.png": Buffer.concat([NOISE, Buffer.from([0, 1, 2])]) }],
    ["a deleted binary file", without("logo.png")],
    ["a renamed binary file", { ...without("logo.png"), "art/logo.png": NOISE }],
    ["a file with CR LF", { ...BASE, "src/windows.txt": "one\r\nzwei\r\nthree\r\n" }],
    ["a file that loses its CR LF", { ...BASE, "src/windows.txt": "one\ntwo\nthree\n" }],
    ["a last line that gets an end", { ...BASE, "src/bare.txt": "first\nlast\n" }],
    ["a last line that loses its end", { ...BASE, "README.md": "# Read me" }],
    ["names with blanks", { ...without("with blank.txt"), "a b/c d.txt": "blank\n", "e b/e b": "x\n" }],
    ["names that are quoted", { ...BASE, [Buffer.from('ü "q"\t\\ x').toString("latin1")]: "x\n" }],
    ["a submodule that moves on", { ...BASE, module: { submodule: "2".repeat(40) } }],
    ["a new submodule", { ...BASE, other: { submodule: "3".repeat(40) } }],
    ["lines that look like a diff", { ...BASE, "src/sum.js": `${LINES.join("")}-- a\n++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n\\ no\n` }],
  ];
  it.each(changes)("%s", async (_, after, options = []) => {
    const [from, to] = [repository.commit(BASE), repository.commit(after)];
    const diff = repository.git(["diff", "--binary", "-M", "--no-ext-diff", ...options, from, to]);
    expect(await filesAfter(repository, from, diff)).toEqual(await filesOf(repository, to));
  });

  it("any mixture of changes, in any form that git writes", async () => {
    const name = fc.constantFrom("a", "b", "a b", "d/a", "d/ü", 'q"uote', "d/e/f");
    const content = fc.oneof(
      fc.array(fc.constantFrom("x\n", "y\n", "\n", "x\r\n", "-- x\n", "z"), { maxLength: 12 }).map((lines) => lines.join("")),
      fc.uint8Array({ maxLength: 40 }),
    );
    const file: fc.Arbitrary<TestFile> = fc.oneof(
      content,
      fc.record({ mode: fc.constantFrom("100755" as const, "120000" as const), bytes: fc.constantFrom("x\n", "a\nb\nc\nd\n") }),
    );
    const raw = (tree: TestTree): TestTree =>
      Object.fromEntries(Object.entries(tree).map(([path, value]) => [Buffer.from(path).toString("latin1"), value]));
    const tree = fc.dictionary(name, file, { maxKeys: 6 }).map(raw);
    const options = fc.subarray(["-M", "-C", "-B", "-U0", "--full-index", "--no-prefix", "--src-prefix=old/", "--find-copies-harder"]);
    await fc.assert(
      fc.asyncProperty(tree, tree, options, async (before, after, forms) => {
        const [from, to] = [repository.commit(before), repository.commit(after)];
        if (repository.text(["rev-parse", `${from}^{tree}`]) === repository.text(["rev-parse", `${to}^{tree}`])) return;
        const diff = repository.git(["diff", "--binary", ...forms, from, to]);
        const made = await filesAfter(repository, from, diff).catch((error: unknown) => {
          // Two readings of names without a prefix can clash, and a broken pair may move a file onto one that the diff does not delete
          // (git apply refuses that as well); then nothing is judged.
          if (error instanceof DiffError && (forms.includes("--no-prefix") || forms.includes("-B"))) return undefined;
          throw error;
        });
        if (made !== undefined) expect(made).toMatchObject(await filesOf(repository, to));
        if (made !== undefined && !forms.includes("--no-prefix")) expect(made).toEqual(await filesOf(repository, to));
      }),
      { numRuns: 60 },
    );
  });
});

describe("diffs of other tools", () => {
  /** GNU diff over two folders. */
  function gnu(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string {
    const room = mkdtempSync(join(temporary.path, "gnu-"));
    for (const [side, files] of [
      ["old", before],
      ["new", after],
    ] as const) {
      mkdirSync(join(room, side));
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(room, side, path)), { recursive: true });
        writeFileSync(join(room, side, path), text);
        utimesSync(join(room, side, path), 1e9, 1e9);
      }
    }
    try {
      return execFileSync("diff", ["-ruN", "old", "new"], { cwd: room, env: { ...process.env, TZ: "Asia/Tokyo" } }).toString();
    } catch (error) {
      return String((error as { readonly stdout: Buffer }).stdout);
    }
  }

  it("GNU diff -ruN: changed, new and deleted files", async () => {
    const before = { "src/a.txt": "a\nb\nc\n", "gone.txt": "gone\n" };
    const diff = gnu(before, { "src/a.txt": "a\nB\nc\n", "new.txt": "new\n" });
    expect(await textAfter(repository, before, diff)).toMatchObject({
      "src/a.txt": "a\nB\nc\n",
      "gone.txt": undefined,
      "new.txt": "new\n",
    });
  });

  it.each([
    [
      "git format-patch",
      `From ${"a".repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\nWords - and words\n---\n a | 2 +-\n 1 file changed\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\n`,
    ],
    [
      "git show",
      `commit ${"a".repeat(40)}\nAuthor: A <a@b>\n\n    words\n\ndiff --git a/a b/a\nindex 78981922..61780798 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n`,
    ],
    [
      "git diff --patch-with-stat",
      " a | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    ["git with mnemonic prefixes", "diff --git i/a w/a\n--- i/a\n+++ w/a\n@@ -1 +1 @@\n-a\n+b\n"],
    ["git without prefixes", "diff --git a a\n--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n"],
    ["Subversion", `Index: a\n${"=".repeat(67)}\n--- a\t(revision 1)\n+++ a\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n`],
    ["a bare unified diff", "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n"],
    ["a mail program that made CR LF of it", "diff --git a/a b/a\r\n--- a/a\r\n+++ b/a\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n"],
  ])("%s", async (_, diff) => {
    expect(await textAfter(repository, { a: "a\n" }, diff)).toEqual({ a: "b\n" });
  });

  it("keeps the line ends of a file with CR LF when the diff's own are CR LF as well", async () => {
    const diff = "--- a/a\r\n+++ b/a\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n";
    expect(await textAfter(repository, { a: "a\r\nb\r\n" }, diff)).toEqual({ a: "a\r\nc\r\n" });
  });

  it("takes an empty line without its blank for one that did not change", async () => {
    expect(await textAfter(repository, { a: "a\n\nb\n" }, "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n")).toEqual({ a: "A\n\nb\n" });
  });
});

describe("a name that can be read in two ways is judged in both", () => {
  const added = (header: string, name: string): string => `${header}--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`;
  it.each([
    ["a new file without a prefix", "diff --git x/y x/y\nnew file mode 100644\n", "x/y", ["x/y", "y"]],
    [
      "a new file that only looks like one without a prefix",
      "diff --git a/.github/x a/.github/x\nnew file mode 100644\n",
      "a/.github/x",
      [".github/x", "a/.github/x"],
    ],
    ["one name alone", "", "x/y", ["x/y", "y"]],
    ["one name alone with git's own prefix", "", "b/y", ["y"]],
  ])("%s", async (_, header, name, paths) => {
    expect(Object.keys(await textAfter(repository, { z: "z" }, added(header, name))).sort()).toEqual(paths);
  });

  it.each([
    ["a changed file that is there with its first folder", "x/y"],
    ["a changed file that is there without its first folder", "y"],
  ])("but not where the base tells: %s", async (_, path) => {
    const diff = "--- x/y\n+++ x/y\n@@ -1 +1 @@\n-a\n+b\n";
    expect(await textAfter(repository, { [path]: "a\n" }, diff)).toEqual({ [path]: "b\n" });
  });

  it("leaves a path that no repository has to the rules", async () => {
    const { after } = await applyTo(
      repository,
      repository.commit({ z: "z" }),
      added("diff --git a/../x b/../x\nnew file mode 100644\n", "b/../x"),
    );
    expect([...after.keys()]).toEqual(["../x"]);
  });
});

describe("what cannot be read exactly is not judged", () => {
  const head = "diff --git a/a b/a\n--- a/a\n+++ b/a\n";
  const good = `${head}@@ -1 +1 @@\n-a\n+b\n`;
  const rows: readonly (readonly [name: string, diff: string, why: RegExp])[] = [
    ["nothing", "", /empty/],
    ["white space", " \n\n", /empty|no part/],
    ["words", "hello\n", /line 1.*no part of a diff/],
    ["words between two files", `${good}and then\n${good}`, /line 7.*no part of a diff/],
    ["a hunk cut short", `${head}@@ -1,99 +1 @@\n-a\n`, /breaks off/],
    ["a hunk with too many lines", `${head}@@ -1 +1 @@\n-a\n-b\n+b\n`, /more lines/],
    ["a line behind a hunk", `${good} c\n`, /no part/],
    ["a hunk without names", "diff --git a/a b/a\n@@ -1 +1 @@\n-a\n+b\n", /no part/],
    ["names without a hunk", head, /shows no change/],
    ["a hunk at another line", `${head}@@ -2 +2 @@\n-a\n+b\n`, /does not fit/],
    ["a hunk for another text", `${head}@@ -1 +1 @@\n-A\n+b\n`, /does not fit/],
    ["hunks out of order", `${head}@@ -2 +2 @@\n-z\n+y\n@@ -1 +1 @@\n-a\n+b\n`, /does not fit/],
    ["a file that is not there", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", /"x", which is not in the base/],
    [
      "a new file that is there",
      "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n",
      /"a", which is in the base/,
    ],
    ["a new file that is none", "diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+b\n", /new or deleted/],
    ["one file twice", good + good, /twice/],
    ["one file deleted and changed", `diff --git a/a b/a\ndeleted file mode 100644\n${good}`, /twice/],
    [
      "a file moved to two places",
      "diff --git a/a b/x\nrename from a\nrename to x\ndiff --git a/a b/y\nrename from a\nrename to y\n",
      /twice/,
    ],
    ["a rename onto a file that stays", "diff --git a/a b/z\nrename from a\nrename to z\n", /"z", which is in the base/],
    ["half a rename", "diff --git a/a b/x\nrename from a\n", /one side of a rename/],
    ["one header twice", "diff --git a/a b/a\nold mode 100644\nold mode 100644\nnew mode 100755\n", /twice/],
    ["names that do not agree", "diff --git a/a b/a\n--- a/a\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n", /do not agree|two files/],
    ["a plain diff about two names", "--- a/a\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n", /two files/],
    ["a binary file left out", "diff --git a/a b/a\nindex 7898192..6178079 100644\nBinary files a/a and b/a differ\n", /binary file out/],
    ["a binary file left out by GNU diff", "Binary files old/a and new/a differ\n", /binary file out/],
    ["a file left out by GNU diff", "Only in new: x\n", /leaves a file out/],
    ["a new file without its content", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..7898192\n", /content of a file out/],
    ["a changed file without its change", "diff --git a/a b/a\nindex 7898192..6178079 100644\n", /content of a file out/],
    ["a merge", "diff --cc a\nindex 1,2..3\n", /merge/],
    ["a mode that git does not keep", "diff --git a/a b/a\nold mode 100644\nnew mode 100600\n", /mode 100600/],
    [
      "a deletion that keeps something",
      "diff --git a/z b/z\ndeleted file mode 100644\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n",
      /keeps a part/,
    ],
    [
      "a file where a folder is",
      "diff --git a/d b/d\nnew file mode 100644\n--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+b\n",
      /"d" to be a file and a folder/,
    ],
    [
      "a folder where a file is",
      "diff --git a/a/b b/a/b\nnew file mode 100644\n--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+b\n",
      /"a" to be a file and a folder/,
    ],
    ["a quoted name that is not closed", 'diff --git "a/a b/a\n--- "a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n', /cannot be read|do not agree/],
    ["a context diff in front", `*** a/a\n--- b/a\n${good}`, /no part/],
    ["a diff hidden in the words of a mail", `From ${"a".repeat(40)} Mon\n\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-z\n+y\n${good}`, /no part/],
    ["a join of two lines", `${head}@@ -1 +1 @@\n-a\n+b\n\\ No newline\n@@ -2 +2 @@\n-b\n+c\n`, /two lines into one|does not fit/],
    ["a missing line end of no line", `${head}@@ -1 +1 @@\n\\ No newline\n-a\n+b\n`, /missing line end/],
    ["properties", "Property changes on: a\n", /properties/],
  ];
  it.each(rows)("%s", async (_, diff, why) => {
    const base = repository.commit({ a: "a\nb\n", z: "z\nz\n", "d/x": "x" });
    const error = await applyTo(repository, base, diff).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DiffError);
    expect((error as Error).message).toMatch(why);
    expect((error as Error).message).not.toMatch(/\n/);
  });

  it.each<[string, (diff: string) => string, RegExp]>([
    ["short ids", (diff) => diff.replace(/^index .*$/m, "index 1234567..7654321"), /full ids/],
    ["another file's id", (diff) => diff.replace(/^index [0-9a-f]{40}/m, `index ${"a".repeat(40)}`), /another file than the base/],
    ["another result's id", (diff) => diff.replace(/\.\.[0-9a-f]{40}/, `..${"a".repeat(40)}`), /another file than it says/],
    ["a line that is too short", (diff) => diff.replace(/^([a-zA-Z])\S{5}(\S*)$/m, "$1$2"), /cannot be read|unpacked|no part/],
    ["a character that means nothing", (diff) => diff.replace(/^(z)\S/m, '$1"'), /cannot be read/],
    [
      "another size",
      (diff) => diff.replace(/^(literal|delta) (\d+)$/m, (_, kind: string, size: string) => `${kind} ${Number(size) + 1}`),
      /says|unpacked/,
    ],
    ["a size that is a bomb", (diff) => diff.replace(/^(literal|delta) \d+$/m, "$1 99999999999"), /more than GitHub takes/],
  ])("a binary patch with %s", async (_, spoil, why) => {
    const [from, to] = [repository.commit({ a: NOISE }), repository.commit({ a: Buffer.from(NOISE).reverse() })];
    const diff = repository.git(["diff", "--binary", from, to]).toString("latin1");
    await expect(applyTo(repository, from, Buffer.from(spoil(diff), "latin1"))).rejects.toThrow(why);
  });
});

describe("hostile diffs", () => {
  it("end in an error or a change set, never in anything else", async () => {
    const base = repository.commit({ a: "a\nb\n" });
    const piece = fc.constantFrom(
      "diff --git a/a b/a\n",
      "--- a/a\n",
      "+++ b/a\n",
      "@@ -1 +1 @@\n",
      "@@ -1,2 +0,0 @@\n",
      "-a\n",
      "+b\n",
      " b\n",
      "\\ No\n",
      "rename from a\n",
      "rename to c\n",
      "deleted file mode 100644\n",
      "index 1..2\n",
      "GIT binary patch\n",
      "literal 3\n",
      "KcmZ\n",
      "\n",
      '"\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const result = await applyTo(repository, base, pieces.join("")).catch((error: unknown) => error);
        expect(result instanceof DiffError || (result !== null && typeof result === "object" && "after" in result)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it("of many megabytes are read", async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `+${"x".repeat(80)}${index}\n`).join("");
    const many = Array.from(
      { length: 1500 },
      (_, index) => `diff --git a/f${index} b/f${index}\nnew file mode 100644\n--- /dev/null\n+++ b/f${index}\n@@ -0,0 +1 @@\n+x\n`,
    );
    const diff = `diff --git a/big b/big\nnew file mode 100644\n--- /dev/null\n+++ b/big\n@@ -0,0 +1,60000 @@\n${lines}${many.join("")}`;
    expect((await applyTo(repository, repository.commit({ z: "z" }), diff)).after.size).toBe(1501);
    const blanks = `diff --git ${"a ".repeat(19_000)}\n`;
    await expect(applyTo(repository, repository.commit({ z: "z" }), blanks)).rejects.toThrow(DiffError);
    await expect(applyTo(repository, repository.commit({ z: "z" }), `diff --git "${'\\" '.repeat(12_000)}"\n`)).rejects.toThrow(DiffError);
  });
});
