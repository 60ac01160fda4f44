import { beforeEach, expect, test } from "vitest";
import { countWork } from "../../../src/store/counts.ts";
import { engineOn, steps } from "../runs/engines.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

describeOnDatabases("what there is to do", ({ database, clear }) => {
  beforeEach(clear);

  test("jobs are counted by lane and runs by kind, what has ended not among them", async () => {
    const { promise: atWork, resolve: started } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const engine = engineOn(
      database(),
      steps(async (point) => {
        if (point !== "before the work") return;
        started();
        await held;
      }),
    );
    await engine.start();
    // What somebody wrote cannot pass for the kind, and breaks nothing.
    const text = 'half \ud800 of "trigger":"review", \0';
    await engine.enqueue(mention({ text }));
    await atWork;
    const during = await countWork(database());
    expect(during.runs).toEqual([{ kind: "mention", state: "working", runs: 1 }]);
    expect(during.lanes).toEqual([{ lane: "runs", state: "active", jobs: 1, oldestSeconds: expect.any(Number) as number }]);
    release();
    await engine.idle();
    expect(await countWork(database())).toEqual({ lanes: [], runs: [] });
    await engine.stop({ graceMs: 0 });
  });
});
