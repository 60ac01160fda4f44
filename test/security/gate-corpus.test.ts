import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Advisory, AdvisorySource } from "../../src/core/advisory.ts";
import type { Decision } from "../../src/core/result.ts";
import { ruleText } from "../../src/gate/report/rule-texts.ts";
import { gateWith } from "../unit/gate/fixtures.ts";
import { context } from "../../packages/write-path-corpus/src/context.ts";
import { lockSources } from "./corpus/locks.ts";
import { play, type Played } from "./corpus/play.ts";
import { rowsOf } from "../../packages/write-path-corpus/src/rows.ts";
import type { Row } from "../../packages/write-path-corpus/src/rows.ts";
import { openWholeRuns, type WholeRuns } from "./corpus/whole-runs.ts";

/** What the rows about vulnerable versions are about. */
const advisory = (name: string, range: string, isMalware: boolean): Advisory => ({
  id: `GHSA-${name}`,
  summary: "",
  severity: "critical",
  isMalware,
  affects: [{ name, range }],
});
const advisories = [advisory("nx", "= 21.5.0", true), advisory("lodash", "< 4.17.12", false)];
const source: AdvisorySource = { affecting: () => Promise.resolve({ status: "known", advisories }) };

const gate = gateWith({ heldSecrets: () => [context.canary], advisories: () => source, ...lockSources });
interface Score {
  held: number;
  attacks: number;
  passed: number;
  benign: number;
}
const scores = new Map<string, Score>();
const missing = new Map<string, string[]>();
const scoreOf = (area: string): Score => {
  const score = scores.get(area) ?? { held: 0, attacks: 0, passed: 0, benign: 0 };
  scores.set(area, score);
  return score;
};
const miss = (needs: string, id: string): string => {
  missing.set(needs, [...(missing.get(needs) ?? []), id]);
  return `it is played where there is ${needs}`;
};

let runs: WholeRuns;
beforeAll(async () => {
  runs = await openWholeRuns();
});
afterAll(() => runs[Symbol.asyncDispose]());

/** What a row came to, once it was played. */
type Judged = Exclude<Played, { readonly kind: "missing" }>;

/** Whether each decision is at least what the row expects, or nothing came of the attack. */
function isHeld({ expect: expected }: Row, played: Judged): boolean {
  if (played.kind === "outcome") return played.held;
  const { decisions } = played;
  return (
    decisions.length > 0 &&
    (expected === "ALLOW" ||
      decisions.every(
        ({ verdict, findings }) =>
          verdict === "block" || (expected === "WARN" && findings.some(({ severity }) => severity === "warn" || severity === "ask")),
      ))
  );
}

/** Rules that are about the whole of an operation or about words, and the one that quotes the path, which may be none, in its reason. */
const WITHOUT_A_PLACE = new Set(["gate", "operations", "output", "size", "held-secrets", "secrets", "impact", "containment"]);

/** What is wrong with how a finding speaks to people: it names a known rule, the place, the reason, and what to do. */
function unsaid({ findings }: Decision): readonly string[] {
  return findings.flatMap(({ rule, why, fix, where }) => {
    // What the mint refuses is a fault of ours: nobody is told.
    if (rule === "wire") return [];
    const faults = [
      ...(ruleText(rule).startsWith("The rule ") ? ["the rule is not explained"] : []),
      ...(/^\S.{5,}(?:[^.\s]|\.\.)$/s.test(why) ? [] : ["the reason is no clause"]),
      ...(/^[A-Z`"].{5,}[.!]$/s.test(fix) ? [] : ["what to do is no sentence"]),
      ...(where === undefined && !WITHOUT_A_PLACE.has(rule) ? ["no place"] : []),
    ];
    return faults.map((fault) => `${rule}: ${fault}: ${why} | ${fix}`);
  });
}

describe("the corpus of attacks", () => {
  it.for(rowsOf("attacks").map((row) => [row.id, row.why, row] as const))("%s: %s", async ([id, , row], { skip }) => {
    const played = await play(row, gate, runs);
    if (played.kind === "missing") return skip(miss(played.needs, id));
    const score = scoreOf(row.area);
    score.attacks++;
    const held = isHeld(row, played);
    if (held) score.held++;
    expect(played, row.why).toSatisfy(() => held);
    if (played.kind === "judged") expect(played.decisions.flatMap(unsaid)).toEqual([]);
  });
});

describe("the corpus of what must pass", () => {
  it.for(rowsOf("benign").map((row) => [row.id, row.why, row] as const))("%s: %s", async ([id, , row], { skip }) => {
    const played = await play(row, gate, runs);
    if (played.kind === "missing") return skip(miss(played.needs, id));
    const score = scoreOf(row.area);
    score.benign++;
    const stopped =
      played.kind === "outcome" ? (played.held ? [] : [played.saw]) : played.decisions.filter(({ verdict }) => verdict !== "allow");
    if (stopped.length === 0) score.passed++;
    expect(stopped).toEqual([]);
  });
});

const byName = (a: readonly [string, unknown], b: readonly [string, unknown]): number => a[0].localeCompare(b[0]);

afterAll(() => {
  const rows = [...scores]
    .toSorted(byName)
    .map(
      ([area, { held, attacks, passed, benign }]) =>
        `  ${area.padEnd(12)} attacks held ${held}/${attacks}, benign passed ${passed}/${benign}`,
    );
  const rest = [...missing].toSorted(byName).map(([needs, ids]) => `  ${needs}: ${ids.join(" ")}`);
  process.stdout.write(`\nscorecard of the corpus\n${rows.join("\n")}\nnot played here, by what is missing\n${rest.join("\n")}\n`);
});
