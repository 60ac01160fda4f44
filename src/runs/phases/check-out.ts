import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Pin } from "../../core/run.ts";
import { checkOut } from "../../workspace/check-out.ts";
import { removeTree } from "../../workspace/clean.ts";
import { detectTestCommand } from "../../workspace/test-command.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { endPhase, phaseResult } from "../phase-results.ts";
import { lastEntry, type RunContext, type RunDependencies } from "../run-context.ts";

/** The unpacked commit with the run's work so far, and how the repository tests itself. */
export interface Desk extends AsyncDisposable {
  readonly workspace: Workspace;
  /** Read from the pinned commit, never from what the run wrote. Undefined where none is known. */
  readonly testCommand: string | undefined;
  readonly startedAt: number;
}

/**
 * Unpacks the pinned commit into a folder of the run's own and brings it to the last snapshot of an earlier attempt.
 * @throws {FetchError} when the commit cannot be had.
 */
export async function setUpDesk(context: RunContext, pin: Pin, { stores, workspaces }: RunDependencies): Promise<Desk> {
  const { run, request, journal, session, signal } = context;
  const { repository } = request;
  const directory = join(workspaces, run.id);
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  await removeTree(directory);
  const store = await stores.open(repository.id);
  const remote = { url: `${session.origin}/${repository.owner}/${repository.name}.git`, token: () => session.token() };
  const workspace = await checkOut({ store, remote, commit: pin.commit, directory, signal });
  try {
    const testCommand = await readTestCommand(workspace);
    const snapshot = lastEntry(journal, "snapshot");
    if (snapshot !== undefined) await workspace.restore(snapshot.entries, (sha) => journal.blob(sha));
    const earlier = phaseResult(journal, "check-out");
    const startedAt = earlier?.startedAt ?? Date.now();
    if (earlier === undefined) await endPhase(journal, "check-out", { startedAt });
    context.tell({ kind: "phase", run: context.view, phase: "check-out" });
    return { workspace, testCommand, startedAt, [Symbol.asyncDispose]: () => workspace.dispose() };
  } catch (error) {
    await workspace.dispose();
    throw error;
  }
}

async function readTestCommand(workspace: Workspace): Promise<string | undefined> {
  const read = async (path: string): Promise<string | undefined> => {
    const file = await workspace.read(path);
    return file.status === "file" ? Buffer.from(file.bytes).toString("utf8") : undefined;
  };
  const [best] = await detectTestCommand(read);
  return best?.command;
}
