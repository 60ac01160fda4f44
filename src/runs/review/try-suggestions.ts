import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { codeSpan } from "../../text/code-span.ts";
import { checkOut } from "../../workspace/check-out.ts";
import type { Sandbox } from "../../workspace/sandbox/sandbox.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { TestPlan } from "../test-plan.ts";
import { contentOf, putBack } from "../../workspace/content.ts";
import type { Source } from "./reading.ts";

/** Suggestions that are tried in one call, and milliseconds for all of them and for one run of the tests. */
const MOST_TRIED = 10;
const ALL_WITHIN_MS = 10 * 60_000;
const ONE_WITHIN_MS = 5 * 60_000;
/** Characters of a command that is named. */
const LONGEST_COMMAND = 200;

/** A suggestion as it would leave its file. */
export interface Trial {
  readonly path: string;
  readonly text: string;
}

export interface TrialOptions {
  readonly sandbox: Sandbox;
  readonly tests: TestPlan;
  readonly source: Source;
  /** The commit that is reviewed. */
  readonly commit: string;
  /** A folder of the run's own, which is not there yet. */
  readonly directory: string;
  /** Whether the run's budget lets the tests run once more. */
  readonly hasRoom: () => boolean;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly now?: () => number;
}

/** What came of the trials: of each whether its tests pass with it, undefined where that is not known; and that in a sentence for people. */
export interface Tried {
  readonly verdicts: readonly (boolean | undefined)[];
  readonly sentence: string;
}

/**
 * Tries suggestions one by one in a workspace that is thrown away: the repository's tests run there on the reviewed commit, and with each of
 * them alone. Only tests that pass without it can tell anything of a suggestion. Whatever goes wrong, it counts as not tried.
 */
export async function trySuggestions(trials: readonly Trial[], options: TrialOptions): Promise<Tried> {
  if (trials.length === 0) return { verdicts: [], sentence: "" };
  const { source, commit, directory, signal, log } = options;
  const verdicts: (boolean | undefined)[] = trials.map(() => undefined);
  let why = "";
  try {
    const workspace = await checkOut({ ...source, commit, directory, signal });
    try {
      why = await tryAll(trials, verdicts, workspace, options);
    } finally {
      await workspace.dispose();
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ error: messageOf(error) }, "suggestions could not be tried");
    why = "the tests could not be run";
  }
  return { verdicts, sentence: sentenceOf(verdicts, why) };
}

/** Fills in the verdicts; why some are missing, or nothing. */
async function tryAll(
  trials: readonly Trial[],
  verdicts: (boolean | undefined)[],
  workspace: Workspace,
  { sandbox, tests, hasRoom, signal, now = () => performance.now() }: TrialOptions,
): Promise<string> {
  const until = now() + ALL_WITHIN_MS;
  const clean = await contentOf(workspace);
  const run = async (command: string): Promise<boolean | undefined> => {
    const timeoutMs = Math.min(ONE_WITHIN_MS, until - now());
    if (timeoutMs <= 0 || !hasRoom()) return undefined;
    try {
      const { exitCode, ended } = await sandbox.run({ command, workspace: workspace.directory, timeoutMs, signal });
      return ended === "exited" ? exitCode === 0 : undefined;
    } finally {
      await putBack(workspace, clean);
    }
  };
  if (tests.setup !== undefined && (await run(tests.setup)) !== true) return "what sets the tests up does not pass";
  const without = new Map<string, boolean | undefined>();
  let why = "";
  for (const [at, { path, text }] of trials.entries()) {
    if (at >= MOST_TRIED) return `at most ${MOST_TRIED} are tried`;
    const command = tests.commandsFor([path]).join(" && ");
    if (command === "") {
      why = "no tests are known for some of them";
      continue;
    }
    if (!without.has(command)) without.set(command, await run(command));
    if (without.get(command) !== true) {
      why = `${codeSpan(command.slice(0, LONGEST_COMMAND))} does not pass without them`;
      continue;
    }
    await workspace.write(path, Buffer.from(text));
    verdicts[at] = await run(command);
    if (verdicts[at] === undefined) why = "there was no time for more";
  }
  return why;
}

function sentenceOf(verdicts: readonly (boolean | undefined)[], why: string): string {
  const tried = verdicts.filter((verdict) => verdict !== undefined).length;
  const failing = verdicts.filter((verdict) => verdict === false).length;
  const parts = [
    `${tried} of ${verdicts.length} tried by the tests`,
    ...(failing === 0 ? [] : [`${failing} with which they fail`]),
    ...(why === "" || tried === verdicts.length ? [] : [why]),
  ];
  return `Suggestions: ${parts.join("; ")}.`;
}
