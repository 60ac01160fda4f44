import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError, StaleAttemptError } from "../../../src/core/errors.ts";
import type { Journal } from "../../../src/core/journal.ts";
import type { RunEnd, RunState } from "../../../src/core/run.ts";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { acceptDeliveries, listUnfinished, readRun } from "../../../src/store/runs.ts";
import { describeOnDatabases, describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, AUTHORIZED, engineOn, eventually, journalOf, mortal, steps, turn } from "./engines.ts";

describeOnDatabases("the engine", ({ database, clear }) => {
  const engines: Engine[] = [];
  beforeEach(clear);
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.stop({ graceMs: 0 });
  });

  async function started(options: Partial<EngineOptions> = {}): Promise<Engine> {
    const engine = engineOn(database(), options);
    engines.push(engine);
    await engine.start();
    return engine;
  }

  const stateOf = async (id: string): Promise<RunState | undefined> => (await readRun(database(), id))?.state;

  test("walks a run from its delivery to its end, on one journal", async () => {
    const engine = await started();
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect(await readRun(database(), id)).toMatchObject({ state: "done", attempt: 2, failures: 0, losses: 0 });
    expect(await journalOf(database(), id)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
  });

  test("a delivery makes one run, however often it comes, at once or later", async () => {
    const works: string[] = [];
    const engine = await started(steps((point, runId) => void (point === "before the work" && works.push(runId))));
    const request = mention();
    const answers = await Promise.all(Array.from({ length: 8 }, () => engine.enqueue(request)));
    expect(answers.filter(({ status }) => status === "accepted")).toHaveLength(1);
    await engine.idle();
    expect(await engine.enqueue(request)).toEqual({ status: "duplicate" });
    await engine.idle();
    expect(works).toHaveLength(1);
  });

  test("a run that is not let in is forgotten, its delivery is not", async () => {
    const engine = await started({ accept: () => Promise.resolve("drop") });
    const request = mention();
    const id = await accepted(engine.enqueue(request));
    await engine.idle();
    expect(await readRun(database(), id)).toBeUndefined();
    expect(await engine.enqueue(request)).toEqual({ status: "duplicate" });
  });

  test("a run that its first step answers ends there", async () => {
    const engine = await started({ accept: () => Promise.resolve("cancelled"), execute: () => Promise.reject(new Error("never")) });
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect(await stateOf(id)).toBe("cancelled");
  });

  test.each(["done", "blocked", "waiting", "failed", "cancelled", "out-of-budget"] satisfies RunEnd[])("keeps the end %s", async (end) => {
    const engine = await started({ execute: () => Promise.resolve(end) });
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect(await stateOf(id)).toBe(end);
  });

  test("runs of one thread work in order, one after the other, whichever is let in first", async () => {
    const { promise: secondIsIn, resolve } = Promise.withResolvers<void>();
    const { promise: firstIsKnown, resolve: setFirst } = Promise.withResolvers<string>();
    const points: [string, string][] = [];
    const engine = await started({
      ...steps(async (point, runId) => {
        // The first one's first step takes longer than the second one's, whichever began it earlier.
        if (point === "after the first step" && runId === (await firstIsKnown)) await secondIsIn;
        if (point === "before the work" || point === "after the work") points.push([point, runId]);
      }),
    });
    const first = await accepted(engine.enqueue(mention()));
    setFirst(first);
    const second = await accepted(engine.enqueue(mention()));
    await eventually(async () => (await readRun(database(), second))?.acceptedAt);
    resolve();
    await engine.idle();
    expect(points).toEqual([first, second].flatMap((id) => ["before the work", "after the work"].map((point) => [point, id])));
  });

  test("has no more runs at work than it may, and lets others in meanwhile", async () => {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    let working = 0;
    let most = 0;
    const letIn = new Set<string>();
    const engine = await started({
      concurrency: 2,
      accept: (run) => Promise.resolve((letIn.add(run.id), "go")),
      async execute() {
        most = Math.max(most, (working += 1));
        await released;
        working -= 1;
        return "done";
      },
    });
    for (let number = 1; number <= 5; number += 1) await engine.enqueue(mention({ number }));
    await eventually(() => (letIn.size === 5 && working === 2 ? true : undefined));
    resolve();
    await engine.idle();
    expect(most).toBe(2);
    expect(await listUnfinished(database())).toEqual([]);
  });

  describe("an engine error", () => {
    test("is tried again with the same journal", async () => {
      let tries = 0;
      const engine = await started({
        execute: async (_run, journal) => {
          await journal.append(turn((tries += 1)));
          if (tries < 3) throw new Error("the database hiccuped");
          return "done";
        },
      });
      const id = await accepted(engine.enqueue(mention()));
      await engine.idle();
      expect(await readRun(database(), id)).toMatchObject({ state: "done", failures: 2 });
      expect(await journalOf(database(), id)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
    });

    test("waits for its time, also when another request of its thread is let in meanwhile", async () => {
      const engine = await started({ backoff: () => 3600, execute: () => Promise.reject(new Error("the database hiccuped")) });
      const id = await accepted(engine.enqueue(mention()));
      await eventually(async () => ((await readRun(database(), id))?.failures === 1 ? true : undefined));
      const next = await accepted(engine.enqueue(mention()));
      const delayOf = async (runId: string): Promise<number | undefined> => {
        const [job] = await database().query<{ seconds: number }>(
          "select extract(epoch from start_after - now())::integer as seconds from pgboss.job where data ->> 'runId' = $1 and state = 'retry'",
          [runId],
        );
        return job?.seconds;
      };
      // It was taken, and put back behind the one that waits, which would have been taken before it.
      await eventually(() => delayOf(next));
      expect(await readRun(database(), id)).toMatchObject({ failures: 1, state: "queued" });
      expect(await delayOf(id)).toBeGreaterThan(3000);
    });

    test.each([
      { name: "in the work", step: "execute" as const, reported: true },
      { name: "in the first step", step: "accept" as const, reported: true },
      { name: "in the work, and again in the report", step: "execute" as const, reported: false },
    ])("$name three times gives the run up, with a report", async ({ step, reported }) => {
      const failure = new Error("broken for good");
      const abandoned: unknown[] = [];
      let tries = 0;
      const engine = await started({
        [step]: () => Promise.reject(((tries += 1), failure)),
        abandon: (run, _journal, error) => {
          abandoned.push(run.id, error);
          return reported ? Promise.resolve() : Promise.reject(new Error("GitHub is away"));
        },
      });
      const id = await accepted(engine.enqueue(mention()));
      await engine.idle();
      expect(tries).toBe(3);
      expect(abandoned).toEqual([id, failure]);
      expect(await stateOf(id)).toBe("failed");
      // Its thread is free again.
      const next = await accepted(engine.enqueue(mention()));
      await engine.idle();
      expect(await stateOf(next)).toBe("failed");
    });

    test("a run that ten workers died with is given up without another try", async () => {
      const [answer] = await acceptDeliveries(database(), [mention()]);
      if (answer?.status !== "accepted") throw new Error("not accepted");
      await database().query("update sallyport.runs set accepted_at = now(), losses = 10");
      const abandoned: unknown[] = [];
      const engine = await started({
        execute: () => Promise.reject(new Error("never called")),
        abandon: (_run, _journal, error) => Promise.resolve(void abandoned.push(error)),
      });
      await engine.idle();
      expect(abandoned).toEqual([expect.objectContaining({ code: "workers-lost" })]);
      expect(await stateOf(answer.runId)).toBe("failed");
    });
  });

  describe("that stops", () => {
    test.each([
      { name: "heeds the signal", heeds: true, graceMs: 5_000 },
      { name: "does not", heeds: false, graceMs: 50 },
    ])("hands back a run whose work $name; nothing is failed, and what it still writes is refused", async ({ heeds, graceMs }) => {
      const { promise: atWork, resolve: begin } = Promise.withResolvers<Journal>();
      const first = await started({
        execute: async (_run, journal, signal) => {
          await journal.append(turn(1));
          begin(journal);
          return new Promise((_resolve, reject) => {
            if (heeds) signal.addEventListener("abort", () => reject(signal.reason as Error));
          });
        },
      });
      const id = await accepted(first.enqueue(mention()));
      const late = await atWork;
      await first.stop({ graceMs });
      expect(await readRun(database(), id)).toMatchObject({ state: "queued", failures: 0, losses: 0 });
      await expect(late.append(turn(9))).rejects.toThrow(StaleAttemptError);
      await expect(first.enqueue(mention())).rejects.toMatchObject({ code: "engine-stopped" });

      const second = await started();
      await second.idle();
      expect(await stateOf(id)).toBe("done");
      expect(await journalOf(database(), id)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
    });

    test("is not ready any more, and was not before its start", async () => {
      const engine = engineOn(database());
      expect(await engine.isReady()).toBe(false);
      await expect(engine.enqueue(mention())).rejects.toMatchObject({ code: "engine-stopped" });
      await engine.start();
      expect(await engine.isReady()).toBe(true);
      await engine.stop({ graceMs: 0 });
      expect(await engine.isReady()).toBe(false);
    });
  });

  test("a worker that slept while its run was taken over writes nothing more", async () => {
    const { promise: asleep, resolve: sleep } = Promise.withResolvers<void>();
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const late: unknown[] = [];
    const engine = await started({
      execute: async (run, journal) => {
        if (run.attempt > 2) return "done";
        await journal.append(turn(1));
        sleep();
        await woken;
        late.push(await journal.append(turn(2)).catch((error: unknown) => error));
        return "failed";
      },
    });
    const id = await accepted(engine.enqueue(mention()));
    await asleep;
    // What the monitor does to a job whose worker has gone silent.
    await database().query("update pgboss.job set state = 'retry' where state = 'active'");
    await eventually(async () => ((await stateOf(id)) === "done" ? true : undefined));
    wake();
    await engine.idle();
    expect(late).toEqual([expect.any(StaleAttemptError)]);
    expect(await readRun(database(), id)).toMatchObject({ state: "done", attempt: 3, losses: 1, failures: 0 });
    expect(await journalOf(database(), id)).toEqual([AUTHORIZED, turn(1)]);
  });

  test.each(["acts", "runs"] as const)("a run whose job is gone from the lane %s gets a new one at the start", async (lane) => {
    const [answer] = await acceptDeliveries(database(), [mention()]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    if (lane === "runs") await database().query("update sallyport.runs set accepted_at = now()");
    const engine = await started({ accept: () => Promise.resolve(lane === "acts" ? "go" : "failed") });
    await engine.idle();
    expect(await stateOf(answer.runId)).toBe("done");
  });
});

describeOnEmbedded("a process that is killed", ({ database, clear }) => {
  beforeEach(clear);

  test.each([
    "before the first step",
    "after the first step",
    "before the work",
    "after turn 1",
    "after turn 2",
    "after turn 3",
    "after the work",
  ])("%s loses nothing: the next one goes on from there and repeats nothing", async (killAt) => {
    const { database: mine, kill } = mortal(database());
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    const first = engineOn(
      mine,
      steps((point) => {
        if (point !== killAt) return;
        kill();
        resolve();
        throw new Error("this process was killed");
      }),
    );
    await first.start();
    const [id, next] = await Promise.all([accepted(first.enqueue(mention())), accepted(first.enqueue(mention()))]);
    await killed;

    const second = engineOn(database());
    await second.start();
    await second.idle();
    for (const run of [id, next]) {
      expect(await readRun(database(), run)).toMatchObject({ state: "done", failures: 0 });
      expect(await journalOf(database(), run)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
    }
    await first.stop({ graceMs: 0 });
    await second.stop({ graceMs: 0 });
  });

  test.each(["web", "worker"] as const)("the role %s is refused: another process could not share this database", (role) => {
    expect(() => engineOn(database(), { role })).toThrow(ConfigurationError);
  });
});
