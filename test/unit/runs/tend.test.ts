import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunEnd } from "../../../src/core/run.ts";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { RunEndedError } from "../../../src/runs/tend.ts";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { stopThread } from "../../../src/store/endings.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { acceptDeliveries, readRun, threadKey, type Ending } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, AUTHORIZED, engineOn, eventually, steps } from "./engines.ts";

const maria = { id: 3, login: "maria" };

describeOnDatabases("looking after runs", ({ database, clear }) => {
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
  /** Work that ends only by its signal, and what was concluded of it. */
  function patient() {
    const begun: string[] = [];
    const reasons: unknown[] = [];
    const concluded: { readonly id: string; readonly ending: Ending }[] = [];
    const options: Partial<EngineOptions> = {
      execute(run, _, signal): Promise<RunEnd> {
        begun.push(run.id);
        return new Promise((_, reject) => {
          const end = (): void => {
            reasons.push(signal.reason);
            reject(signal.reason as Error);
          };
          if (signal.aborted) end();
          else signal.addEventListener("abort", end, { once: true });
        });
      },
      conclude(run, _, ending) {
        concluded.push({ id: run.id, ending });
        return Promise.resolve("cancelled");
      },
    };
    return { begun, reasons, concluded, options };
  }
  const stateOf = async (id: string) => (await readRun(database(), id))?.state;
  const isEnded = (id: string) => async () => ((await stateOf(id)) === "cancelled" ? true : undefined);
  /** What a stop leaves in the database, whichever process it reached. */
  async function stop(): Promise<void> {
    const [by] = await acceptDeliveries(database(), [mention({ trigger: "command", command: { name: "stop" } })]);
    if (by?.status === "accepted") await stopThread(database(), { thread: threadKey(mention()), before: by.runId, by: "maria" });
  }

  test("aborts a run at work that was stopped, and concludes it", async () => {
    const work = patient();
    const engine = await started(work.options);
    const id = await accepted(engine.enqueue(mention()));
    await eventually(() => work.begun[0]);
    await stop();
    await eventually(isEnded(id));
    expect(work.reasons).toEqual([expect.any(RunEndedError)]);
    expect(work.concluded).toEqual([{ id, ending: { kind: "stopped", by: "maria" } }]);
  });

  test("concludes a queued run at once, beside the one that holds its thread and every place at work", async () => {
    const work = patient();
    // The first does not end by its signal.
    const free = Promise.withResolvers<RunEnd>();
    const execute: EngineOptions["execute"] = (run) => {
      work.begun.push(run.id);
      return free.promise;
    };
    const engine = await started({ ...work.options, concurrency: 1, execute });
    const first = await accepted(engine.enqueue(mention()));
    await eventually(() => work.begun[0]);
    const second = await accepted(engine.enqueue(mention()));
    await eventually(async () => ((await readRun(database(), second))?.acceptedAt === undefined ? undefined : true));
    await stop();
    await eventually(isEnded(second));
    expect(await stateOf(first)).toBe("working");
    expect(work.begun).toEqual([first]);
    free.resolve("done");
    await engine.idle();
    expect(work.concluded.map(({ id }) => id)).toEqual([second]);
  });

  test("concludes a run that was stopped while no process was there, and does not take its work up", async () => {
    const work = patient();
    const engine = await started(work.options);
    const id = await accepted(engine.enqueue(mention()));
    await eventually(() => work.begun[0]);
    await engine.stop({ graceMs: 1000 });
    engines.length = 0;
    await stop();
    await started(work.options);
    await eventually(isEnded(id));
    expect(work.begun.filter((begun) => begun === id)).toHaveLength(1);
    expect(work.concluded).toEqual([{ id, ending: { kind: "stopped", by: "maria" } }]);
  });

  test("concludes a run that was stopped after a process had died on letting it in: it may have said that it is queued", async () => {
    const work = patient();
    const [answer] = await acceptDeliveries(database(), [mention()]);
    if (answer?.status !== "accepted") throw new Error(answer?.status);
    await appendRow(database(), { run: { id: answer.runId, attempt: 0 }, sequence: 1, entry: AUTHORIZED });
    await stop();
    await started(work.options);
    await eventually(isEnded(answer.runId));
    expect(work.begun).not.toContain(answer.runId);
    expect(work.concluded).toEqual([{ id: answer.runId, ending: { kind: "stopped", by: "maria" } }]);
  });

  test("lets a run that has ended by itself be", async () => {
    const work = patient();
    const engine = await started({ conclude: work.options.conclude as EngineOptions["conclude"] });
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    await stop();
    await engine.idle();
    expect(await stateOf(id)).toBe("done");
    expect(work.concluded).toEqual([]);
  });

  test.each([
    ["approved", "done"],
    ["denied", "blocked"],
  ] as const)("takes a waiting run up once its question is %s, also when nobody was there at the time", async (kind, end) => {
    const attempts: number[] = [];
    const options: Partial<EngineOptions> = {
      ...steps(),
      async execute(run) {
        attempts.push(run.attempt);
        if (attempts.length > 1) return "done";
        await storeApprovals(database()).request({ run: run.id, digest: "d", operation: "commit", findings: [], hours: 1 });
        return "waiting";
      },
    };
    const engine = await started(options);
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect(await stateOf(id)).toBe("waiting");
    // A later run of the thread does not wait for it.
    const later = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect(await stateOf(later)).toBe("done");
    await engine.stop({ graceMs: 0 });
    engines.length = 0;
    const [question] = await storeApprovals(database()).waiting(id);
    await storeApprovals(database()).answer(question?.id ?? "", kind, maria);
    const next = await started(options);
    await next.idle();
    expect(await stateOf(id)).toBe(end);
  });
});
