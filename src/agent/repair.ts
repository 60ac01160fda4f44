import { createHash } from "node:crypto";

/** What one run of the repository's tests came to. */
export interface TestRun {
  readonly command: string;
  /** Undefined when the process was ended before it could exit. */
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly ended: "exited" | "timed-out" | "aborted" | "signalled";
}

/** How the tests stood when they were last run, for the report. */
export interface TestVerdict {
  readonly command: string;
  readonly passed: boolean;
  /** `passed`, `failed with exit code 1`, `was ended at its time limit`. */
  readonly said: string;
  /** Test runs so far. */
  readonly runs: number;
  /** The workspace has been changed since, and the tests were not run again. */
  readonly outdated: boolean;
}

export interface Repair {
  /** Runs the tests and answers the note for the model; undefined when there are none, or when trying again is given up. */
  run(): Promise<string | undefined>;
  lastVerdict(): TestVerdict | undefined;
}

export interface RepairOptions {
  /** Undefined where no test command is known, or where nothing changed since the last time. */
  readonly runTests: () => Promise<TestRun | undefined>;
  /** Failing test runs after which no more are started. */
  readonly maxAttempts: number;
  /** What was told in earlier attempts at the same run: failures among it count. */
  readonly earlierNotes?: readonly string[];
  /**
   * The same tests on what stood there before the run's change; asked once, for the first failure. Undefined where that cannot be told, or would
   * take too long.
   */
  readonly runBefore?: (failed: TestRun) => Promise<TestRun | undefined>;
}

/** The same failure so many times in a row ends the tries. */
const SAME_FAILURE = 3;
/** A note that tells of a failing run. */
const FAILED = /^\[auto_test\] `[^\n]*?` (?:failed with exit code|was ended|was stopped)/;
/** Characters of output in a note; its head and its tail. */
const SHOWN = 4000;

/**
 * The repair loop: tells the model how the repository's own tests stand after its writes. The exit code decides. It gives up on the same
 * failure three times in a row and after `maxAttempts` failing runs; only passing tests reset the first.
 */
export function createRepair({ runTests, maxAttempts, earlierNotes = [], runBefore }: RepairOptions): Repair {
  let verdict: TestVerdict | undefined;
  let runs = 0;
  let failures = earlierNotes.filter((text) => FAILED.test(text)).length;
  let same = { signature: "", times: 0 };
  let hasCompared = runBefore === undefined || failures > 0;
  let failedBefore: { readonly command: string; readonly signature: string } | undefined;

  /** How the tests stood before the change, in a sentence with a blank before it; empty where nobody knows. */
  async function beforehand(tests: TestRun, signature: string): Promise<string> {
    if (!hasCompared) {
      hasCompared = true;
      const before = await runBefore?.(tests);
      if (before === undefined) return "";
      if (before.ended === "exited" && before.exitCode === 0) return " It passed before the change.";
      failedBefore = { command: tests.command, signature: signatureOf(before) };
    }
    if (failedBefore?.command !== tests.command) return "";
    return failedBefore.signature === signature
      ? " It failed in the same way before the change, so the change is not to blame: mend it only if that was asked for."
      : " It failed before the change too, in another way.";
  }

  return {
    async run() {
      if (same.times >= SAME_FAILURE || failures >= maxAttempts) {
        if (verdict !== undefined) verdict = { ...verdict, outdated: true };
        return undefined;
      }
      const tests = await runTests();
      if (tests === undefined) return undefined;
      runs++;
      const said = saidOf(tests);
      const passed = tests.ended === "exited" && tests.exitCode === 0;
      verdict = { command: tests.command, passed, said, runs, outdated: false };
      if (passed) {
        same = { signature: "", times: 0 };
        return `[auto_test] \`${tests.command}\` passed.`;
      }
      failures++;
      const signature = signatureOf(tests);
      same = { signature, times: signature === same.signature ? same.times + 1 : 1 };
      const before = await beforehand(tests, signature);
      return `[auto_test] \`${tests.command}\` ${said}.${before} ${adviceOf(same.times, failures, maxAttempts)}\n\n${headAndTail(tests.output)}`;
    },
    lastVerdict: () => verdict,
  };
}

function saidOf({ ended, exitCode }: TestRun): string {
  if (ended === "timed-out") return "was ended at its time limit";
  if (ended === "aborted") return "was stopped";
  if (ended === "signalled") return "was ended by a signal";
  return exitCode === 0 ? "passed" : `failed with exit code ${exitCode ?? "unknown"}`;
}

function adviceOf(times: number, failures: number, maxAttempts: number): string {
  if (times >= SAME_FAILURE) return `This is the same failure ${times} times in a row; the tests are not run by themselves any more.`;
  if (failures >= maxAttempts) return `That was the last of ${maxAttempts} tries; the tests are not run by themselves any more.`;
  return times > 1 ? "This is the same failure as before. Output:" : "Output:";
}

/** What differs between two runs of the same tests: colours, durations, times of day, hashes, temporary names. */
const PASSING = [
  /\u001b\[[\d;]*[A-Za-z]/g,
  /\bduration\w*\s*[:=]?\s*[\d.]+/gi,
  /\b\d+(\.\d+)?\s?(ms|s|sec|secs|seconds|min|m)\b/g,
  /\b\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\b/g,
  /\b\d{4}-\d{2}-\d{2}T?/g,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/gi,
  /\/tmp\/\S+/g,
  /\s+/g,
];

/** What makes two failures the same; a value that an assertion names is not passing, since another value is another failure. */
function signatureOf({ output, exitCode, ended }: TestRun): string {
  const plain = PASSING.reduce((text, passing) => text.replace(passing, " "), output).trim();
  return createHash("sha256")
    .update(JSON.stringify([ended, exitCode, plain]))
    .digest("hex");
}

function headAndTail(output: string): string {
  const text = output.replace(/\u001b\[[\d;]*[A-Za-z]/g, "").trim();
  if (text === "") return "(no output)";
  if (text.length <= SHOWN) return text;
  const head = text.slice(0, SHOWN * 0.3);
  const tail = text.slice(-SHOWN * 0.7);
  return `${head}\n[… ${text.length - SHOWN} characters left out …]\n${tail}`.toWellFormed();
}
