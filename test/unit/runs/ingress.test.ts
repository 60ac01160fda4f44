import { describe, expect, test } from "vitest";
import type { RunRequest } from "../../../src/core/run.ts";
import { createIngress } from "../../../src/runs/ingress.ts";
import type { NewJob, Queue } from "../../../src/runs/queue.ts";
import type { Database } from "../../../src/store/sql.ts";
import { mention } from "../store/requests.ts";

/** A database that stores runs, one statement at a time, and refuses what `refuse` says of delivery ids. */
function setUp(refuse: (ids: readonly string[]) => string | undefined = () => undefined) {
  const batches: number[] = [];
  const jobs: NewJob[] = [];
  let wakes = 0;
  const database: Pick<Database, "query"> = {
    query: async <R extends object>(_text: string, params: readonly unknown[] = []) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const [ids, deliveries] = params as [string[], string[]];
      batches.push(ids.length);
      const code = refuse(deliveries);
      if (code !== undefined) throw Object.assign(new Error("refused"), { code });
      return ids.map((id) => ({ id })) as R[];
    },
  };
  const queue: Pick<Queue, "sending"> = {
    sending: (_lane, sent) => Promise.resolve((jobs.push(...sent), { text: "select 1", value: "[]" })),
  };
  const ingress = createIngress({ database: database as Database, queue: queue as Queue, onAccepted: () => void (wakes += 1) });
  return { ingress, batches, jobs, wakes: () => wakes };
}

const requests = (count: number): RunRequest[] => Array.from({ length: count }, () => mention());

describe("the way in", () => {
  test("stores what comes at once by one commit, at most 32 together", async () => {
    const { ingress, batches, jobs } = setUp();
    const answers = await Promise.all(requests(70).map((request) => ingress.enqueue(request)));
    expect(answers.every(({ status }) => status === "accepted")).toBe(true);
    expect(batches).toEqual([32, 32, 6]);
    expect(jobs.map(({ runId }) => runId)).toEqual(answers.map((answer) => (answer.status === "accepted" ? answer.runId : "")));
  });

  test("stores what comes during a commit by the next one", async () => {
    const { ingress, batches } = setUp();
    const first = ingress.enqueue(mention());
    // The look at what has arrived is over: the first one is on its way alone.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, ...requests(3).map((request) => ingress.enqueue(request))]);
    expect(batches).toEqual([1, 3]);
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

  test.each([
    { what: "a value that the database refuses", code: "22021" },
    { what: "a rule of its schema", code: "23514" },
    { what: "a value that is too long for an index", code: "54000" },
  ])("one request that cannot be stored for $what is refused alone", async ({ code }) => {
    const bad = mention();
    const { ingress } = setUp((ids) => (ids.includes(bad.deliveryId) ? code : undefined));
    const all = [...requests(3), bad, ...requests(3)];
    const answers = await Promise.allSettled(all.map((request) => ingress.enqueue(request)));
    expect(answers.map(({ status }) => status === "fulfilled")).toEqual(all.map((request) => request !== bad));
  });

  test("a database that is away refuses a whole batch at once, and the next one is tried", async () => {
    let isAway = true;
    const { ingress, batches } = setUp(() => (isAway ? "57P01" : undefined));
    const answers = await Promise.allSettled(requests(10).map((request) => ingress.enqueue(request)));
    expect(answers.every(({ status }) => status === "rejected")).toBe(true);
    expect(batches).toEqual([10]);
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
