import { afterEach, beforeEach, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { readRun } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { describeOnPostgres } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, AUTHORIZED, engineOn, eventually, journalOf, mortal, steps, turn } from "./engines.ts";

describeOnPostgres("several machines on one database", ({ database, clear, postgres, url }) => {
  const machines: { readonly engine: Engine; readonly database: Database }[] = [];
  beforeEach(clear);
  afterEach(async () => {
    for (const machine of machines.splice(0)) {
      await machine.engine.stop({ graceMs: 0 });
      await machine.database.close();
    }
  });

  async function machine(options: Partial<EngineOptions> = {}) {
    const own = await openDatabase({ url: url(), directory: "/nowhere", log: silent });
    const { database: mine, kill } = mortal(own);
    const engine = engineOn(mine, options);
    machines.push({ engine, database: own });
    await engine.start();
    return { engine, kill };
  }

  test("a delivery that comes to all of them makes one run", async () => {
    const all = await Promise.all([machine(), machine(), machine()]);
    const requests = Array.from({ length: 10 }, (_, number) => mention({ number }));
    const answers = await Promise.all(requests.flatMap((request) => all.map(({ engine }) => engine.enqueue(request))));
    expect(answers.filter(({ status }) => status === "accepted")).toHaveLength(10);
    await all[0]?.engine.idle();
    expect(await database().query("select state, count(*)::integer as count from sallyport.runs group by state")).toEqual([
      { state: "done", count: 10 },
    ]);
  });

  test("one takes deliveries, another works on them, and no thread works twice at once", async () => {
    const active = new Set<number>();
    const overlaps: number[] = [];
    const work: Partial<EngineOptions> = {
      role: "worker",
      execute: async ({ request }) => {
        if (active.has(request.thread.number)) overlaps.push(request.thread.number);
        active.add(request.thread.number);
        await new Promise((resolve) => setTimeout(resolve, 5));
        active.delete(request.thread.number);
        return "done";
      },
    };
    const front = await machine({ role: "web", execute: () => Promise.reject(new Error("the front works on nothing")) });
    await Promise.all([machine(work), machine(work)]);
    for (let turns = 0; turns < 5; turns += 1) for (const number of [1, 2, 3]) await front.engine.enqueue(mention({ number }));
    await front.engine.idle();
    expect(overlaps).toEqual([]);
    expect(await database().query("select state, count(*)::integer as count from sallyport.runs group by state")).toEqual([
      { state: "done", count: 15 },
    ]);
  });

  test("the run of one that was killed goes on elsewhere, from where it stood", { timeout: 60_000 }, async () => {
    const { promise: atWork, resolve } = Promise.withResolvers<void>();
    const first = await machine(
      steps(async (point) => {
        if (point !== "after turn 2") return;
        first.kill();
        resolve();
        await new Promise(() => undefined);
      }),
    );
    const id = await accepted(first.engine.enqueue(mention()));
    await atWork;
    const second = await machine();
    await second.engine.idle();
    expect(await readRun(database(), id)).toMatchObject({ state: "done", losses: 1, failures: 0 });
    expect(await journalOf(database(), id)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
  });

  test("all of them outlive an outage of the database", async () => {
    const { engine } = await machine();
    await postgres().stop();
    expect(await engine.isReady()).toBe(false);
    const request = mention();
    await expect(engine.enqueue(request)).rejects.toThrow();
    await postgres().start();
    await eventually(async () => ((await engine.isReady()) ? true : undefined));
    const id = await accepted(engine.enqueue(request));
    await eventually(async () => ((await readRun(database(), id))?.state === "done" ? true : undefined));
  });
});
