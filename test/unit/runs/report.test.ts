import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/core/result.ts";
import type { RunEnd } from "../../../src/core/run.ts";
import { renderProgress, renderReport, type Report } from "../../../src/runs/report.ts";
import { codeSpan } from "../../../src/text/code-span.ts";
import { pullRequestBody, titleOf } from "../../../src/runs/pull-request-text.ts";
import { policy } from "../text/outgoing/fixtures.ts";
import { mention } from "../store/requests.ts";

const END_WORDS = /done|blocked|waiting|failed|cancelled|out.of.budget/i;
const report: Report = {
  runId: "run-1",
  end: "done",
  summary: "Opened #2.",
  answer: "It adds now.",
  findings: [],
  turns: 3,
  usage: { input: 1200, output: 34, cached: 0 },
  elapsedMs: 61_000,
  sandbox: "strong",
};
const finding = (why: string, path = "src/a.js"): Finding => ({
  rule: "secrets",
  severity: "warn",
  where: { path, line: 3 },
  why,
  fix: "Look at it",
});

describe("progress", () => {
  test.each(["read_file", "grep", "gh_create_pr", "mcp_search_2"])("names the tool %s", (tool) => {
    expect(renderProgress({ finished: [], current: "converse", turn: 2, tool, tokens: 0, elapsedMs: 0 })).toContain(`turn 2, \`${tool}\``);
  });

  test("holds no end word and nothing that the model made up, whatever the tool is named", () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom("done", "Failed", "get_blocked_jobs", "is_waiting", "OUT", "budget", "`@alice`", "**failed**", "cancelled_"),
    );
    fc.assert(
      fc.property(name, fc.nat(), (tool, turn) => {
        const text = renderProgress({ finished: ["authorize"], current: "converse", turn, tool, tokens: 1, elapsedMs: 1 });
        expect(text).toMatch(/^\*\*working\*\*/);
        expect(text).not.toMatch(END_WORDS);
        if (!/^\w{1,64}$/.test(tool))
          expect(text).toBe(renderProgress({ finished: ["authorize"], current: "converse", turn, tokens: 1, elapsedMs: 1 }));
      }),
    );
  });
});

describe("the report", () => {
  test.each<readonly [RunEnd, string]>([
    ["done", "done"],
    ["blocked", "blocked"],
    ["waiting", "waiting for approval"],
    ["failed", "failed"],
    ["cancelled", "cancelled"],
    ["out-of-budget", "out of budget"],
  ])("of %s begins with its words and ends with the figures", (end, words) => {
    const text = renderReport({ ...report, end });
    expect(text.startsWith(`**${words}** — Opened #2.`)).toBe(true);
    expect(text).toMatch(/<sub>3 turns · 1,234 tokens · 61 s · run run-1<\/sub>$/);
  });

  test("keeps end state, tests, gate and figures, however long the model's words are, and stays within GitHub's limit", () => {
    const filler = fc.constantFrom("x", "é", "\u{1f600}", "```js\ncode\n", "<details>\n", "> quote\n", "<!-- hidden ");
    fc.assert(
      fc.property(filler, fc.integer({ min: 1, max: 70_000 }), fc.integer({ min: 0, max: 60 }), (unit, times, count) => {
        const findings = Array.from({ length: count }, (_, index) => finding("w".repeat(500), `${"p".repeat(400)}${index}`));
        const answer = unit.repeat(Math.min(times, 200_000 / unit.length));
        const text = renderReport({
          ...report,
          answer,
          findings,
          summary: "s".repeat(9000),
          tests: "Tests: `npm test` passed.",
          model: "m".repeat(5000),
        });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_000);
        expect(text).toMatch(/^\*\*done\*\* — /);
        expect(text).toContain("Tests: `npm test` passed.");
        expect(text.endsWith("run run-1</sub>")).toBe(true);
        if (count > 0) expect(text).toContain("**warning** `secrets`");
        expect(text).not.toContain("<!--");
      }),
      { numRuns: 25 },
    );
  });

  test("says how many findings are not shown, and each with place, reason and advice", () => {
    const text = renderReport({ ...report, findings: Array.from({ length: 23 }, (_, index) => finding(`reason ${index}`)) });
    expect(text).toContain("- **warning** `secrets` in `src/a.js:3`: reason 0. Look at it");
    expect(text).toContain("- and 3 more");
  });

  test.each(["partial", "none"] as const)("names a sandbox that is only %s", (sandbox) => {
    expect(renderReport({ ...report, sandbox })).toContain(`sandbox: ${sandbox}`);
  });
});

test.each([
  ["plain", "`plain`"],
  ["a `b` c", "``a `b` c``"],
  ["`", "`` ` ``"],
  ["two\nlines\u202e", "`two lines`"],
  ["@alice", "`@alice`"],
  ["npm test <!-- and obey -->", "`npm test <!-- and obey -->`"],
  ["", "` `"],
  ["\u200b", "` `"],
  ["x".repeat(400), `\`${"x".repeat(299)}…\``],
])("%s as a code span is one inert line", (text, expected) => {
  expect(codeSpan(text)).toBe(expected);
});

describe("a pull request's description", () => {
  const text = { text: "Why.", tests: "Tests: `npm test` passed.", closing: "Closes #1", lacksDrafts: false, outgoing: policy };

  test("ends with the issue that it closes, after tests and warnings", () => {
    expect(pullRequestBody(text, [])).toBe("Why.\n\nTests: `npm test` passed.\n\nCloses #1");
    expect(pullRequestBody(text, [finding("odd")])).toMatch(/^Why\.[\s\S]*\*\*Gate\*\*[\s\S]*odd[\s\S]*\n\nCloses #1$/);
  });

  test.each([
    ["long words", "long words ".repeat(23_000)],
    ["an open fence", `\`\`\`\n${"code\n".repeat(20_000)}`],
    ["wide characters", "\u{1f600}".repeat(60_000)],
  ])("of %s is shortened with a note, and still closes the issue", (_, long) => {
    const body = pullRequestBody(
      { ...text, text: long },
      Array.from({ length: 30 }, () => finding("w".repeat(500))),
    );
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/\[cut: \d+ characters, the rest of the description\]/);
    expect(body).toMatch(/Tests: `npm test` passed\.[\s\S]*\n\nCloses #1$/);
  });

  test("calls nobody, closes nothing else and gives no orders, with all that the gate says in it", () => {
    const hostile = "Fixes #99 for @octocat.\n\nRelease-As: 9.0.0\n\n<details>";
    const body = pullRequestBody({ ...text, text: hostile }, [finding("it holds @octocat and https://evil.test")]);
    expect(body).toContain("Fixes `#99` for `@octocat`.\n\n`Release-As: 9.0.0`");
    expect(body).toContain("it holds `@octocat` and `https://evil.test`");
    expect(body).toMatch(/<details>\n\n<\/details>\n\nTests: [\s\S]*\n\nCloses #1$/);
  });

  test("without a text of its own is those lines alone", () => {
    expect(pullRequestBody({ ...text, text: "<!-- hidden -->\n", tests: undefined }, [])).toBe("Closes #1");
  });
});

test.each([
  ["The total is wrong", "The total is wrong"],
  ["two\n lines", "two lines"],
  ["Fix it [skip ci]", "Fix it (skip ci)"],
  ["\u200b\u202e ", "Work on #1"],
  [`${"x".repeat(199)}\u{1f600}y`, "x".repeat(199)],
])("the thread's title %j gives a pull request the title %j", (title, expected) => {
  expect(titleOf(mention({ title }))).toBe(expected);
});
