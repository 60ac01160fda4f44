import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import type { RunRequest } from "../../../src/core/run.ts";
import { createIngress, type Ingress } from "../../../src/runs/ingress.ts";
import { openQueue, type Queue } from "../../../src/runs/queue.ts";
import { startBoss } from "../../../src/store/boss.ts";
import { listUnfinished, listWithoutJob } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { describeOnDatabases } from "../store/databases.ts";
import { mention } from "../store/requests.ts";

/** No text of a database may hold a NUL, and the key of a thread is one. */
const unstorable = (): RunRequest => mention({ thread: { kind: "none", number: 0 }, slot: "\0" });

describeOnDatabases("deliveries that are stored together", ({ database, clear }) => {
  let queue: Queue;
  const open: Ingress[] = [];
  beforeAll(async () => {
    queue = await openQueue(await startBoss(database(), { log: silent, supervise: false }), database());
  });
  beforeEach(clear);
  afterEach(async () => {
    for (const ingress of open.splice(0)) await ingress.close();
  });
  afterAll(async () => queue.stop());

  function wayIn(over: { readonly database?: Database; readonly queue?: Queue } = {}): Ingress {
    const ingress = createIngress({ database: database(), queue, onAccepted: () => undefined, ...over });
    open.push(ingress);
    return ingress;
  }

  const all = (ingress: Ingress, requests: readonly RunRequest[]) =>
    Promise.allSettled(requests.map((request) => ingress.enqueue(request)));
  const stored = async (): Promise<RunRequest[]> => (await listUnfinished(database())).map(({ request }) => request);

  test("each have a run and a job, in the order in which they came", async () => {
    const requests = Array.from({ length: 50 }, (_, at) => mention({ number: at % 3 }));
    const answers = await all(wayIn(), requests);
    expect(answers.every(({ status }) => status === "fulfilled")).toBe(true);
    expect(await stored()).toEqual(requests);
    expect(await listWithoutJob(database())).toEqual([]);
    expect(await queue.pending()).toBe(50);
  });

  test("make no second run or job for one that is there, or comes twice among them", async () => {
    const [known, twice, other] = [mention(), mention(), mention()];
    const ingress = wayIn();
    await ingress.enqueue(known);
    const answers = await Promise.all([twice, known, twice, other].map((request) => ingress.enqueue(request)));
    expect(answers.map(({ status }) => status)).toEqual(["accepted", "duplicate", "duplicate", "accepted"]);
    expect(await stored()).toEqual([known, twice, other]);
    expect(await queue.pending()).toBe(3);
  });

  test("do not suffer from one that cannot be stored, which leaves no trace", async () => {
    const good = Array.from({ length: 4 }, () => mention());
    const bad = unstorable();
    const answers = await all(wayIn(), [...good.slice(0, 2), bad, ...good.slice(2)]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(await stored()).toEqual(good);
    expect(await queue.pending()).toBe(4);
    expect((await wayIn().enqueue({ ...mention(), deliveryId: bad.deliveryId })).status).toBe("accepted");
  });

  test("are all refused when the database fails, and all taken when they come again", async () => {
    let isAway = true;
    const failing: Database = {
      ...database(),
      query: (...args) =>
        isAway ? Promise.reject(Object.assign(new Error("terminating connection"), { code: "57P01" })) : database().query(...args),
    };
    const requests = Array.from({ length: 5 }, () => mention());
    const ingress = wayIn({ database: failing });
    expect((await all(ingress, requests)).every(({ status }) => status === "rejected")).toBe(true);
    expect(await stored()).toEqual([]);
    isAway = false;
    const again = await Promise.all(requests.map((request) => ingress.enqueue(request)));
    expect(again.every(({ status }) => status === "accepted")).toBe(true);
    expect(await stored()).toEqual(requests);
  });

  test("are not there without their jobs", async () => {
    const request = mention();
    const refused = { text: "insert into sallyport.pauses (scope) select (1 / length($7::text))::text", value: "" };
    const jobless: Queue = { ...queue, sending: () => Promise.resolve(refused) };
    await expect(wayIn({ queue: jobless }).enqueue(request)).rejects.toThrow("division by zero");
    expect(await stored()).toEqual([]);
    expect((await wayIn().enqueue(request)).status).toBe("accepted");
  });

  test("are stored before the way in is closed, and what comes later is not", async () => {
    const requests = Array.from({ length: 40 }, () => mention());
    const ingress = wayIn();
    const answers = all(ingress, requests);
    const closed = ingress.close();
    await expect(ingress.enqueue(mention())).rejects.toMatchObject({ code: "engine-stopped" });
    await closed;
    expect(await stored()).toEqual(requests);
    expect((await answers).every(({ status }) => status === "fulfilled")).toBe(true);
  });
});
