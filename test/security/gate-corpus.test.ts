import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Advisory, AdvisorySource } from "../../src/core/advisory.ts";
import { gateWith } from "../unit/gate/fixtures.ts";
import { context } from "./corpus/context.ts";
import { lockSources } from "./corpus/locks.ts";
import { play, type Played } from "./corpus/play.ts";
import { rowsOf } from "./corpus/rows.ts";
import type { Row } from "./corpus/rows.ts";
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
const miss = (needs: string, id: string): void => void missing.set(needs, [...(missing.get(needs) ?? []), id]);

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

describe("the corpus of attacks", () => {
  it.each(rowsOf("attacks").map((row) => [row.id, row.why, row] as const))("%s: %s", async (id, _, row) => {
    const played = await play(row, gate, runs);
    if (played.kind === "missing") return miss(played.needs, id);
    const score = scoreOf(row.area);
    score.attacks++;
    const held = isHeld(row, played);
    if (held) score.held++;
    expect(played, row.why).toSatisfy(() => held);
  });
});

describe("the corpus of what must pass", () => {
  it.each(rowsOf("benign").map((row) => [row.id, row.why, row] as const))("%s: %s", async (id, _, row) => {
    const played = await play(row, gate, runs);
    if (played.kind === "missing") return miss(played.needs, id);
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
