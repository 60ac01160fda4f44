import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { listUnfinished, readRun } from "../../../src/store/runs.ts";
import { AUTHORIZED, engineOn, journalOf, turn } from "./engines.ts";

/** A process that acknowledges deliveries, brings the first run as far as its second turn, and then waits to be killed. */
function script(directory: string): string {
  const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  return `
    const { openDatabase } = await import(${module("../../../src/store/database.ts")});
    const { silent } = await import(${module("../../../src/core/log.ts")});
    const { engineOn, steps } = await import(${module("./engines.ts")});
    const { mention } = await import(${module("../store/requests.ts")});
    const database = await openDatabase({ directory: ${JSON.stringify(directory)}, log: silent });
    const { promise: atWork, resolve } = Promise.withResolvers();
    const engine = engineOn(database, { concurrency: 1, ...steps((point) => point === "after turn 2" ? (resolve(), new Promise(() => {})) : undefined) });
    await engine.start();
    for (let number = 1; number <= 5; number += 1) await engine.enqueue(mention({ number }));
    await atWork;
    console.log("at work");
  `;
}

test("what a process acknowledged before kill -9 is done by the next one, and what it finished is not repeated", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sallyport-kill-"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", script(directory)], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await expect(openDatabase({ directory, log: silent })).rejects.toMatchObject({ code: "data-folder-in-use" });
  child.kill("SIGKILL");
  await once(child, "exit");

  const database = await openDatabase({ directory, log: silent });
  const unfinished = await listUnfinished(database);
  expect(unfinished).toHaveLength(5);
  expect(unfinished.filter(({ state }) => state === "working")).toHaveLength(1);
  const engine = engineOn(database);
  await engine.start();
  await engine.idle();
  for (const { id } of unfinished) {
    expect((await readRun(database, id))?.state).toBe("done");
    expect(await journalOf(database, id)).toEqual([AUTHORIZED, turn(1), turn(2), turn(3)]);
  }
  await engine.stop({ graceMs: 0 });
  await database.close();
  await rm(directory, { recursive: true });
});
