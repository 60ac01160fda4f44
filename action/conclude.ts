import { oneLine } from "../src/text/code-span.ts";
import { STATE_WORDS } from "../src/core/words.ts";
import type { Finding } from "../src/core/result.ts";
import { isFailure, outputsOf, type Outcome, type Remark } from "./outcome.ts";
import type { Place, Runner } from "./runner.ts";

/** GitHub shows ten annotations of a kind for each step; more are told of in one. */
const MOST_ANNOTATIONS = 30;

/** Says how the step ended in all the places where people and later steps look. Answers the exit status. */
export function conclude(runner: Runner, outcome: Outcome): number {
  const { conclusion, why, findings = [], remarks = findings.map(remarkOf) } = outcome;
  const shown = remarks.slice(0, MOST_ANNOTATIONS);
  for (const remark of shown) annotate(runner, remark);
  if (remarks.length > shown.length)
    runner.warning(`${remarks.length - shown.length} more findings of the gate stand in the step summary.`);
  const isSaid = conclusion === "blocked" && shown.some(({ level }) => level === "failure");
  if (isFailure(outcome) && !isSaid) runner.error(why, { title: `sallyport: ${wordFor(conclusion)}` });
  else if (conclusion === "waiting") runner.warning(why, { title: "sallyport: waiting for approval" });
  else runner.say(`${wordFor(conclusion)}: ${why}`);
  runner.summarise(summaryOf(outcome));
  runner.setOutputs(outputsOf(outcome));
  return isFailure(outcome) ? 1 : 0;
}

const LEVELS = { block: "failure", ask: "warning", warn: "warning", info: "notice" } as const;

function remarkOf({ rule, severity, where, why, fix }: Finding): Remark {
  return {
    level: LEVELS[severity],
    title: `sallyport gate: ${rule}`,
    message: `${oneLine(why)}. ${oneLine(fix)}`,
    ...(where === undefined ? {} : { path: where.path }),
    ...(where?.line === undefined ? {} : { startLine: where.line }),
  };
}

function annotate(runner: Runner, { level, title, message, path, startLine }: Remark): void {
  const place: Place = {
    ...(title === undefined ? {} : { title }),
    ...(path === undefined ? {} : { file: path }),
    ...(startLine === undefined ? {} : { line: startLine }),
  };
  if (level === "failure") runner.error(message, place);
  else if (level === "notice") runner.notice(message, place);
  else runner.warning(message, place);
}

function wordFor(conclusion: Outcome["conclusion"]): string {
  return conclusion === "ignored" ? "ignored" : STATE_WORDS[conclusion];
}

function summaryOf({ conclusion, why, story, runId, unsigned }: Outcome): string {
  const unsaid = unsigned && runId !== undefined ? `\n<sub>No receipt was made: the input \`receipt_key\` is not set.</sub>\n` : "";
  return `### Sallyport\n\n${story ?? `**${wordFor(conclusion)}** — ${oneLine(why)}`}\n${unsaid}`;
}
