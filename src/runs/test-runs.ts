import { createRepair, type Repair, type TestRun } from "../agent/repair.ts";
import type { SnapshotEntry } from "../core/journal.ts";
import type { Sandbox } from "../workspace/sandbox/sandbox.ts";
import { UnpublishableError } from "../workspace/change-set.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Failing test runs after which the repair loop gives up. */
const TEST_ATTEMPTS = 8;
const TEST_TIMEOUT_MS = 5 * 60_000;

export interface TestRunOptions {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly command: string;
  readonly signal: AbortSignal;
}

export interface TestRuns {
  readonly repair: Repair;
  /** Ends a test run that nobody waits for any more, and what it left behind. Until then the workspace is not the run's work. */
  stop(): Promise<void>;
}

/** Runs the repository's own tests in the sandbox; what they leave behind, and what they take away, is no work of the run. */
export function createTestRuns({ sandbox, workspace, command, signal }: TestRunOptions): TestRuns {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function runTests(): Promise<TestRun> {
    const before = await contentOf(workspace);
    try {
      const until = AbortSignal.any([signal, stopping.signal]);
      const options = { command, workspace: workspace.directory, timeoutMs: TEST_TIMEOUT_MS, signal: until };
      const { exitCode, output, ended } = await sandbox.run(options);
      return { command, exitCode, output, ended };
    } finally {
      await putBack(workspace, before);
    }
  }

  return {
    repair: createRepair({
      maxAttempts: TEST_ATTEMPTS,
      runTests() {
        const run = runTests();
        running = run.catch(() => undefined);
        return run;
      },
    }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** A workspace's difference against its pinned tree, as a snapshot holds it. */
export interface Content {
  readonly entries: readonly SnapshotEntry[];
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** @throws {UnpublishableError} */
export async function contentOf(workspace: Pick<Workspace, "changeSet">): Promise<Content> {
  const { changes, blobs } = await workspace.changeSet();
  const entries = changes.map(({ path, after }): SnapshotEntry =>
    after === undefined ? { path } : { path, mode: after.mode, blob: after.sha },
  );
  return { entries, blobs };
}

async function putBack(workspace: Workspace, { entries, blobs }: Content): Promise<void> {
  const restore = () => workspace.restore(entries, (sha) => Promise.resolve(blobs.get(sha)));
  try {
    await restore();
  } catch (error) {
    if (!(error instanceof UnpublishableError)) throw error;
    // Sockets, pipes and second names: none of them was there before, or the tests would not have been run.
    for (const { where } of error.findings) if (where !== undefined) await workspace.remove(where.path).catch(() => undefined);
    await restore();
  }
}
