import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunEnd } from "../../../src/core/run.ts";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { purgeRepositories } from "../../../src/store/purge.ts";
import { readRun, type Ending } from "../../../src/store/runs.ts";
import { noteWorker } from "../../../src/store/workers.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, engineOn, eventually } from "./engines.ts";

const REPOSITORY = mention().repository.id;
const worker = { id: "one", host: "here", version: "1", slots: 4 };

describeOnEmbedded("a purge", ({ database, clear }) => {
  let engine: Engine | undefined;
  const concluded: (readonly [id: string, ending: Ending])[] = [];
  beforeEach(async () => {
    await clear();
    await database().query("delete from sallyport.workers");
    concluded.length = 0;
  });
  afterEach(() => engine?.stop({ graceMs: 0 }));

  /** Works until it is ended, and says so. */
  async function start(execute?: EngineOptions["execute"]): Promise<Engine> {
    const untilEnded = (signal: AbortSignal) =>
      new Promise<RunEnd>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    engine = engineOn(database(), {
      execute: execute ?? ((_, __, signal) => untilEnded(signal)),
      conclude: (run, _, ending) => (concluded.push([run.id, ending]), Promise.resolve("cancelled")),
    });
    await engine.start();
    return engine;
  }

  const isAt = (id: string, state: string) => async () => ((await readRun(database(), id))?.state === state ? true : undefined);

  test("lets runs at work, queued and waiting say that they have ended, and then forgets them", async () => {
    await noteWorker(database(), worker);
    const running = await start(({ request }, _, signal) =>
      request.thread.number === 2
        ? Promise.resolve("waiting")
        : new Promise((__, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
          }),
    );
    const [atWork, queued, waiting] = [
      await accepted(running.enqueue(mention())),
      await accepted(running.enqueue(mention())),
      await accepted(running.enqueue(mention({ number: 2 }))),
    ];
    await eventually(isAt(atWork, "working"));
    await eventually(isAt(waiting, "waiting"));
    await eventually(async () => (await readRun(database(), queued))?.acceptedAt);
    expect(await purgeRepositories(database(), [REPOSITORY], { withinMs: 60_000 })).toEqual([REPOSITORY]);
    expect(new Map(concluded)).toEqual(new Map([atWork, queued, waiting].map((id) => [id, { kind: "purged" }])));
    for (const id of [atWork, queued, waiting]) expect(await readRun(database(), id)).toBeUndefined();
  });

  test("waits for nobody where no worker is there to say anything", async () => {
    const running = await start();
    const id = await accepted(running.enqueue(mention()));
    await eventually(isAt(id, "working"));
    await running.stop({ graceMs: 1_000 });
    expect(await purgeRepositories(database(), [REPOSITORY], { withinMs: 3_600_000 })).toEqual([REPOSITORY]);
    expect(await readRun(database(), id)).toBeUndefined();
    expect(concluded).toEqual([]);
  });
});
