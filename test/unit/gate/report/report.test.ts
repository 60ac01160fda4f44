import { Ajv } from "ajv";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../../src/core/result.ts";
import { defaultPolicy } from "../../../../src/gate/policy.ts";
import { type GateReport, verdictOf } from "../../../../src/gate/report/gate-report.ts";
import { renderJson } from "../../../../src/gate/report/json.ts";
import { ruleText } from "../../../../src/gate/report/rule-texts.ts";
import { renderSarif } from "../../../../src/gate/report/sarif.ts";
import { renderText } from "../../../../src/gate/report/text.ts";
import { builtInRules } from "../../../../src/gate/rules.ts";
import { scope } from "../fixtures.ts";
import { SARIF_SCHEMA } from "./sarif-rules.ts";

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: "secrets",
  severity: "block",
  where: { path: "src/a.ts", line: 2 },
  why: "the file would hold what looks like a GitHub token",
  fix: "Take it out.",
  ...more,
});
const anywhere = ({ rule, severity, why, fix }: Finding): Finding => ({ rule, severity, why, fix });
const report = (findings: readonly Finding[], more: Partial<GateReport> = {}): GateReport => ({
  verdict: "block",
  subject: "main..HEAD",
  base: { commit: "a".repeat(40), tree: "b".repeat(40) },
  tree: "c".repeat(40),
  files: 3,
  findings,
  ...more,
});

describe("a report for people", () => {
  it("names rule, severity in words, place, reason and what to do, and the verdict", () => {
    const text = renderText(report([finding(), anywhere(finding({ rule: "size", severity: "warn", why: "it is much." }))]));
    expect(text).toBe(
      [
        "BLOCK  secrets  src/a.ts:2",
        "       The file would hold what looks like a GitHub token. Take it out.",
        "",
        "WARN   size",
        "       It is much. Take it out.",
        "",
        "BLOCK: this change must not go on as it is.",
        "Judged main..HEAD: 3 files against aaaaaaaaaaaa, 1 BLOCK, 1 WARN.",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["pass", "PASS: nothing holds this change.\nJudged main..HEAD: 1 file against aaaaaaaaaaaa, no findings.\n"],
    ["ask", "ASK: a person must approve this change.\nJudged main..HEAD: 1 file against aaaaaaaaaaaa, no findings.\n"],
  ] as const)("that ends in %s says so", (verdict, text) => {
    expect(renderText(report([], { verdict, files: 1 }))).toBe(text);
  });

  it("is short, however much was found, and counts what it leaves out", () => {
    const text = renderText(report(Array.from({ length: 3000 }, () => finding())));
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain("… and 2950 more findings (2950 BLOCK); --format json shows all.");
    expect(text).toContain("3000 BLOCK.");
  });

  it("gives names and reasons no line of their own and no power over the terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (path, why) => {
        const text = renderText(
          report([finding({ where: { path: `\u001b[2J\u202e\n::error::${path}` }, why: `\r\u0000${why}`, fix: why })]),
        );
        expect(text.split("\n")).toHaveLength(6);
        expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("a report for programs", () => {
  it("has one shape", () => {
    expect(JSON.parse(renderJson(report([finding(), anywhere(finding({ severity: "info" }))])))).toEqual({
      version: 1,
      verdict: "block",
      subject: "main..HEAD",
      base: { commit: "a".repeat(40), tree: "b".repeat(40) },
      tree: "c".repeat(40),
      files: 3,
      counts: { block: 1, ask: 0, warn: 0, info: 1 },
      findings: [
        { rule: "secrets", severity: "block", path: "src/a.ts", line: 2, why: finding().why, fix: "Take it out." },
        { rule: "secrets", severity: "info", path: null, line: null, why: finding().why, fix: "Take it out." },
      ],
    });
  });

  it.each([
    ["allow", "pass"],
    ["ask", "ask"],
    ["block", "block"],
  ] as const)("calls %s %s", (verdict, word) => {
    expect(verdictOf({ verdict })).toBe(word);
  });
});

describe("a report as SARIF", () => {
  const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile<Sarif>(SARIF_SCHEMA);
  interface Sarif {
    readonly runs: readonly [
      {
        readonly tool: {
          readonly driver: {
            readonly rules: readonly { readonly id: string; readonly defaultConfiguration: { readonly level: string } }[];
          };
        };
        readonly results: readonly {
          readonly ruleId: string;
          readonly ruleIndex: number;
          readonly level: string;
          readonly locations: readonly [
            {
              readonly physicalLocation: {
                readonly artifactLocation: { readonly uri: string };
                readonly region?: { readonly startLine: number };
              };
            },
          ];
          readonly partialFingerprints: { readonly primaryLocationLineHash: string };
        }[];
        readonly properties: { readonly leftOut: number };
      },
    ];
  }
  function read(findings: readonly Finding[]): Sarif["runs"][0] {
    const parsed: unknown = JSON.parse(renderSarif(report(findings), { version: "1.2.3" }));
    if (!isValid(parsed)) throw new Error(JSON.stringify(isValid.errors));
    const [run] = parsed.runs;
    const ids = run.tool.driver.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { ruleId, ruleIndex } of run.results) expect(ids[ruleIndex]).toBe(ruleId);
    return run;
  }

  it("is valid without findings", () => {
    expect(read([])).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
  });

  it.each([
    ["block", "error"],
    ["ask", "warning"],
    ["warn", "warning"],
    ["info", "note"],
  ] as const)("says %s as %s", (severity, level) => {
    expect(read([finding({ severity })])).toMatchObject({
      results: [{ level }],
      tool: { driver: { rules: [{ defaultConfiguration: { level } }] } },
    });
  });

  it("gives each rule once, and what concerns no file a place all the same", () => {
    const { results, tool } = read([finding(), finding({ where: { path: "b" } }), anywhere(finding({ rule: "size" }))]);
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(["secrets", "size"]);
    expect(
      results.map(({ locations: [{ physicalLocation }] }) => [physicalLocation.artifactLocation.uri, physicalLocation.region?.startLine]),
    ).toEqual([
      ["src/a.ts", 2],
      ["b", undefined],
      [".", undefined],
    ]);
  });

  it.each([
    ["src/ü b#1.js", "src/%C3%BC%20b%231.js"],
    ["a?b%c", "a%3Fb%25c"],
    ["c:/x", "c%3A/x"],
    ["/etc/passwd", "%2Fetc%2Fpasswd"],
    ["a\\b\u202ec", "a%5Cb%E2%80%AEc"],
    ["half \ud800", "half%20%EF%BF%BD"],
  ])("writes the path %j as %s", (path, uri) => {
    expect(read([finding({ where: { path } })]).results[0]?.locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it("is valid for anything that a rule may say", () => {
    const any = fc.string({ unit: "binary", minLength: 1 });
    const findings = fc.array(
      fc.record({
        rule: fc.string({ minLength: 1, maxLength: 40 }),
        severity: fc.constantFrom("block" as const, "ask" as const, "warn" as const, "info" as const),
        where: fc.record({ path: any, line: fc.oneof(fc.integer(), fc.double()) }),
        why: any,
        fix: any,
      }),
    );
    fc.assert(fc.property(findings, (list) => void read(list)));
  });

  it("keeps a finding's fingerprint when lines are added above it, and tells two alike apart", () => {
    const prints = (list: readonly Finding[]): readonly string[] =>
      read(list).results.map((one) => one.partialFingerprints.primaryLocationLineHash);
    expect(prints([finding({ where: { path: "a", line: 90 } })])).toEqual(prints([finding({ where: { path: "a", line: 2 } })]));
    expect(
      new Set(prints([finding(), finding(), finding({ where: { path: "b" } }), finding({ rule: "size" }), finding({ why: "else" })])).size,
    ).toBe(5);
  });

  it("leaves out what GitHub would refuse the whole upload for, and says how much", () => {
    const run = read(Array.from({ length: 25_001 }, () => finding()));
    expect(run.results).toHaveLength(25_000);
    expect(run.properties.leftOut).toBe(1);
  });
});

it("there is a sentence about every built-in rule", () => {
  const names = builtInRules({ policy: defaultPolicy, scope: () => scope }).map(({ name }) => name);
  expect(names.filter((name) => ruleText(name).includes("of an extension"))).toEqual([]);
  expect(ruleText("constructor")).toBe("The rule constructor of an extension.");
});
