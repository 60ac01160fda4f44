import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine, EngineOptions } from "../../../src/runs/engine.ts";
import { forget } from "../../../src/store/forget.ts";
import { setPaused } from "../../../src/store/pauses.ts";
import { readRun } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { accepted, engineOn, eventually, journalOf, steps } from "./engines.ts";

describeOnDatabases("runs that are paused", ({ database, clear }) => {
  const engines: Engine[] = [];
  beforeEach(async () => {
    await clear();
    await database().query("delete from sallyport.pauses");
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.stop({ graceMs: 0 });
  });
  async function started(options: Partial<EngineOptions> = {}): Promise<Engine> {
    const engine = engineOn(database(), options);
    engines.push(engine);
    await engine.start();
    return engine;
  }
  const runOf = (id: string) => readRun(database(), id);
  const isAccepted = async (id: string) => ((await runOf(id))?.acceptedAt === undefined ? undefined : true);

  test.each([
    ["all", "all" as const],
    ["their installation", mention().repository.installationId],
  ])("by %s are let in, wait, and are worked on once they are released", async (_, scope) => {
    const engine = await started();
    await setPaused(database(), scope, true);
    const id = await accepted(engine.enqueue(mention()));
    await eventually(() => isAccepted(id));
    expect((await runOf(id))?.state).toBe("queued");
    await setPaused(database(), scope, false);
    await engine.idle();
    expect((await runOf(id))?.state).toBe("done");
  });

  test("by another installation are worked on", async () => {
    const engine = await started();
    await setPaused(database(), mention().repository.installationId + 1, true);
    const id = await accepted(engine.enqueue(mention()));
    await engine.idle();
    expect((await runOf(id))?.state).toBe("done");
  });

  test("while they are at work are put back, and go on where they were", async () => {
    const works: string[] = [];
    let isHeld = true;
    const walk = steps(() => undefined);
    const engine = await started({
      ...walk,
      async execute(run, journal, signal) {
        works.push(run.id);
        if (isHeld) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        return walk.execute(run, journal, signal);
      },
    });
    const id = await accepted(engine.enqueue(mention()));
    await eventually(() => (works.length > 0 ? true : undefined));
    await setPaused(database(), "all", true);
    await eventually(async () => ((await runOf(id))?.state === "queued" ? true : undefined));
    isHeld = false;
    await setPaused(database(), "all", false);
    await engine.idle();
    expect(await runOf(id)).toMatchObject({ state: "done", failures: 0 });
    expect(works).toHaveLength(2);
  });

  test("and whose installation goes leave nothing but the audit log, and stop", async () => {
    const engine = await started();
    await setPaused(database(), "all", true);
    const id = await accepted(engine.enqueue(mention()));
    const other = mention();
    const kept = await accepted(engine.enqueue({ ...other, repository: { ...other.repository, id: 99, installationId: 98 } }));
    await eventually(() => isAccepted(id));
    await database().transaction((tx) => forget(tx, { installationId: other.repository.installationId }));
    await setPaused(database(), "all", false);
    await engine.idle();
    expect([await runOf(id), await journalOf(database(), id)]).toEqual([undefined, []]);
    expect((await runOf(kept))?.state).toBe("done");
  });

  test("by the clock: a schedule's occurrence makes one run, and what is no schedule any more is gone", async () => {
    const tasks: string[] = [];
    const engine = await started({ accept: (run) => (tasks.push(run.request.text), Promise.resolve("drop")) });
    const { repository } = mention();
    await engine.sync(repository, [
      { cron: "0 6 * * 1", task: "Update the notes." },
      { cron: "99 * * * *", task: "never" },
    ]);
    const rows = () => database().query<{ key: string; cron: string; data: object }>("select key, cron, data from pgboss.schedule");
    const [row, ...more] = await rows();
    expect([row?.cron, more]).toEqual(["0 6 * * 1", []]);
    await database().query("insert into pgboss.job (name, data) values ('sallyport-schedules', $1)", [JSON.stringify(row?.data)]);
    await eventually(() => (tasks.length > 0 ? true : undefined));
    expect(tasks).toEqual(["Update the notes."]);
    await engine.sync({ ...repository, name: "renamed" }, [{ cron: "0 6 * * 1", task: "Update the notes." }]);
    expect(JSON.stringify((await rows())[0]?.data)).toContain("renamed");
    await engine.sync(repository, []);
    expect(await rows()).toEqual([]);
  });
});

test("a wish that the command line leaves is granted once, and a file that is none does no harm", async () => {
  const { leaveWish, takeWishes } = await import("../../../src/store/control-files.ts");
  const directory = await mkdtemp(join(tmpdir(), "sallyport-wishes-"));
  await leaveWish(directory, { scope: 7, paused: true });
  await writeFile(join(directory, "control-00000000-0000-0000-0000-000000000000.json"), '{"scope":"; drop table","paused":true}');
  await writeFile(join(directory, "notes.json"), "{}");
  const granted: unknown[] = [];
  await takeWishes(directory, (wish) => Promise.resolve(void granted.push(wish)));
  await takeWishes(directory, (wish) => Promise.resolve(void granted.push(wish)));
  expect(granted).toEqual([{ scope: 7, paused: true }]);
  expect(await readdir(directory)).toEqual(["notes.json"]);
  await rm(directory, { recursive: true });
});
