import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import type { Pin } from "../../core/run.ts";
import { checkOut } from "../../workspace/check-out.ts";
import { removeTree } from "../../workspace/clean.ts";
import { FetchError } from "../../workspace/fetch-error.ts";
import { fetchEnds } from "../../workspace/compare.ts";
import { openCommitFiles, type CommitFiles } from "../../workspace/commit-files.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readConventions, type Conventions } from "../conventions.ts";
import { openDeskGraph, type DeskGraph } from "../desk-graph.ts";
import { endPhase, phaseResult } from "../phase-results.ts";
import type { Source } from "../review/reading.ts";
import { lastEntry, type RunContext, type RunDependencies } from "../run-context.ts";
import { makeTestPlan, type TestPlan } from "../test-plan.ts";

/** The unpacked commit with the run's work so far, and how the repository tests itself. */
export interface Desk extends AsyncDisposable {
  readonly workspace: Workspace;
  /** The branch that the work is for, as it stood when the run was accepted: what maintainers have said, whoever changes what. */
  readonly base: CommitFiles;
  readonly conventions: Conventions;
  /** Where further commits are read. */
  readonly source: Source;
  /** Of the workspace; undefined where there are no code graphs. */
  readonly graph: DeskGraph | undefined;
  /** Undefined where no test command is known. */
  readonly tests: TestPlan | undefined;
  readonly startedAt: number;
}

/**
 * Unpacks the pinned commit into a folder of this attempt's own and brings it to the last snapshot of an earlier attempt.
 * @throws {FetchError} when the commit cannot be had.
 */
export async function setUpDesk(context: RunContext, pin: Pin, { stores, workspaces, buildGraph }: RunDependencies): Promise<Desk> {
  const { request, journal, session, signal, log } = context;
  const { repository } = request;
  signal.throwIfAborted();
  const directory = await freshFolder(workspaces, context.run);
  const store = await stores.open(repository.id);
  const remote = { url: `${session.origin}/${repository.owner}/${repository.name}.git`, token: () => session.token() };
  const { pull } = pin;
  if (pull !== undefined && pin.commit !== pull.baseSha) {
    const shas = [...new Set([pin.commit, pull.baseSha, pin.base.sha])];
    // What cannot be had is told by what needs it.
    await fetchEnds({ store, remote, shas, signal }).catch((error: unknown) => assertMissing(error));
  }
  const workspace = await checkOut({ store, remote, commit: pin.commit, directory, signal });
  const dispose = async (): Promise<void> => {
    try {
      await workspace.dispose();
    } catch (error) {
      // A folder that stays is swept at a later start; it must not hide how the run ended.
      log.warn({ error: messageOf(error) }, "a workspace could not be removed");
    }
  };
  try {
    const base = await openCommitFiles({ store, remote, commit: pin.base.sha, signal }).catch((error: unknown) => {
      // A base that was pushed over is gone from GitHub; the work itself needs it not.
      assertMissing(error);
      log.warn({ commit: pin.base.sha }, "the base commit is gone; what the repository says of itself is not read");
      return { commit: pin.base.sha, paths: () => [], file: () => Promise.resolve(undefined) };
    });
    const conventions = await readConventions(base);
    const tests = await makeTestPlan(context.settings.commands, base);
    const snapshot = lastEntry(journal, "snapshot");
    if (snapshot !== undefined) await workspace.restore(snapshot.entries, (sha) => journal.blob(sha));
    const earlier = phaseResult(journal, "check-out");
    const startedAt = earlier?.startedAt ?? context.now();
    if (earlier === undefined) await endPhase(journal, "check-out", { startedAt });
    context.tell({ kind: "phase", run: context.view, phase: "check-out" });
    const graph = buildGraph === undefined ? undefined : openDeskGraph({ workspace, build: buildGraph, log });
    return { workspace, graph, base, conventions, source: { store, remote }, tests, startedAt, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** @throws what is no commit that the remote lacks. */
function assertMissing(error: unknown): void {
  if (!(error instanceof FetchError) || error.code !== "commit-missing") throw error;
}

/**
 * A name for the workspace of this attempt alone: one that was overtaken in this very process may still have its own open, and removes it
 * when it ends. Earlier attempts' folders are removed; whatever still works in them can write nothing more to the journal.
 */
async function freshFolder(workspaces: string, { id, attempt }: RunContext["run"]): Promise<string> {
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  const old = (await readdir(workspaces)).filter((name) => name.startsWith(`${id}.`));
  for (const name of old) await removeTree(join(workspaces, name));
  return join(workspaces, `${id}.${attempt}`);
}
