import { afterAll, describe, expect, it } from "vitest";
import type { Advisory, AdvisorySource } from "../../src/core/advisory.ts";
import type { Decision } from "../../src/core/result.ts";
import { gateWith } from "../unit/gate/fixtures.ts";
import { lockSources } from "./corpus/locks.ts";
import { context, play } from "./corpus/play.ts";
import { rowsOf } from "./corpus/rows.ts";
import type { Row } from "./corpus/rows.ts";

/**
 * Attacks that nothing here holds yet, with what is missing. They count as not held; one that is held by now need not be taken out at once,
 * but the score then says so.
 */
const NOT_YET: Readonly<Record<string, string>> = {
  "output-027": "nothing: it is odd and harmless, and only its speed counts",
  "output-028": "nothing: it is odd and harmless, and only its speed counts",
};

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

/** Whether each decision is at least what the row expects. */
function isHeld({ expect: expected }: Row, decisions: readonly Decision[]): boolean {
  const holds = ({ verdict, findings }: Decision): boolean =>
    verdict === "block" || (expected === "WARN" && findings.some(({ severity }) => severity === "warn" || severity === "ask"));
  return decisions.length > 0 && (expected === "ALLOW" || decisions.every(holds));
}

describe("the corpus of attacks", () => {
  it.each(rowsOf("attacks").map((row) => [row.id, row.why, row] as const))("%s: %s", async (id, _, row) => {
    const played = await play(row, gate);
    if (played.kind === "missing") return miss(played.needs, id);
    const score = scoreOf(row.area);
    score.attacks++;
    const held = isHeld(row, played.decisions);
    if (held) score.held++;
    const lacking = NOT_YET[id];
    if (lacking !== undefined) return miss(held ? `(held by now: take it out of the list) ${lacking}` : lacking, id);
    expect(played.decisions, row.why).toSatisfy(() => held);
  });
});

describe("the corpus of what must pass", () => {
  it.each(rowsOf("benign").map((row) => [row.id, row.why, row] as const))("%s: %s", async (id, _, row) => {
    const played = await play(row, gate);
    if (played.kind === "missing") return miss(played.needs, id);
    const score = scoreOf(row.area);
    score.benign++;
    const stopped = played.decisions.filter(({ verdict }) => verdict !== "allow");
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
  process.stdout.write(
    `\nscorecard of the gate alone\n${rows.join("\n")}\nnot played here, or not held yet, by what is missing\n${rest.join("\n")}\n`,
  );
});
