import { resolve } from "node:path";
import type { GateSettings } from "../../config/gate-policy.ts";
import { loadStored, storedAdvisoriesFile } from "../../gate/advisories/stored-file.ts";
import { storedSource } from "../../gate/advisories/stored-source.ts";
import { policyOf } from "../../gate/policy-of.ts";
import { workerScanner } from "../../gate/secrets/worker-scanner.ts";
import { readJournal } from "../../store/journal-rows.ts";
import { readBlobs, type RecordedRun } from "../../store/recorded.ts";
import { readRun } from "../../store/runs.ts";
import type { Executor } from "../../store/sql.ts";
import type { Git } from "../../workspace/git.ts";
import { openKeptBases } from "../../workspace/kept-bases.ts";
import { createJudgeAgain, type JudgeAgain } from "./judge-again.ts";
import type { TimeMachineOptions } from "./time-machine.ts";

/** What recorded work is judged from and by; disposed of, it judges no more. */
export interface ReplaySources extends Pick<TimeMachineOptions, "bases" | "blobs">, AsyncDisposable {
  judgeBy(settings: GateSettings): JudgeAgain;
}

/** Opens what this machine keeps: copies of repositories and advisories below the data folder, and the run's own blobs. */
export async function openReplaySources({
  database,
  dataDir,
  git,
}: {
  readonly database: Executor;
  /** Absolute. */
  readonly dataDir: string;
  readonly git: Git;
}): Promise<ReplaySources> {
  const stored = loadStored(storedAdvisoriesFile(dataDir));
  const advisories = (await stored()) === undefined ? {} : { advisories: storedSource({ load: stored }) };
  const scanner = workerScanner();
  return {
    bases: openKeptBases({ git, folder: resolve(dataDir, "stores") }),
    blobs: (id, shas) => readBlobs(database, id, shas),
    judgeBy: (settings) => createJudgeAgain({ policy: policyOf(settings), scanner, ...advisories }),
    [Symbol.asyncDispose]: () => scanner[Symbol.asyncDispose](),
  };
}

/** A run with all of its journal; undefined where it is not kept. */
export async function readRecorded(database: Executor, id: string): Promise<RecordedRun | undefined> {
  const run = await readRun(database, id);
  return run === undefined ? undefined : { id, request: run.request, createdAt: run.createdAt, entries: await readJournal(database, id) };
}
