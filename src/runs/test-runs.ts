import { createRepair, type Repair, type TestRun } from "../agent/repair.ts";
import type { Journal } from "../core/journal.ts";
import { runIn } from "../workspace/sandbox/run-in.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import { focusedCommand, nearestTests, ranNothing } from "../workspace/test-command/nearest.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { TestPlan } from "./test-plan.ts";
import { asPinned, contentOf, putBack, type Content } from "../workspace/content.ts";

const TEST_TIMEOUT_MS = 5 * 60_000;
/** Tests that took longer are not run a second time to see how they stood before the change. */
const AFFORDABLE_MS = 90_000;

export interface TestRunOptions {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly plan: TestPlan;
  /** Failing test runs after which the repair loop gives up; those of earlier attempts at the run count. */
  readonly maxAttempts: number;
  readonly journal: Pick<Journal, "entries">;
  readonly signal: AbortSignal;
}

export interface TestRuns {
  readonly repair: Repair;
  /** Ends a test run that nobody waits for any more, and what it left behind. Until then the workspace is not the run's work. */
  stop(): Promise<void>;
}

/** Runs the repository's own tests in the sandbox; what they leave behind, and what they take away, is no work of the run. */
export function createTestRuns({ sandbox, workspace, plan, maxAttempts, journal, signal }: TestRunOptions): TestRuns {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let isSetUp = plan.setup === undefined;
  let tookMs = 0;

  async function inSandbox(command: string): Promise<TestRun> {
    const setup = isSetUp ? "" : `${grouped(plan.setup ?? "")} && `;
    const until = AbortSignal.any([signal, stopping.signal]);
    const options = { command: `${setup}${command}`, timeoutMs: TEST_TIMEOUT_MS, signal: until };
    const startedAt = performance.now();
    const { exitCode, output, ended } = await runIn(sandbox, workspace, options);
    tookMs = performance.now() - startedAt;
    // What setup installs is ignored by git, so it stays when the workspace is put back.
    isSetUp ||= exitCode === 0;
    return { command: command.replace(/\s*\n\s*/g, "; "), exitCode, output, ended };
  }

  async function runTests(): Promise<TestRun | undefined> {
    const before = await contentOf(workspace);
    const changed = before.entries.map(({ path }) => path);
    const commands = plan.commandsFor(changed);
    if (commands.length === 0) return undefined;
    try {
      const nearest = commands.length === 1 ? nearestOf(commands[0] ?? "", before) : undefined;
      const first = nearest === undefined ? undefined : await inSandbox(nearest);
      if (first !== undefined && first.exitCode !== 0 && !(first.ended === "exited" && ranNothing(first.output))) return first;
      return await inSandbox(commands.length === 1 ? (commands[0] ?? "") : commands.map(grouped).join(" && "));
    } finally {
      await putBack(workspace, before);
    }
  }

  function nearestOf(command: string, { entries }: Content): string | undefined {
    const deleted = new Set(entries.flatMap(({ path, blob }) => (blob === undefined ? [path] : [])));
    const added = entries.flatMap(({ path, blob }) => (blob === undefined ? [] : [path]));
    const paths = [...new Set([...workspace.basePaths(), ...added])].filter((path) => !deleted.has(path));
    return focusedCommand(command, plan.script, nearestTests(added, paths));
  }

  /** The same command on the pinned commit, in the same folder, so that what was installed is there. */
  async function runBefore({ command, ended }: TestRun): Promise<TestRun | undefined> {
    if (tookMs > AFFORDABLE_MS || ended !== "exited") return undefined;
    const before = await asPinned(workspace, () => inSandbox(command));
    // Tests that the change brings were not there before.
    return before.exitCode !== 0 && ranNothing(before.output) ? undefined : before;
  }

  function watched<T extends unknown[], R>(work: (...args: T) => Promise<R>): (...args: T) => Promise<R> {
    return (...args) => {
      const run = work(...args);
      running = run.catch(() => undefined);
      return run;
    };
  }

  return {
    repair: createRepair({
      maxAttempts,
      earlierNotes: journal.entries.flatMap((entry) => (entry.kind === "note" ? [entry.text] : [])),
      runTests: watched(runTests),
      runBefore: watched(runBefore),
    }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const grouped = (command: string): string => `( ${command}\n)`;
