import { oneLine } from "../src/text/code-span.ts";
import { STATE_WORDS } from "../src/core/words.ts";
import type { Finding } from "../src/core/result.ts";
import { isFailure, outputsOf, type Outcome } from "./outcome.ts";
import type { Place, Runner } from "./runner.ts";

/** GitHub shows ten annotations of a kind for each step; more are told of in one. */
const MOST_ANNOTATIONS = 30;

/** Says how the step ended in all the places where people and later steps look. Answers the exit status. */
export function conclude(runner: Runner, outcome: Outcome): number {
  const { conclusion, why, findings = [] } = outcome;
  const shown = findings.slice(0, MOST_ANNOTATIONS);
  for (const finding of shown) annotate(runner, finding);
  if (findings.length > shown.length)
    runner.warning(`${findings.length - shown.length} more findings of the gate stand in the step summary.`);
  const isSaid = conclusion === "blocked" && shown.some(({ severity }) => severity === "block");
  if (isFailure(outcome) && !isSaid) runner.error(why, { title: `sallyport: ${wordFor(conclusion)}` });
  else if (conclusion === "waiting") runner.warning(why, { title: "sallyport: waiting for approval" });
  else runner.say(`${wordFor(conclusion)}: ${why}`);
  runner.summarise(summaryOf(outcome));
  runner.setOutputs(outputsOf(outcome));
  return isFailure(outcome) ? 1 : 0;
}

function annotate(runner: Runner, { rule, severity, where, why, fix }: Finding): void {
  const place: Place = {
    title: `sallyport gate: ${rule}`,
    ...(where === undefined ? {} : { file: where.path }),
    ...(where?.line === undefined ? {} : { line: where.line }),
  };
  const message = `${oneLine(why)}. ${oneLine(fix)}`;
  if (severity === "block") runner.error(message, place);
  else if (severity === "info") runner.notice(message, place);
  else runner.warning(message, place);
}

function wordFor(conclusion: Outcome["conclusion"]): string {
  return conclusion === "ignored" ? "ignored" : STATE_WORDS[conclusion];
}

function summaryOf({ conclusion, why, story }: Outcome): string {
  return `### Sallyport\n\n${story ?? `**${wordFor(conclusion)}** — ${oneLine(why)}`}\n`;
}
