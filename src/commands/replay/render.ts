import type { ReplayReport } from "../../runs/replay/replay-run.ts";
import type { Rejudged, TimeMachineReport, Verdict } from "../../runs/replay/time-machine.ts";

const VERDICTS: readonly Verdict[] = ["allow", "ask", "block"];
const WORDS: Readonly<Record<Verdict, string>> = { allow: "let through", ask: "asked", block: "blocked" };
/** Lines of one list; JSON has all of them. */
const MOST_LINES = 200;

/** What another policy would have made of recorded changes: the table, each change that differs, and what could not be judged. */
export function renderTimeMachine({ changes, notJudged, counts, carried }: TimeMachineReport): string {
  const different = changes.filter(({ was, would }) => was !== would);
  const rows = VERDICTS.map((was) => [WORDS[was], ...VERDICTS.map((would) => String(counts[was][would]))]);
  const lines = [
    `${changes.length} recorded changes were judged again, ${notJudged.length} could not be.`,
    "",
    ...columns([["was \\ would be", ...VERDICTS.map((verdict) => WORDS[verdict])], ...rows]),
    "",
    different.length === 0 ? "No verdict would be another one." : `${different.length} would be another one:`,
    ...bounded(different.map(line)),
    ...unjudged(notJudged),
    carriedLine(carried),
  ];
  return `${lines.join("\n")}\n`;
}

/** One run under another policy. */
export function renderReplay({ run, recordedAnswers, writes, changes, notJudged, carried, partsAtTurn }: ReplayReport): string {
  const lines = [
    `Run ${run}, ${recordedAnswers} recorded answers. The model was not asked: its answers are used as they are.`,
    "",
    `Writes into the workspace: ${writes.length}`,
    ...bounded(
      writes.map(({ turn, tool, path, was, would, rules }) => {
        const differs = (was === "blocked") !== (would === "block");
        return `${differs ? "*" : " "} turn ${turn}  ${tool} ${JSON.stringify(path)}: was ${was}, would be ${WORDS[would]}${by(rules)}`;
      }),
    ),
    `Changes that were to leave: ${changes.length}`,
    ...bounded(changes.map((change) => `${change.was === change.would ? " " : "*"} ${line(change)}`)),
    ...unjudged(notJudged),
    ...(partsAtTurn === undefined
      ? []
      : [`From turn ${partsAtTurn} on a tool would have been answered otherwise: what the model would have done then, nobody knows.`]),
    carriedLine(carried),
  ];
  return `${lines.join("\n")}\n`;
}

function line({ at, repository, thread, run, was, would, approved, rulesWere, rulesWould }: Rejudged): string {
  const where = thread === 0 ? repository : `${repository}#${thread}`;
  const then = `${WORDS[was]}${approved ? " and approved" : ""}${by(rulesWere)}`;
  return `${at.slice(0, 10)}  ${where}  run ${run}: was ${then}, would be ${WORDS[would]}${by(rulesWould)}`;
}

function by(rules: readonly string[]): string {
  return rules.length === 0 ? "" : ` (${rules.join(", ")})`;
}

function unjudged(notJudged: TimeMachineReport["notJudged"]): readonly string[] {
  const whys = new Map<string, number>();
  for (const { why } of notJudged) whys.set(why, (whys.get(why) ?? 0) + 1);
  return [...whys].map(([why, count]) => `not judged: ${count}, ${why}`);
}

function carriedLine(carried: readonly string[]): string {
  return `Taken over as they were found then, since what they look at is not recorded: ${carried.join(", ")}.`;
}

function bounded(lines: readonly string[]): readonly string[] {
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`];
}

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "));
}
