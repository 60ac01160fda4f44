import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLogReader } from "../../../../src/github/logs/digest-log.ts";
import { CLEAN_UP, digest, jobLog, printed, SET_UP, step } from "./job-log.ts";

const many = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));

describe("a short log", () => {
  it.each([
    ["two lines without a frame", "A\nERROR first\n", "A\nERROR first"],
    ["a last line without an end", "ERROR second", "ERROR second"],
    ["a time stamp and CRLF", "2031-02-03T04:05:01.1234567Z ERROR third\r\n", "ERROR third"],
    ["a byte order mark", "\ufeff2031-02-03T04:05:01.1234567Z first\n2031-02-03T04:05:01Z second\n", "first\nsecond"],
    ["nothing", "", ""],
    ["empty lines", "a\n\n\nb\n", "a\n\n\nb"],
  ])("of %s is shown whole", (_, log, shown) => {
    expect(digest(Buffer.from(log))).toMatchObject({ text: shown, isWhole: true });
  });

  it("shows its steps by name, without the head that repeats script and environment", () => {
    const { text } = digest(jobLog(step("npm test", ["not ok 1 - adds"], 1)));
    expect(text).toBe("Step: Run npm test\nnot ok 1 - adds\nerror: Process completed with exit code 1.");
  });

  it("keeps what stands in a group that the step itself calls Run", () => {
    const { text } = digest(jobLog(step("make", ["##[group]Run tests", "sum.c:4:12: error: 'c' undeclared", "##[endgroup]"], 2)));
    expect(text).toContain("sum.c:4:12: error: 'c' undeclared");
  });

  it.each([
    ["a colour", "\u001b[1;31mred\u001b[0m", "red"],
    ["a link", "\u001b]8;;https://x.test\u0007link\u001b]8;;\u0007 here", "link here"],
    ["a link that ends in ST", "\u001b]8;;https://x.test\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["a title that never ends", "text\u001b]0;title", "text"],
    ["text that is printed over", "progress 1%\rprogress 100%\r", "progress 100%"],
    ["a bell and other controls", "a\u0007b\u0000c\u009bd", "abc"],
    ["a short escape", "\u001b7saved\u001b8", "saved"],
    ["a tab", "a\tb", "a\tb"],
    ["a command that is not its own", "##[command]/usr/bin/git version", "/usr/bin/git version"],
    ["a warning", "##[warning]old", "warning: old"],
    ["what only debugging shows", "##[debug]Evaluating", ""],
  ])("shows of %s what people see", (_, line, shown) => {
    expect(digest(jobLog([line])).text).toBe(shown);
  });
});

describe("a long log", () => {
  it("without an error shows its end", () => {
    const { text, lines } = digest(
      jobLog([
        ...SET_UP,
        ...step(
          "sleep",
          many(3000, (n) => `tick ${n}`),
        ),
      ]),
    );
    expect(text).toContain("tick 2999");
    expect(text).not.toContain("tick 100\n");
    expect(lines).toBeGreaterThan(3000);
  });

  it("of a job that ran out of time shows where it stood", () => {
    const hung = [
      ...step(
        "npm test",
        many(3000, (n) => `tick ${n}`),
      ),
      "##[error]The operation was canceled.",
    ];
    const { text } = digest(jobLog([...SET_UP, ...hung, ...CLEAN_UP]));
    expect(text).toContain("tick 2999\nerror: The operation was canceled.");
  });

  it("passes over errors of steps that did not fail", () => {
    const before = step(
      "npm run try",
      many(500, (n) => `Error: attempt ${n} failed`),
    );
    const { text } = digest(jobLog([...SET_UP, ...before, ...step("npm test", printed("jest"), 1), ...CLEAN_UP]));
    expect(text).not.toContain("attempt");
    expect(text).toContain("● sum › adds");
  });

  it("shows the other errors of the same kind too", () => {
    const errors = [0, 1, 2, 3, 4].flatMap((n) => [`src/a${n}.ts(1,1): error TS2304: Cannot find name 'x'.`, ...many(300, () => "ok")]);
    const { text } = digest(jobLog([...SET_UP, ...step("tsc", errors, 2)]));
    for (const n of [0, 1, 2, 3, 4]) expect(text).toContain(`src/a${n}.ts(1,1)`);
  });

  it("says where lines are left out, and how many", () => {
    const { text } = digest(
      jobLog(step("x", [...many(1000, (n) => `line ${n}`), "--- FAIL: TestAdds", ...many(1000, (n) => `after ${n}`)], 1)),
    );
    const left = [...text.matchAll(/\[… (\d+) lines …\]/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    const shown = text.split("\n").filter((line) => !line.startsWith("[… ")).length;
    // The head of the step has four lines.
    expect(left + shown).toBe(1 + 4 + 2002);
  });

  it("keeps both ends of a line that is too long", () => {
    const { text } = digest(jobLog(step("x", [...many(500, (n) => `line ${n}`), `Error: ${"a".repeat(50_000)}`], 1)));
    expect(text).toMatch(/^Error: a+ \[…\] a+.*more characters\]$/m);
  });

  it("says why it was not read to its end", () => {
    expect(digestCut("the log broke off")).toMatch(/\n\[the log broke off\]$/);
  });

  it("takes secrets out before lines are cut", () => {
    const secret = "s3cr3t-value-that-is-held";
    const mask = (text: string) => text.replaceAll(secret, "***");
    const lines = many(400, (n) => `${"x".repeat(300 + (n % 60))}${secret} Error: ${n}`);
    const { text, errors } = digest(jobLog(step("x", lines, 1)), { mask });
    expect(text + JSON.stringify(errors)).not.toMatch(/s3cr3t|is-held/);
    expect(text).toContain("***");
  });
});

function digestCut(why: string): string {
  const reader = createLogReader();
  reader.push(Buffer.from("one\ntwo\n"));
  return reader.end(why).text;
}

describe("any log", () => {
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
    fc.constantFrom(
      "##[group]Run x",
      "##[endgroup]",
      "##[error]boom",
      "Post job cleanup.",
      "\u001b[31mError: x\u001b[0m",
      "E   assert 1",
      "\u001b]8;;",
    ),
    fc.constant("word ".repeat(600)),
  );
  it("is shown within its room, well-formed, the same however it arrives", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 400 }),
        fc.integer({ min: 300, max: 5000 }),
        fc.integer({ min: 1, max: 4096 }),
        (lines, longest, piece) => {
          const log = Buffer.from(lines.join("\n"));
          const { text } = digest(log, { longest, piece });
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(longest);
          expect(text.isWellFormed()).toBe(true);
          // oxlint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/);
          expect(digest(log, { longest }).text).toBe(text);
        },
      ),
    );
  });

  it("shows its one failed test wherever it stands", () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), (before, after) => {
        const passed = (count: number) => many(count, (n) => `ok ${n + 1} - error ${n}`);
        const lines = [...passed(before), "not ok 7 - adds", ...passed(after)];
        expect(digest(jobLog([...SET_UP, ...step("npm test", lines, 1), ...CLEAN_UP])).text).toContain("\nnot ok 7 - adds");
      }),
      { numRuns: 30 },
    );
  });

  it.each(["Assert", "a.", "E  ", "x:1", "[ERROR] a", "\u001b]8;;", "->", "error ", "\u001b["])(
    // A pattern that goes back and forth would not be done before the test's time is over.
    "of lines that only say %j is read in the test's time",
    (part) => {
      const { lines } = digest(Buffer.from(`${part.repeat(20_000)}\n`.repeat(50)));
      expect(lines).toBe(50);
    },
  );
});
