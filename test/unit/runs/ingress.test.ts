import { describe, expect, test } from "vitest";
import type { RunRequest } from "../../../src/core/run.ts";
import { createIngress } from "../../../src/runs/ingress.ts";
import type { NewJob, Queue } from "../../../src/runs/queue.ts";
import type { Database, Executor } from "../../../src/store/sql.ts";
import { mention } from "../store/requests.ts";

/** A database that stores delivery ids, one transaction at a time, and refuses what `refuse` says. */
function setUp(refuse: (ids: readonly string[]) => string | undefined = () => undefined) {
  const batches: number[] = [];
  const jobs: NewJob[] = [];
  let wakes = 0;
  const tx: Executor = {
    query: <R extends object>(text: string, params: readonly unknown[] = []) => {
      if (!text.includes("sallyport.deliveries")) return Promise.resolve([]);
      const ids = params[0] as string[];
      batches.push(ids.length);
      const code = refuse(ids);
      return code === undefined
        ? Promise.resolve(ids.map((id) => ({ id })) as R[])
        : Promise.reject(Object.assign(new Error("refused"), { code }));
    },
    executeSql: () => Promise.resolve({ rows: [] }),
  };
  const database: Pick<Database, "transaction"> = {
    transaction: async (work) => {
      await new Promise((resolve) => setImmediate(resolve));
      return work(tx);
    },
  };
  const queue: Pick<Queue, "send"> = { send: (_lane, sent) => Promise.resolve(void jobs.push(...sent)) };
  const ingress = createIngress({ database: database as Database, queue: queue as Queue, onAccepted: () => void (wakes += 1) });
  return { ingress, batches, jobs, wakes: () => wakes };
}

const requests = (count: number): RunRequest[] => Array.from({ length: count }, () => mention());

describe("the way in", () => {
  test("stores what comes during a transaction with the next one, at most 32 together", async () => {
    const { ingress, batches, jobs } = setUp();
    const answers = await Promise.all(requests(70).map((request) => ingress.enqueue(request)));
    expect(answers.every(({ status }) => status === "accepted")).toBe(true);
    expect(batches).toEqual([1, 32, 32, 5]);
    expect(jobs.map(({ runId }) => runId)).toEqual(answers.map((answer) => (answer.status === "accepted" ? answer.runId : "")));
  });

  test("takes a request that comes the moment the one before is answered", async () => {
    const { ingress, batches } = setUp();
    for (let turns = 0; turns < 12; turns += 1) {
      // However many turns of the microtask queue lie between.
      const answer = ingress.enqueue(mention()).then(async () => {
        for (let wait = 0; wait < turns; wait += 1) await Promise.resolve();
        return ingress.enqueue(mention());
      });
      expect((await answer).status).toBe("accepted");
    }
    expect(batches).toHaveLength(24);
  });

  test("wakes the worker once per commit that made a job", async () => {
    const { ingress, wakes } = setUp();
    await ingress.enqueue(mention());
    expect(wakes()).toBe(1);
  });

  test("one request that cannot be stored is refused alone", async () => {
    const bad = mention();
    const { ingress } = setUp((ids) => (ids.includes(bad.deliveryId) ? "22021" : undefined));
    const all = [...requests(3), bad, ...requests(3)];
    const answers = await Promise.allSettled(all.map((request) => ingress.enqueue(request)));
    expect(answers.map(({ status }) => status === "fulfilled")).toEqual(all.map((request) => request !== bad));
  });

  test("a database that is away refuses a whole batch at once, and the next one is tried", async () => {
    let isAway = true;
    const { ingress, batches } = setUp(() => (isAway ? "57P01" : undefined));
    const answers = await Promise.allSettled(requests(10).map((request) => ingress.enqueue(request)));
    expect(answers.every(({ status }) => status === "rejected")).toBe(true);
    expect(batches).toEqual([1, 9]);
    isAway = false;
    expect((await ingress.enqueue(mention())).status).toBe("accepted");
  });

  test("that is closed ends what is under way and refuses the rest", async () => {
    const { ingress } = setUp();
    const under = ingress.enqueue(mention());
    await ingress.close();
    expect((await under).status).toBe("accepted");
    await expect(ingress.enqueue(mention())).rejects.toMatchObject({ code: "engine-stopped" });
  });
});
