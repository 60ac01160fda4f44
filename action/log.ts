import type { Logger } from "../src/core/log.ts";
import type { Runner } from "./runner.ts";

/** The log of a step: warnings as lines of it, the rest only where the runner was asked for more. */
export interface StepLog extends Logger {
  /** What was logged last about the run, warnings and notes alike, as a sentence: why it went no further. */
  lastSaid(): string | undefined;
}

const HIDDEN = ["run", "delivery", "repo"];

/** @param verbose also shows what is only worth knowing when something is looked for (RUNNER_DEBUG) */
export function openStepLog(runner: Pick<Runner, "say">, verbose: boolean): StepLog {
  let last: string | undefined;
  const make = (isRun: boolean): Logger => {
    const log =
      (isShown: boolean, isReason: boolean) =>
      (fields: object, message: string): void => {
        const line = lineOf(fields, message);
        if (isReason && isRun) last = line;
        if (isShown) runner.say(line);
      };
    return {
      debug: log(verbose, false),
      info: log(verbose, true),
      warn: log(true, true),
      error: log(true, true),
      child: (fields) => make(isRun || "run" in fields),
    };
  };
  return { ...make(false), lastSaid: () => last };
}

function lineOf(fields: object, message: string): string {
  const facts = Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    value === undefined || HIDDEN.includes(name) ? [] : [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`],
  );
  return facts.length === 0 ? message : `${message} (${facts.join(", ")})`;
}
