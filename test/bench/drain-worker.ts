/** One worker of `drain.ts`: takes runs until it is told to stop, and notes in the database what it is at. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { openDatabase } from "../../src/store/database.ts";

const { url } = workerData as { readonly url: string };
const database = await openDatabase({ url, directory: "/nowhere", log: silent });
const engine = createEngine({
  database,
  role: "worker",
  concurrency: 8,
  log: silent,
  accept: () => Promise.resolve("go"),
  async execute({ id, request }) {
    // A second one of the same thread would find its row there, and fail.
    await database.query("insert into bench_at_work (thread, run) values ($1, $2)", [request.thread.number, id]);
    await database.query(
      "with gone as (delete from bench_at_work where thread = $1) insert into bench_done (run, place) values ($2, nextval('bench_places'))",
      [request.thread.number, id],
    );
    return "done";
  },
  conclude: () => Promise.resolve("cancelled"),
  abandon: () => Promise.resolve(),
});
await engine.start();
if (parentPort !== null) await once(parentPort, "message");
await engine.stop({ graceMs: 5000 });
await database.close();
