import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { TextQuery } from "../../../../src/workspace/search/file-search.ts";
import { locateRipgrep } from "../../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../../src/workspace/search/ripgrep.ts";
import { scanSearch } from "../../../../src/workspace/search/scan.ts";
import { folder } from "./folder.ts";

const binary = (await locateRipgrep("")) ?? "ripgrep is not installed";
const signal = new AbortController().signal;

const directory = folder({
  ".gitignore": "*.log\n/out/\n!keep.log\n",
  ".ignore": "a.txt\n",
  ".git/config": "alpha\n",
  "a.txt": "alpha\r\nbeta\r\n",
  "-dash.txt": "alpha\n",
  "keep.log": "alpha\n",
  "x.log": "alpha\n",
  "out/y.txt": "alpha\n",
  "sub/.gitignore": "hidden.txt\n",
  "sub/hidden.txt": "alpha\n",
  "sub/[x] y.txt": "Alpha\n",
  "sub/new\nline.txt": "alpha\n",
  "sub/deep/.dot.js": "alpha beta\n",
  "sub/.GIT/config": "alpha\n",
  "日本/語.txt": "アルファ alpha\n",
});
afterAll(() => rmSync(dirname(directory), { recursive: true, force: true }));

const SEEN = [
  "-dash.txt",
  ".gitignore",
  ".ignore",
  "a.txt",
  "keep.log",
  "sub/.gitignore",
  "sub/[x] y.txt",
  "sub/deep/.dot.js",
  "sub/new\nline.txt",
  "日本/語.txt",
];

describe.each([
  ["ripgrep", ripgrepSearch({ binary })],
  ["the scan without it", scanSearch()],
])("%s", (_name, search) => {
  async function linesOf(query: Partial<TextQuery> & { readonly pattern: string }, at = directory): Promise<readonly string[]> {
    const found = await search.grep({ directory: at, signal, limit: 100, ...query });
    if (!found.ok) throw new Error(found.why);
    return found.files.flatMap(({ path, lines }) => lines.map(({ line, matches, text }) => `${path}${matches ? ":" : "-"}${line}:${text}`));
  }

  describe("files", () => {
    it("lists what the repository does not ignore, whatever the machine says", async () => {
      expect(await search.files({ directory, signal })).toEqual({ ok: true, paths: SEEN });
    });

    it.each([
      ["*.txt", ["-dash.txt", "a.txt", "sub/[x] y.txt", "sub/new\nline.txt", "日本/語.txt"]],
      ["**/a.txt", ["a.txt"]],
      ["/*.txt", ["-dash.txt", "a.txt"]],
      ["./*.txt", ["-dash.txt", "a.txt"]],
      ["sub/*", ["sub/.gitignore", "sub/[x] y.txt", "sub/new\nline.txt"]],
      ["sub/**", ["sub/.gitignore", "sub/[x] y.txt", "sub/deep/.dot.js", "sub/new\nline.txt"]],
      ["*.{js,log}", ["keep.log", "sub/deep/.dot.js"]],
      ["sub/[[]x] y.txt", ["sub/[x] y.txt"]],
      ["-d*", ["-dash.txt"]],
      ["日本/*", ["日本/語.txt"]],
      ["**/*.log", ["keep.log"]],
      ["out/**", []],
      ["sub/hidden.txt", []],
      ["**/.git/**", []],
      ["!*.txt", []],
    ])("finds by %s what is not ignored", async (glob, paths) => {
      expect(await search.files({ directory, glob, signal })).toEqual({ ok: true, paths });
    });

    it("says what is wrong with a glob", async () => {
      expect(await search.files({ directory, glob: "{a", signal })).toEqual({
        ok: false,
        why: expect.stringMatching(/^The glob cannot be used: .*unclosed/),
      });
    });

    it("follows no link and leaves out what cannot be read", async () => {
      const at = folder({ "a.txt": "alpha\n", "locked.txt": "alpha\n" });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      symlinkSync("/etc", join(at, "etc"));
      symlinkSync("/etc/passwd", join(at, "passwd.txt"));
      chmodSync(join(at, "locked.txt"), 0);
      expect(await search.files({ directory: at, signal })).toEqual({ ok: true, paths: ["a.txt", "locked.txt"] });
      expect(await linesOf({ pattern: "root|alpha" }, at)).toContain("a.txt:1:alpha");
      expect(await linesOf({ pattern: "root" }, at)).toEqual([]);
    });
  });

  describe("grep", () => {
    it("finds by path and line, and no more than is seen", async () => {
      expect(await linesOf({ pattern: "alpha" })).toEqual([
        "-dash.txt:1:alpha",
        "a.txt:1:alpha",
        "keep.log:1:alpha",
        "sub/deep/.dot.js:1:alpha beta",
        "sub/new\nline.txt:1:alpha",
        "日本/語.txt:1:アルファ alpha",
      ]);
    });

    it.each([
      ["below a folder", { pattern: "alpha", path: "sub" }, ["sub/deep/.dot.js:1:alpha beta", "sub/new\nline.txt:1:alpha"]],
      ["in one file", { pattern: "alpha", path: "-dash.txt" }, ["-dash.txt:1:alpha"]],
      ["in a file that is ignored but named", { pattern: "alpha", path: "out/y.txt" }, ["out/y.txt:1:alpha"]],
      ["by glob", { pattern: "alpha", glob: "*.{js,log}" }, ["keep.log:1:alpha", "sub/deep/.dot.js:1:alpha beta"]],
      ["by folder and glob", { pattern: "alpha", path: "sub", glob: "**/*.txt" }, ["sub/new\nline.txt:1:alpha"]],
      ["whatever the case", { pattern: "ALPHA", path: "sub/[x] y.txt", ignoreCase: true }, ["sub/[x] y.txt:1:Alpha"]],
      ["at the end of a CRLF line", { pattern: "beta$", path: "a.txt" }, ["a.txt:2:beta"]],
      ["with its neighbours", { pattern: "beta", path: "a.txt", context: 1 }, ["a.txt-1:alpha", "a.txt:2:beta"]],
      ["what looks like an option", { pattern: "--files" }, []],
    ])("finds %s", async (_, query, expected) => {
      expect(await linesOf(query)).toEqual(expected);
    });

    it("counts what it does not keep, and keeps the first ones", async () => {
      const at = folder(
        Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${String(n).padStart(3, "0")}.txt`, "x\n".repeat(40)])),
      );
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      const found = await search.grep({ directory: at, signal, pattern: "x", limit: 50, context: 1 });
      expect(found).toMatchObject({ ok: true, matches: 12_000, filesWithMatches: 300, binary: [] });
      const kept = found.ok ? found.files.map(({ path, lines }) => [path, lines.filter(({ matches }) => matches).length]) : [];
      expect(kept).toEqual([
        ["f000.txt", 40],
        ["f001.txt", 10],
      ]);
    });

    it("names binary files that match, without their bytes", async () => {
      const at = folder({
        "early.bin": Buffer.from("\0\0\nalpha\n"),
        "late.bin": Buffer.from("alpha\n\0\n"),
        "other.bin": Buffer.from("\0"),
      });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      expect(await search.grep({ directory: at, signal, pattern: "alpha", limit: 10 })).toEqual({
        ok: true,
        files: [],
        matches: 0,
        filesWithMatches: 0,
        binary: ["early.bin", "late.bin"],
      });
    });

    it("shows a long line around its match, whole characters only", async () => {
      const at = folder({ "long.js": `${"🍎".repeat(50_000)}needle${"🍎".repeat(50_000)}\n` });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      const [line = ""] = await linesOf({ pattern: "needle" }, at);
      expect(line).toMatch(/^long\.js:1:…🍎+needle🍎+… \(400006 bytes\)$/u);
      expect(Buffer.byteLength(line)).toBeLessThan(700);
    });

    it("shows lines that are no UTF-8", async () => {
      const at = folder({ "latin1.txt": Buffer.from("caf\xe9 alpha\n", "latin1") });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      expect(await linesOf({ pattern: "alpha" }, at)).toEqual(["latin1.txt:1:caf\ufffd alpha"]);
    });

    it.each([
      ["an open group", "(", /^The pattern cannot be used: unclosed group\. It is a regular expression/],
      ["look-around", "(?=x)", /look-around.* is not supported\. It is/],
      ["a line break", "a\\nb", /the literal "\\n" is not allowed.* It is/],
    ])("says what is wrong with %s", async (_, pattern, why) => {
      expect(await search.grep({ directory, signal, pattern, limit: 1 })).toEqual({ ok: false, why: expect.stringMatching(why) });
    });

    it("says when nothing was searched", async () => {
      expect(await search.grep({ directory, signal, pattern: "alpha", path: "out", limit: 1 })).toMatchObject({
        ok: true,
        matches: 0,
        note: expect.stringMatching(/^no file was searched/),
      });
    });

    it("reads nothing of the machine through a link", async () => {
      const at = folder({ "sub/alpha.txt": "alpha\n" });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      const outside = join(dirname(at), "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "secret.txt"), "alpha.txt\n{alpha\n");
      symlinkSync(outside, join(at, "link"));
      expect(await linesOf({ pattern: "alpha", path: "link/secret.txt" }, at)).toEqual([]);
      expect(await linesOf({ pattern: "alpha", path: "link" }, at)).toEqual([]);
      // As an ignore file, it would tell by what is missing, and by complaints, what it holds.
      symlinkSync(join(outside, "secret.txt"), join(at, "sub/.gitignore"));
      const note = expect.stringMatching(/^"sub\/\.gitignore" is a link or a special file and is not read/);
      expect(await search.files({ directory: at, signal })).toEqual({ ok: true, paths: ["sub/alpha.txt"], note });
      expect(await search.grep({ directory: at, signal, pattern: "alpha", limit: 1 })).toMatchObject({ matches: 1, note });
      expect(await search.grep({ directory: at, signal, pattern: "(", limit: 1 })).toEqual({
        ok: false,
        why: expect.not.stringContaining("alpha"),
      });
    });

    it("finds in what is tracked, whatever the ignore rules say of it", async () => {
      const at = folder({
        ".gitignore": "build\n*.log\n",
        "build/kept.sh": "alpha\n",
        "build/made.sh": "alpha\n",
        "kept.log": "alpha\n",
        "x.log": "alpha\n",
      });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      symlinkSync("kept.log", join(at, "link.log"));
      const tracked = [".gitignore", "build/kept.sh", "kept.log", "deleted.log", "link.log", "build"];
      const found = ["build/kept.sh:1:alpha", "kept.log:1:alpha"];
      expect(await linesOf({ pattern: "alpha", tracked }, at)).toEqual(found);
      expect(await linesOf({ pattern: "alpha", tracked, glob: "*.{sh,log}" }, at)).toEqual(found);
      expect(await linesOf({ pattern: "alpha", tracked, path: "build" }, at)).toEqual(found.slice(0, 1));
      expect(await search.files({ directory: at, signal, tracked })).toEqual({
        ok: true,
        paths: [".gitignore", "build/kept.sh", "kept.log"],
      });
      expect(await search.files({ directory: at, signal, tracked, glob: "build/*" })).toEqual({ ok: true, paths: ["build/kept.sh"] });
    });

    it("finds below a folder by another Unicode form of its name", async () => {
      const at = folder({ "u\u0308/a.txt": "alpha\n" });
      onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
      expect(await linesOf({ pattern: "alpha", path: "\u00fc" }, at)).toEqual(["u\u0308/a.txt:1:alpha"]);
    });
  });
});
