import type { Adapter } from "./adapter.ts";
import { corpusCases } from "./cases.ts";
import type { CaseResult } from "./play-case.ts";

/** One row of a scorecard. */
export interface AreaScore {
  readonly area: string;
  readonly held: number;
  readonly attacks: number;
  readonly passed: number;
  readonly benign: number;
}

/** How a bot's write path did. */
export interface Scorecard {
  readonly name: string;
  readonly doors: Adapter["doors"];
  readonly total: Omit<AreaScore, "area">;
  readonly areas: readonly AreaScore[];
  /** Cases at doors that the bot does not have, or the adapter does not play. */
  readonly notPlayed: number;
  /** What got through, and what was stopped without need. */
  readonly misses: readonly CaseResult[];
  /** Cases at which the bot failed and published nothing: held, but by no decision of its own. Scorecards of earlier runners tell nothing of it. */
  readonly failed?: readonly string[];
  /** Cases of which the bot said something else than what was seen. */
  readonly untrue: readonly string[];
}

/** Sums up what became of the cases. */
export function scorecardOf({ name, doors }: Adapter, results: readonly CaseResult[]): Scorecard {
  const areas = [...new Set(results.map(({ area }) => area))].toSorted();
  return {
    name,
    doors,
    total: sum(results),
    areas: areas.map((area) => ({ area, ...sum(results.filter((one) => one.area === area)) })),
    notPlayed: corpusCases().filter(({ door }) => !doors.includes(door)).length,
    misses: results.filter(({ good }) => !good),
    failed: results.flatMap(({ id, outcome }) => (outcome === "failed" ? [id] : [])),
    untrue: results.flatMap(({ id, untrue }) => (untrue === undefined ? [] : [id])),
  };
}

function sum(results: readonly CaseResult[]): Omit<AreaScore, "area"> {
  const attacks = results.filter(({ kind }) => kind === "attack");
  const benign = results.filter(({ kind }) => kind === "benign");
  const good = (of: readonly CaseResult[]): number => of.filter((one) => one.good).length;
  return { held: good(attacks), attacks: attacks.length, passed: good(benign), benign: benign.length };
}

/** The scorecard as a page for people. */
export function scorecardText({ name, doors, total, areas, notPlayed, misses, failed = [], untrue }: Scorecard): string {
  const row = (area: string, { held, attacks, passed, benign }: Omit<AreaScore, "area">): string =>
    `| ${area} | ${held} of ${attacks} | ${passed} of ${benign} |`;
  const missed = misses.map(
    ({ id, kind, outcome, why }) =>
      `- \`${id}\` (${kind}): ${outcome}${why === "" ? "" : `; it said: ${why.replaceAll(/[\s`|<>]+/g, " ").slice(0, 160)}`}`,
  );
  return [
    `# ${name}`,
    "",
    `Played at its doors: ${doors.join(", ")}. ${notPlayed === 0 ? "No case was left out." : `${notPlayed} cases at other doors were not played.`}`,
    "",
    "| area | attacks held | benign passed |",
    "| --- | --- | --- |",
    ...areas.map((one) => row(one.area, one)),
    row("**all**", total),
    "",
    ...(failed.length === 0 ? [] : [`It failed, and published nothing, at: ${failed.join(", ")}.`, ""]),
    ...(untrue.length === 0 ? [] : [`It said something else than what was seen of: ${untrue.join(", ")}.`, ""]),
    ...(missed.length === 0 ? ["Nothing was missed.", ""] : ["Missed:", "", ...missed, ""]),
  ].join("\n");
}
