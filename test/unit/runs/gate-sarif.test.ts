import { expect, test } from "vitest";
import type { Finding } from "../../../src/core/result.ts";
import type { GateReport } from "../../../src/gate/report/gate-report.ts";
import { gateSarif } from "../../../src/runs/gate-check/gate-sarif.ts";

const OUTGOING = { origin: "https://github.com", hosts: [], repository: { owner: "acme", name: "widgets" }, logins: [] };
const finding = (why: string, more: Partial<Finding> = {}): Finding => ({
  rule: "protected-paths",
  severity: "ask",
  where: { path: "docs/a.md" },
  why,
  fix: "Ask.",
  ...more,
});
const sarifOf = (...findings: readonly Finding[]): string => {
  const report: GateReport = {
    verdict: "ask",
    subject: "#1",
    base: { commit: "a".repeat(40), tree: "b".repeat(40) },
    tree: "c".repeat(40),
    files: 1,
    findings,
  };
  return gateSarif(report, OUTGOING);
};

test("a finding is the same alert on the next head, whichever approval it waits for", () => {
  const asked = (id: string, until: string): string =>
    sarifOf(finding(`waits for approval ${id} until ${until} UTC: docs/** is protected`));
  expect(asked("bihon-gubun", "2026-12-04 12:13")).toBe(asked("lusab-babad", "2026-12-05 01:59"));
  expect(asked("bihon-gubun", "2026-12-04 12:13")).toContain('"Docs/** is protected. Ask."');
});

test("its texts call nobody and lead nowhere, and what is only told is no alert", () => {
  const sarif = sarifOf(
    finding("ask @octocat about [this](https://evil.example/x) in other/repo#1"),
    finding("told", { severity: "info" }),
  );
  expect(sarif).toContain("Ask `@octocat` about [this] (`evil.example/x`) in `other/repo#1`. Ask.");
  expect((JSON.parse(sarif) as { readonly runs: readonly { readonly results: readonly unknown[] }[] }).runs[0]?.results).toHaveLength(1);
});

test("no more is told than people look at, and the rest is counted", () => {
  const sarif = sarifOf(...Array.from({ length: 1_200 }, (_, at) => finding(`number ${at}`)));
  expect((JSON.parse(sarif) as { readonly runs: readonly { readonly results: readonly unknown[] }[] }).runs[0]?.results).toHaveLength(
    1_000,
  );
  expect(sarif).toContain('"leftOut": 200');
});
