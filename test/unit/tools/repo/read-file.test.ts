import { symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFile } from "../../../../src/tools/repo/read-file.ts";
import { answerOf, contextFor, folderWorkspace } from "../folder-workspace.ts";

const read = (content: string | Uint8Array, range: object = {}) =>
  answerOf(readFile, { path: "a.txt", ...range }, contextFor({ workspace: folderWorkspace({ "a.txt": content }) }));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  it.each([
    ["a text", "alpha\n  second\n\tthird\n", {}, "alpha\n  second\n\tthird\n"],
    ["a text without a final line break", "a\nb", {}, "a\nb"],
    ["CRLF as it is", "a\r\nb\r\n", {}, "a\r\nb\r\n"],
    ["a text without its byte order mark", "\ufeffname: a\n", {}, "name: a\n"],
    ["the lines from one on", "a\nb\nc\n", { start_line: 2 }, "b\nc\n[lines 2–3 of 3]"],
    ["one line", "alpha\nsecond\nthird\n", { start_line: 2, end_line: 2 }, "second\n[lines 2–2 of 3; read on with start_line 3]"],
    ["the last line, which is not ended", "a\nb", { start_line: 2 }, "b\n[lines 2–2 of 2]"],
    ["lines up to behind the end", "a\nb\n", { start_line: 1, end_line: 99 }, "a\nb\n"],
    ["an empty file", "", {}, "(a.txt is empty)"],
    ["invisible characters by their names", "adm\u200bin = '\u202e'\n", {}, "adm⟦U+200B⟧in = '⟦U+202E⟧'\n"],
    ["emoji as they are", "👨‍👩‍👧 ❤️\n", {}, "👨‍👩‍👧 ❤️\n"],
    ["bytes that are no UTF-8 as replacement characters", Buffer.from("caf\xe9\n", "latin1"), {}, "caf\ufffd\n"],
  ])("shows %s", async (_, content, range, expected) => {
    expect(await read(content, range)).toBe(expected);
  });

  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d".repeat(32)}\nsize 12345678\n`;
  it("says of a Git LFS pointer what it stands for, and shows it", async () => {
    const answer = await read(pointer);
    expect(answer).toContain("oid sha256:4d");
    expect(answer).toMatch(/\[a\.txt is a Git LFS pointer: it stands for a file of 12345678 bytes .* is not here\. Leave it as it is\.\]$/);
  });

  it.each([
    ["text that speaks of pointers", `See:\n${pointer}`],
    ["a pointer of another kind", pointer.replace("git-lfs.github.com", "lfs.example.test")],
    ["a pointer without an id", pointer.replace(/oid .*\n/, "")],
    ["a pointer that goes on", `${pointer}${"#".repeat(1024)}\n`],
  ])("takes %s for what it is", async (_, text) => {
    expect(await read(text)).toBe(text);
  });

  it("shows a long file in parts that together are the file", async () => {
    const content = numbered(20_000);
    const workspace = folderWorkspace({ "a.txt": content });
    let shown = "";
    let start: number | undefined = 1;
    for (let part = 0; start !== undefined && part < 100; part++) {
      const answer = await answerOf(readFile, { path: "a.txt", start_line: start }, contextFor({ workspace }));
      expect(Buffer.byteLength(answer)).toBeLessThan(31_000);
      const note = /\[lines (\d+)–(\d+) of 20000(?:; read on with start_line (\d+))?\]$/.exec(answer);
      expect(Number(note?.[1])).toBe(start);
      shown += answer.slice(0, note?.index);
      start = note?.[3] === undefined ? undefined : Number(note[3]);
    }
    expect(shown).toBe(content);
  });

  it("cuts a line that is too long at a character and says so", async () => {
    const answer = await read(`x${"🍎".repeat(30_000)}\nnext\n`);
    expect(answer).toMatch(/🍎\n\[line 1 of 2 has 120002 bytes, the first 29997 are shown; .*read on with start_line 2\]$/);
    expect(answer).not.toContain("\ufffd");
    expect(Buffer.byteLength(answer)).toBeLessThan(31_000);
  });

  it.each([
    [
      "a binary file",
      Buffer.from("\x89PNG\r\n\x1a\n\x00\xff", "latin1"),
      {},
      "[error] a.txt is a binary file of 10 bytes and cannot be shown as text.",
    ],
    ["a start behind the end", "a\nb\n", { start_line: 3 }, "[error] a.txt has 2 lines; start_line 3 lies behind its end."],
    ["an end before the start", "a\nb\n", { start_line: 2, end_line: 1 }, "[error] end_line 1 lies before start_line 2."],
  ])("answers %s with an error", async (_, content, range, expected) => {
    expect(await read(content, range)).toBe(expected);
  });

  it.each([
    ["a missing file, with near names", "no/such", /^\[error\] There is no file no\/such\. Did you mean near\.txt\?$/],
    ["a folder", "src", /^\[error\] src is a folder; list_files/],
    ["an empty path", "", /^\[error\] The path "" is empty/],
    ["a NUL in a path", "a\0b", /^\[error\] The path "a\\u0000b" holds a control character/],
    ["git's folder", ".git/config", /^\[error\] .*git's own folder/],
    ["a path outside", "../a.txt", /^\[error\] .*dot segment/],
    ["a path outside by way of inside", "src/../../a.txt", /^\[error\] .*dot segment/],
    ["an absolute path", "/etc/passwd", /^\[error\] .*absolute/],
    ["a link", "link", /^\[error\] "link" is a link/],
  ])("answers %s with an error", async (_, path, expected) => {
    const workspace = folderWorkspace({ "a.txt": "alpha\n", "src/b.ts": "" });
    symlinkSync("/etc/passwd", join(workspace.directory, "link"));
    expect(await answerOf(readFile, { path }, contextFor({ workspace }))).toMatch(expected);
  });

  it.each([
    "with blank.txt",
    `it's "quoted".txt`,
    "[id].tsx",
    "-dash.txt",
    "star*.txt",
    ":(top)x.txt",
    "日本語/ファイル.txt",
    "emoji 🍎.txt",
    "%41.txt",
    "#hash?.txt",
    "a/b..c/x.txt",
    "./src/../a.txt",
  ])("reads a file named %s", async (path) => {
    const workspace = folderWorkspace({ [path]: "alpha\n" });
    expect(await answerOf(readFile, { path }, contextFor({ workspace }))).toBe("alpha\n");
  });

  it("finds a file by another Unicode form of its name", async () => {
    const workspace = folderWorkspace({ "docs/u\u0308ber.md": "eins\n" });
    expect(await answerOf(readFile, { path: "docs/\u00fcber.md" }, contextFor({ workspace }))).toBe("eins\n");
  });

  it("shows any short text exactly, whatever its lines", async () => {
    const line = fc.stringMatching(/^[ -~\t]{0,20}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const content = lines.join("\n");
        expect(await read(content)).toBe(content || "(a.txt is empty)");
      }),
      { numRuns: 30 },
    );
  });
});
