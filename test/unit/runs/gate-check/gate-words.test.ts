import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Finding, Severity } from "../../../../src/core/result.ts";
import type { RunEnd } from "../../../../src/core/run.ts";
import { gateAnnotations, gateEnd, gateSummary } from "../../../../src/runs/gate-check/gate-words.ts";
import type { Report } from "../../../../src/runs/report.ts";

const outgoing = { origin: "https://github.com", hosts: [], repository: { owner: "acme", name: "app" }, logins: [] };
const finding = (severity: Severity, more: Partial<Finding> = {}): Finding => ({
  rule: "unicode",
  severity,
  why: "It hides",
  fix: "Show it",
  ...more,
});
const report = (more: Partial<Report> = {}): Report => ({
  runId: "01run",
  end: "done",
  summary: "#1 changes 1 file.",
  answer: "",
  findings: [],
  turns: 0,
  usage: { input: 0, output: 0, cached: 0 },
  elapsedMs: 1,
  sandbox: "none",
  ...more,
});
const ENDS: readonly RunEnd[] = ["done", "waiting", "blocked", "cancelled", "failed", "out-of-budget"];

describe("how the gate's check ends", () => {
  test.each<[RunEnd, readonly Severity[], number | undefined, string, string]>([
    ["done", [], undefined, "success", "The gate lets it through"],
    ["done", ["warn", "info"], undefined, "success", "The gate lets it through, with 1 warning"],
    ["done", ["warn", "warn"], undefined, "success", "The gate lets it through, with 2 warnings"],
    ["done", [], 7, "failure", "The gate holds this commit back on #7"],
    ["waiting", ["ask"], undefined, "action_required", "A person must approve it"],
    ["blocked", ["block", "ask", "block"], undefined, "failure", "The gate holds it back: 2 findings"],
    ["blocked", [], undefined, "failure", "The gate holds it back"],
    ["cancelled", [], undefined, "cancelled", "Stopped before the gate had judged"],
    ["failed", [], undefined, "failure", "The gate could not judge this"],
    ["out-of-budget", [], undefined, "failure", "The gate could not judge this"],
  ])("for a run that is %s with findings %j: held on %s, %s", (end, severities, heldOn, conclusion, title) => {
    const findings = severities.map((severity) => finding(severity));
    expect(gateEnd({ end }, findings, heldOn, false)).toEqual({ conclusion, title });
  });

  test.each(ENDS)("of a run that is %s, is neutral where the repository is only observed", (end) => {
    expect(gateEnd({ end }, [], undefined, true)).toMatchObject({
      conclusion: "neutral",
      title: expect.stringMatching(/^Observed: /) as string,
    });
  });

  test.each(ENDS.filter((end) => end !== "done"))("of a run that is %s, is never green", (end) => {
    expect(["success", "neutral", "skipped"]).not.toContain(gateEnd({ end }, [], undefined, false).conclusion);
  });
});

describe("what the gate's check says", () => {
  const said = (findings: readonly Finding[], more: Partial<Parameters<typeof gateSummary>[2]> = {}): string =>
    gateSummary(report(), { findings }, { glance: undefined, ...more });

  it("lists each finding with weight, rule, place, reason and what to do", () => {
    expect(said([finding("block", { where: { path: "src/a.ts", line: 3 } })])).toContain("`unicode` in `src/a.ts:3`: It hides. Show it");
  });

  it("names the other pull request on which the commit is held back", () => {
    expect(said([], { heldOn: 9 })).toContain("The same commit is the head of #9");
  });

  it("tells at most two hundred findings, and how many there are of each weight", () => {
    const text = said(Array.from({ length: 100_000 }, (_, at) => finding(at % 2 === 0 ? "block" : "warn")));
    expect(text).toContain("50000 × ");
    expect(text).toContain("- and 99800 more");
    expect(text.split("\n").filter((line) => line.startsWith("- **"))).toHaveLength(200);
  });

  it("keeps each finding on one line of its own, whatever a path or a reason holds", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(fc.array(fc.record({ path: text, why: text, fix: text }), { minLength: 1, maxLength: 5 }), (given) => {
        const list = said(given.map(({ path, why, fix }) => finding("warn", { where: { path }, why, fix }))).split("\n");
        expect(list.filter((line) => line.startsWith("- **"))).toHaveLength(given.length);
        // Heading, counts, the findings, the summary before and the footnote behind: nothing else begins a line.
        expect(list.filter((line) => line !== "")).toHaveLength(given.length + 4);
      }),
    );
  });
});

describe("the gate's remarks on lines", () => {
  it("leave out what has no place, and what stands in a path that cannot be shown as it is", () => {
    const places = [undefined, { path: "a\u202eb" }, { path: "src/a.ts", line: 2 }];
    const remarks = gateAnnotations(
      places.map((where) => finding("ask", where === undefined ? {} : { where })),
      outgoing,
    );
    expect(remarks.map(({ path, startLine, level }) => [path, startLine, level])).toEqual([["src/a.ts", 2, "warning"]]);
  });

  it("are bounded, well-formed and on a line that there can be, whatever a finding holds", () => {
    const text = fc.string({ unit: "binary", maxLength: 3000 });
    const line = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: undefined });
    fc.assert(
      fc.property(text, text, text, line, (path, why, fix, at) => {
        for (const one of gateAnnotations(
          [finding("warn", { why, fix, where: { path, ...(at === undefined ? {} : { line: at }) } })],
          outgoing,
        )) {
          expect(one.startLine).toBeGreaterThanOrEqual(1);
          expect(Number.isSafeInteger(one.startLine)).toBe(true);
          expect(one.endLine).toBe(one.startLine);
          expect(one.message.length).toBeLessThan(2000);
          expect(one.message.isWellFormed()).toBe(true);
          expect(one.message).not.toContain("\n");
        }
      }),
    );
  });
});
