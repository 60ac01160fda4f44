import { setTimeout as sleep } from "node:timers/promises";
import { call, resumable, say } from "../../src/testing/index.ts";
import { openTheatre } from "../e2e/processes.ts";
import { REPOSITORY } from "../e2e/stage.ts";
import { postgresPrograms, startPostgres } from "../unit/store/postgres.ts";
import type { Measured, Target } from "./bench.ts";

interface Resumed {
  /** Seconds from `kill -9` until the question that was open is put again: by another worker, and by the same machine after a restart. */
  readonly elsewhere?: number;
  readonly afterRestart: number;
}

const TURNS = [call("read_file", { path: "README.md" }), say("Read.")];

/** How soon a run goes on whose process was killed while the model was thinking. */
export async function bench(): Promise<Measured<Resumed>> {
  const afterRestart = await secondsToResume(undefined);
  const postgres = postgresPrograms === undefined ? undefined : await startPostgres({});
  try {
    const elsewhere = postgres === undefined ? undefined : await secondsToResume(await postgres.createDatabase());
    const result = { afterRestart, ...(elsewhere !== undefined && { elsewhere }) };
    const said =
      elsewhere === undefined ? "not measured elsewhere: PostgreSQL is not installed" : `${elsewhere.toFixed(1)} s by another worker`;
    return {
      result,
      text: `a killed process's run goes on after ${said}; ${afterRestart.toFixed(1)} s after a restart on the same machine`,
    };
  } finally {
    await postgres?.dispose();
  }
}

async function secondsToResume(databaseUrl: string | undefined): Promise<number> {
  const questions: number[] = [];
  await using theatre = await openTheatre((request, step) => {
    questions.push(performance.now());
    // The first question stays open: the process is killed over it.
    return questions.length === 1 ? { hang: true } : resumable(TURNS)(request, step);
  });
  const until = async (count: number): Promise<void> => {
    while (questions.length < count) await sleep(20);
  };
  const start = (role: "web" | "worker") =>
    theatre.start(databaseUrl === undefined ? {} : { role, databaseUrl, data: `${role}-${Math.random()}` });
  if (databaseUrl !== undefined) await start("web");
  const first = await start("worker");
  const { number } = theatre.github.addIssue(REPOSITORY, { title: "Read it", user: "alice" });
  await theatre.github.say(REPOSITORY, number, "@sallyport read it", "alice");
  await until(1);
  if (databaseUrl !== undefined) await start("worker");
  const killed = performance.now();
  await first.kill();
  if (databaseUrl === undefined) await start("worker");
  await until(2);
  return ((questions[1] ?? 0) - killed) / 1000;
}

export const targets: readonly Target<Resumed>[] = [
  { name: "a killed worker's run goes on elsewhere after", unit: "s", atMost: 20, figure: ({ elsewhere }) => elsewhere },
  { name: "the same on one machine, with its restart", unit: "s", figure: ({ afterRestart }) => afterRestart },
];
