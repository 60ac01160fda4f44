import { rmSync } from "node:fs";
import { dirname } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { locateRipgrep } from "../../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../../src/workspace/search/ripgrep.ts";
import { scanSearch } from "../../../../src/workspace/search/scan.ts";
import { folder } from "./folder.ts";

const oracle = ripgrepSearch({ binary: (await locateRipgrep("")) ?? "ripgrep is not installed" });
const scan = scanSearch();
const signal = new AbortController().signal;

const directory = folder({
  "a.ts": "const a = [1, 2];\nfunction go(x) {\n\treturn x;\n}\n\n// TODO: naïve Straße K\n",
  "b.md": "# Title\r\n\r\n- one\r\n- two  \r\nend",
  "mixed.txt": "aa\rbb\r\ncc\n\n\r\nab ba\n",
  "bom.json": "\ufeff{}\n{\n",
  "latin1.txt": Buffer.from("caf\xe9 a\nplain a\n", "latin1"),
  "utf16.txt": Buffer.from("\ufeffa wide\r\nb\n", "utf16le"),
  "some.bin": Buffer.from("a\0b\na\n"),
  "empty.txt": "",
  "deep/er/x1.js": "aaa\nbbb\nab\nàé ６ _x-y\n",
  "deep/[x].js": "a-b a_b a.b\n{a,b} $a ^a\n",
});
afterAll(() => rmSync(dirname(directory), { recursive: true, force: true }));

/** What a search found, complaints being equal whatever their words. */
async function answer(search: typeof scan, query: Parameters<typeof scan.grep>[0]) {
  const found = await search.grep(query);
  return found.ok ? found : { ok: false };
}

const PIECES = [
  "a",
  "b",
  "x",
  "é",
  "ß",
  "k",
  " ",
  "-",
  "_",
  ".",
  "\\.",
  "\\w",
  "\\W",
  "\\d",
  "\\s",
  "\\S",
  "\\b",
  "\\B",
  "^",
  "$",
  "\\<",
  "\\>",
  "\\A",
  "[ab]",
  "[^a]",
  "[a-z&&[^b]]",
  "[\\w--a]",
  "[a-c~~b-d]",
  "[]a]",
  "[-a]",
  "[a-]",
  "[^]-]",
  "[[:upper:]]",
  "[[:^alpha:]]",
  "\\pL",
  "\\p{Greek}",
  "\\P{Lu}",
  "\\x41",
  "\\x{e9}",
  "\\u00e9",
  "\\/",
  "\\{",
  "\\}",
  "}",
  "]",
  "(?i)",
  "(?-i)",
  "(?i:A)",
  "(?:a|b)",
  "(?P<n>a)",
  "(a|)",
  "|",
  "*",
  "+",
  "?",
  "{2}",
  "{1,2}",
  "{2,}",
  "*?",
  "+?",
  "\\t",
  "\\r",
  "\\n",
  "\\e",
  "\\1",
  "(?=a)",
  "(",
  ")",
  "[",
  "\\p{Nope}",
  "\\b{start}",
  "\\b{end-half}",
] as const;

describe("the scan answers as ripgrep does", () => {
  it("to patterns put together at random", async () => {
    const pattern = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    const query = fc.record({ pattern, ignoreCase: fc.boolean(), context: fc.nat(2), limit: fc.constantFrom(3, 100) });
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const question = { directory, signal, ...asked };
        expect(await answer(scan, question)).toEqual(await answer(oracle, question));
      }),
      { numRuns: 250 },
    );
  });

  it.each([
    "(?i)straße",
    "(?i)k",
    "STRASSE",
    "\\Aconst",
    "^$",
    "^",
    "$",
    "x*",
    "(?s)a.b",
    "(?U)a+",
    "(?m)^b",
    "\\bna",
    "caf.",
    "caf",
    "\\xe9",
    "wide$",
    "[[a-c]--[b]]",
    "[a&&b]",
    "a{0}",
    "(a*)*",
    "(?i:S)traße",
    "foo|(?i)TITLE|x",
    "[\\d_]x",
    "[a\\-z]",
    "[+--]",
    "(?P<n.1>a)",
    "\\p{L}",
    "\\p{lowercase}",
    "\\p{script=latin}",
    "\\p{Latin}",
  ])("to %s", async (pattern) => {
    for (const ignoreCase of [false, true]) {
      const question = { directory, signal, pattern, ignoreCase, limit: 50, context: 1 };
      expect(await answer(scan, question)).toEqual(await answer(oracle, question));
    }
  });

  it("to globs put together at random", async () => {
    const pieces = [
      "a",
      "b",
      "er",
      "deep",
      "x1",
      "*",
      "**",
      "/",
      "?",
      ".",
      ".js",
      ".ts",
      "[a-z]",
      "[!a]",
      "[[]",
      "[]]",
      "{a,b}",
      "{js,md}",
      "{",
      "}",
      "\\[",
      "!",
      ".txt",
    ];
    const glob = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(glob, async (asked) => {
        const [mine, theirs] = await Promise.all([scan, oracle].map((search) => search.files({ directory, signal, glob: asked })));
        expect(mine?.ok === true ? mine : { ok: false }).toEqual(theirs?.ok === true ? theirs : { ok: false });
      }),
      { numRuns: 250 },
    );
  });

  it("to ignore rules put together at random", async () => {
    const rule = fc
      .tuple(
        fc.constantFrom("", "", "!", "/", "#", " "),
        fc.constantFrom("a", "*", "b*", "**", "a/b", "a/**", "**/b", "a/*", "b.x", "*.x", "[ab]", "{a,b}", "\\a", "a?"),
        fc.constantFrom("", "", "/", " ", "\\ "),
      )
      .map((parts) => parts.join(""));
    const rules = fc.array(rule, { maxLength: 4 }).map((lines) => `${lines.join("\n")}\n`);
    const names = ["a", "b", "b.x", "ab"];
    const paths = [
      "c",
      ...names.flatMap((name) => [`${name}/f`, `${name}/b.x`, `${name}/b/b.x`, `${name}/a/g`]),
      "c/a",
      "c/b.x",
      "e.x",
      "a ",
    ];
    await fc.assert(
      fc.asyncProperty(rules, rules, async (outer, inner) => {
        const files = Object.fromEntries(
          paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))).map((path) => [path, "x\n"]),
        );
        const at = folder({ ...files, ".gitignore": outer, "a/.gitignore": inner });
        try {
          expect(await scan.files({ directory: at, signal })).toEqual(await oracle.files({ directory: at, signal }));
        } finally {
          rmSync(dirname(at), { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("where the scan is another engine, it says so", () => {
  it("leaves out what its pattern takes too long for, and finds the rest", async () => {
    const at = folder({ "long.txt": `${"a".repeat(50_000)}!\n`, "z.txt": "aaa\n" });
    onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
    const found = await scan.grep({ directory: at, signal, pattern: "(a|a)+$", limit: 10 });
    expect(found).toMatchObject({ ok: true, matches: 1, note: expect.stringMatching(/took too long for "long\.txt"/) });
  });

  it("takes linear time for a hostile ignore rule", async () => {
    const at = folder({ ".gitignore": `${"*a".repeat(40)}b\n`, ["a".repeat(200)]: "x\n" });
    onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
    expect(await scan.files({ directory: at, signal })).toEqual({ ok: true, paths: [".gitignore", "a".repeat(200)] });
  });

  it.each([
    ["a flag that it does not know", "(?x)a b", /the flag x is not known here/],
    ["bytes instead of characters", "(?-u)a", /the flag u cannot be turned off/],
    ["too much repetition", "a{1000000}", /too large/],
    ["groups without end", "(".repeat(5000), /nested groups/],
  ])("refuses %s", async (_, pattern, why) => {
    expect(await scan.grep({ directory, signal, pattern, limit: 1 })).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it("stops at its deadline and says so", async () => {
    expect(await scanSearch({ timeoutMs: 0 }).grep({ directory, signal, pattern: "a", limit: 1 })).toMatchObject({
      note: expect.stringMatching(/too long/),
    });
  });

  it("throws the reason when the run is stopped", async () => {
    await expect(
      scan.grep({ directory, signal: AbortSignal.abort(new Error("stopped by a person")), pattern: "x", limit: 1 }),
    ).rejects.toThrow("stopped by a person");
  });
});
