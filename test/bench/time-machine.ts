import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gateSettings } from "../../src/config/gate-policy.ts";
import type { JournalEntry } from "../../src/core/journal.ts";
import { silent } from "../../src/core/log.ts";
import { policyOf } from "../../src/gate/policy-of.ts";
import { workerScanner } from "../../src/gate/secrets/worker-scanner.ts";
import { createJudgeAgain } from "../../src/runs/replay/judge-again.ts";
import { rejudgeRuns, type TimeMachineReport } from "../../src/runs/replay/time-machine.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { readBlobs, runsWithChanges } from "../../src/store/recorded.ts";
import { acceptDeliveries } from "../../src/store/runs.ts";
import { openGit } from "../../src/workspace/git.ts";
import { openKeptBases, type KeptBases } from "../../src/workspace/kept-bases.ts";
import { objectId } from "../../src/workspace/object-id.ts";
import { rawOf, resultingTree } from "../../src/workspace/tree.ts";
import { checkouts } from "../e2e/checkouts.ts";
import { mention } from "../unit/store/requests.ts";
import type { Measured, Target } from "./bench.ts";

const CHANGES = Number(process.env["SALLYPORT_BENCH_CHANGES"] ?? 1000);
/** Commits that the runs stand on, in turn, and files of each. */
const BASES = 50;
const FILES = 300;
const CHANGED = 5;
const LINES = 60;

export interface TimeMachineResult {
  readonly changes: number;
  readonly notJudged: number;
  readonly wouldBlock: number;
  readonly seconds: number;
  /** Processor time of this process, in seconds; that of git does not count. */
  readonly cpuSeconds: number;
}

const fileOf = (file: number, version: number): string =>
  Array.from({ length: LINES }, (_, line) => `export const value${file}x${line} = compute(${version}, ${line});\n`).join("");

/** Records that many changes in an embedded database and a kept copy, and judges all of them by another policy. */
export async function bench(): Promise<Measured<TimeMachineResult>> {
  const folder = await mkdtemp(join(tmpdir(), "sallyport-time-machine-"));
  const place = checkouts();
  const database = await openDatabase({ directory: join(folder, "data"), log: silent });
  try {
    const bases = openKeptBases({ git: openGit({ path: process.env["PATH"] ?? "" }), folder: join(folder, "stores") });
    await record(database, bases, keepCopy(place, join(folder, "stores", "42.git")));
    await using scanner = workerScanner();
    const policy = policyOf(gateSettings([{ protected: { "src/1*.ts": "block" } }]));
    const judge = createJudgeAgain({ policy, scanner });
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const blobs = (id: string, shas: readonly string[]) => readBlobs(database, id, shas);
    const report = await rejudgeRuns({ runs: runsWithChanges(database, new Date(0)), bases, blobs, judge });
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const result = resultOf(report, seconds, (user + system) / 1e6);
    return { result, text: textOf(result) };
  } finally {
    await database.close();
    place.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

function resultOf(report: TimeMachineReport, seconds: number, cpuSeconds: number): TimeMachineResult {
  const { changes, notJudged, counts } = report;
  return { changes: changes.length, notJudged: notJudged.length, wouldBlock: counts.allow.block, seconds, cpuSeconds };
}

function textOf({ changes, notJudged, wouldBlock, seconds, cpuSeconds }: TimeMachineResult): string {
  const times = `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of the processor)`;
  return `${changes} recorded changes of ${CHANGED} files judged again in ${times}; ${wouldBlock} would be blocked, ${notJudged} were not judged`;
}

/** The copy of a repository as the server keeps it. Answers its commits. */
function keepCopy({ checkout }: ReturnType<typeof checkouts>, gitDir: string): readonly string[] {
  const all = Object.fromEntries(Array.from({ length: FILES }, (_, file) => [`src/${file}.ts`, fileOf(file, 0)]));
  const { git, commit } = checkout(all);
  for (let version = 1; version < BASES; version += 1) commit({ [`src/${version}.ts`]: fileOf(version, version) });
  git("clone", "--quiet", "--bare", ".", gitDir);
  return git("log", "--format=%H", `--max-count=${BASES}`).trim().split("\n");
}

/** All rows of some runs in few statements: one by one they would take far longer than what is measured. */
async function record(database: Database, bases: KeptBases, commits: readonly string[]): Promise<void> {
  const accepted = await acceptDeliveries(
    database,
    Array.from({ length: CHANGES }, () => mention()),
  );
  const rows: (readonly [run: string, sequence: number, entry: JournalEntry])[] = [];
  const blobs: (readonly [run: string, sha: string, base64: string])[] = [];
  for (const [change, answer] of accepted.entries()) {
    if (answer.status !== "accepted") throw new Error("a run was not accepted");
    const { runId: run } = answer;
    const commit = commits[change % commits.length] ?? "";
    const base = await bases(42, commit);
    if (base === undefined) throw new Error(`the copy lacks ${commit}`);
    const files = Array.from({ length: CHANGED }, (_, at) => {
      const path = `src/${at < 3 ? (change * 7 + at) % FILES : `new-${change}-${at}`}.ts`;
      const bytes = Buffer.from(fileOf(change, at + 1));
      return { path, bytes, blob: objectId("blob", bytes) };
    });
    const after = new Map(files.map(({ path, blob }) => [rawOf(path), { mode: "100644" as const, sha: blob }]));
    const key = `publish-0-${resultingTree(base.tree, after).slice(0, 12)}`;
    const pin = { commit, base: { ref: "main", sha: commit } };
    const entries = files.map(({ path, blob }) => ({ path, mode: "100644" as const, blob }));
    const sizes = Object.fromEntries(files.map(({ blob, bytes }) => [blob, bytes.length]));
    rows.push([run, 1, { kind: "phase", phase: "authorize", result: { pin, profile: "write" } }]);
    rows.push([run, 2, { kind: "snapshot", turn: 1, entries, sizes }]);
    rows.push([run, 3, { kind: "decision", operation: "open-pull-request", key, decision: { verdict: "allow", findings: [] } }]);
    blobs.push(...files.map(({ blob, bytes }) => [run, blob, bytes.toString("base64")] as const));
  }
  await database.query(
    `insert into sallyport.journal (run_id, sequence, attempt, kind, entry)
     select run, sequence, 0, kind, entry::json from unnest($1::text[], $2::integer[], $3::text[], $4::text[]) as t (run, sequence, kind, entry)`,
    [
      rows.map(([run]) => run),
      rows.map(([, at]) => at),
      rows.map(([, , { kind }]) => kind),
      rows.map(([, , entry]) => JSON.stringify(entry)),
    ],
  );
  for (let at = 0; at < blobs.length; at += 500) {
    const some = blobs.slice(at, at + 500);
    await database.query(
      `insert into sallyport.blobs (run_id, sha, content)
       select run, sha, decode(content, 'base64') from unnest($1::text[], $2::text[], $3::text[]) as t (run, sha, content) on conflict do nothing`,
      [some.map(([run]) => run), some.map(([, sha]) => sha), some.map(([, , content]) => content)],
    );
  }
}

export const targets: readonly Target<TimeMachineResult>[] = [
  { name: `${CHANGES} recorded changes judged by another policy`, unit: "s", atMost: 60, figure: ({ seconds }) => seconds },
  { name: "recorded changes that could not be judged", unit: "", atMost: 0, figure: ({ notJudged }) => notJudged },
];
