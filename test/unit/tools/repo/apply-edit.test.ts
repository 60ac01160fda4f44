import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EditOutcome, applyEdit, usesCrlfThroughout } from "../../../../src/tools/repo/apply-edit.ts";

const BOM = "\ufeff";

function edited(file: string | Uint8Array, oldString: string, newString: string, replaceAll = false): EditOutcome {
  return applyEdit(Buffer.from(file), { oldString, newString, replaceAll });
}

function textOf(outcome: EditOutcome): string {
  return outcome.ok ? Buffer.from(outcome.bytes).toString("utf8") : `refused: ${outcome.why}`;
}

describe("applyEdit", () => {
  it.each([
    ["several lines of a CRLF file", "a\r\nb\r\nc\r\nd\r\n", "a\nb\nc", "a\nB\nc", "a\r\nB\r\nc\r\nd\r\n"],
    ["lines put into a CRLF file", "a\r\nb\r\n", "a", "a\nx\ny", "a\r\nx\r\ny\r\nb\r\n"],
    ["CRLF given as it is", "a\r\nb\r\n", "a\r\nb", "a\r\nB", "a\r\nB\r\n"],
    ["a line break alone in a CRLF file", "a\r\nb", "\n", "", "ab"],
    ["an LF file, where CR is what it says", "a\nb\n", "b\n", "b\r\n", "a\nb\r\n"],
    ["a mixed file, exactly", "a\r\nb\nc\n", "b\nc", "b\nC", "a\r\nb\nC\n"],
    ["patterns of replacement functions", "price = 1\n", "price = 1", "price = '$&$1$$'", "price = '$&$1$$'\n"],
    ["backslashes", "x = 1\n", "x = 1", 'x = "\\n\\1\\\\"', 'x = "\\n\\1\\\\"\n'],
    ["characters that mean something in patterns", "a.b*c[d]\n", "a.b*c[d]", "e(f)?", "e(f)?\n"],
    ["the last line without a line break", "l1\nl2", "l2", "L2\nl3", "l1\nL2\nl3"],
    ["the only line, which gets a line break", "flask==1", "flask==1", "flask==1\nredis==5\n", "flask==1\nredis==5\n"],
    ["the whole file by nothing", "all\n", "all\n", "", ""],
    ["the line after a byte order mark", `${BOM}name: a\n`, "name: a", "name: b", `${BOM}name: b\n`],
    ["a text that begins with the byte order mark", `${BOM}name: a\n`, `${BOM}name: a`, "name: b", `${BOM}name: b\n`],
    ["a new text that begins with the byte order mark", `${BOM}a\n`, "a", `${BOM}b`, `${BOM}b\n`],
    ["both with the byte order mark", `${BOM}a\n`, `${BOM}a`, `${BOM}b`, `${BOM}b\n`],
    ["a byte order mark that the file does not have", "a\n", "a", `${BOM}b`, "b\n"],
    ["text of several bytes a character", "日本\u{1f34e}語\n", "本\u{1f34e}", "x", "日x語\n"],
  ])("replaces %s", (_, file, oldString, newString, expected) => {
    expect(textOf(edited(file, oldString, newString))).toBe(expected);
  });

  it("leaves bytes that are no UTF-8 alone", () => {
    const outcome = edited(Buffer.from("caf\xe9 = 1\nna\xefve = 2\n", "latin1"), " = 2", " = 3");
    expect(outcome.ok && Buffer.from(outcome.bytes).toString("latin1")).toBe("caf\xe9 = 1\nna\xefve = 3\n");
  });

  it("replaces every place when it is told to, from left to right, and says where", () => {
    const outcome = edited("x\naaa x\nx", "x", "xx", true);
    expect(textOf(outcome)).toBe("xx\naaa xx\nxx");
    expect(outcome).toMatchObject({ replaced: 3, lines: [1, 2, 3] });
    expect(textOf(edited("aaa", "aa", "b", true))).toBe("ba");
  });

  it.each([
    ["an empty text", "a\n", "", "b\n", /old_string is empty.*write_file/],
    ["the same text", "same\n", "same", "same", /the same/],
    [
      "an edit that was made before",
      "a\nreturn a + b;\n",
      "return a - b;",
      "return a + b;",
      /new_string already stands at line 2, so the edit may have been made/,
    ],
    ["the same text but for line ends", "a\r\nb\r\n", "a\nb", "a\r\nb", /Nothing would change/],
    ["the byte order mark alone", `${BOM}a\n`, BOM, "", /Nothing would change/],
    ["a text that stands twice", "x\ny\nx\n", "x\n", "z\n", /stands 2 times in the file \(lines 1, 3\)/],
    ["a text that stands inside another", "  go()\n    go()\n", "go()\n", "stop()\n", /stands 2 times/],
    ["a text that overlaps itself", "aaa", "aa", "b", /stands 2 times in the file \(line 1\)/],
    ["a text that stands very often", "x".repeat(5000), "x", "z", /stands 5000 times in the file \(line 1, …\)/],
    [
      "blanks for tabs",
      "\tif (a) {\n\t\tgo();\n\t}\n",
      "    if (a) {\n        go();",
      "x",
      /line 1 by white space alone: the file is indented with tabs/,
    ],
    ["tabs for blanks", "a\n    if (a) {\n", "\tif (a) {\n", "x", /line 2 by white space alone: the file is indented with blanks/],
    ["another depth", "a\n    b\n    c\n", "  b\n  c", "x", /line 2 by white space alone: the indentation is another one/],
    ["blanks inside a line", "a  =  1\n", "a = 1", "x", /white space alone: blanks and tabs inside/],
    ["blanks missing at the end of a line", "a  \nb\n", "a\nb", "x", /white space at the ends of lines/],
    ["line ends of a mixed file", "a\r\nb\nc\n", "a\nb", "x", /line endings: the file mixes CRLF and LF/],
    ["straight quotes for curly ones", "a\nsay “hi” now\n", 'say "hi" now', "x", /line 2 by its quotes/],
    ["a hyphen for a dash", "a – b\n", "a - b", "x", /typographic/],
    ["composed letters for decomposed ones", "u\u0308ber\n", "über", "x", /Unicode form/],
    ["a text without the file's invisible character", "adm\u200bin\n", "admin", "x", /invisible characters/],
    ["another case", "Hello\n", "hello", "x", /upper and lower case/],
    ["escapes that are written out", 'say("a")\nb', 'say(\\"a\\")\\nb', "x", /without the backslashes/],
    ["one line that is not there", "hello\nworld\n!\n", "hello\nmars\n!", "x", /Its line 2 \("mars"\) stands nowhere/],
    ["lines in another order", "a\nb\nc\n", "b\na\n", "x", /not one after another/],
    ["anything in an empty file", "", "a", "b", /empty; write_file/],
    ["a word that is not there", "hello\n", "mars", "x", /not found\. Read the file again/],
  ])("refuses %s and says why", (_, file, oldString, newString, why) => {
    const outcome = edited(file, oldString, newString);
    expect(outcome).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  it("refuses to let a file grow beyond measure", () => {
    expect(textOf(edited("a".repeat(100_000), "a", "b".repeat(200_000), true))).toMatch(/^refused: .*100000 places.*64 MiB/);
  });

  it("explains quickly why a long text is not in a long file", () => {
    const outcome = edited(" ".repeat(3_000_000), `${" ".repeat(150_000)}x`, "y");
    expect(outcome.ok).toBe(false);
  });
});

describe("applyEdit, whatever the bytes", () => {
  const noise = fc.uint8Array({ maxLength: 60 });
  /** Texts without line feeds and byte order marks, so that the exact replacement is what is expected. */
  const word = fc.string({ minLength: 1, maxLength: 8, unit: "binary" }).filter((text) => text.isWellFormed() && !/[\n\ufeff]/.test(text));
  const crlf = fc.array(fc.stringMatching(/^[ab\t ]{0,4}$/), { minLength: 2, maxLength: 6 }).map((lines) => lines.join("\r\n"));
  const joined = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);

  it("is the exact replacement, with everything else as it was", () => {
    fc.assert(
      fc.property(noise, noise, word, fc.string({ maxLength: 8 }), (before, after, oldString, fresh) => {
        const newString = fresh.replaceAll("\n", "");
        const file = joined(before, Buffer.from(oldString), after);
        const outcome = applyEdit(file, { oldString, newString });
        if (!outcome.ok) return;
        const at = file.indexOf(Buffer.from(oldString));
        const expected = joined(file.subarray(0, at), Buffer.from(newString), file.subarray(at + Buffer.byteLength(oldString)));
        expect(Buffer.compare(outcome.bytes, expected)).toBe(0);
      }),
    );
  });

  it("fails alike again, and leaves the bytes that it was given", () => {
    fc.assert(
      fc.property(
        noise,
        fc.string({ maxLength: 6 }),
        fc.string({ maxLength: 6 }),
        fc.boolean(),
        (file, oldString, newString, replaceAll) => {
          const before = Uint8Array.from(file);
          const first = applyEdit(file, { oldString, newString, replaceAll });
          expect(file).toEqual(before);
          expect(applyEdit(file, { oldString, newString, replaceAll })).toEqual(first);
        },
      ),
    );
  });

  it("keeps a CRLF file a CRLF file, and takes its text with line feeds", () => {
    fc.assert(
      fc.property(crlf, fc.nat(), fc.nat(), (file, from, length) => {
        const text = file.replaceAll("\r\n", "\n");
        const start = from % text.length || 0;
        const oldString = text.slice(start, start + 1 + (length % 8));
        const outcome = edited(file, oldString, "X\nY", true);
        if (oldString === "") return;
        expect(textOf(outcome)).toBe(text.replaceAll(oldString, "X\nY").replaceAll("\n", "\r\n"));
        expect(outcome.ok && usesCrlfThroughout(outcome.bytes)).toBe(true);
      }),
    );
  });

  it("is undone by the reverse edit, when the new text was nowhere in the file", () => {
    fc.assert(
      fc.property(noise, noise, word, (before, after, oldString) => {
        const file = joined(before, Buffer.from(oldString), after);
        const newString = "❰new❱";
        const there = applyEdit(file, { oldString, newString });
        if (!there.ok || file.includes(newString)) return;
        const back = applyEdit(there.bytes, { oldString: newString, newString: oldString });
        expect(back.ok && Buffer.compare(back.bytes, file)).toBe(0);
      }),
    );
  });
});
