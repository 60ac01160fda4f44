/** One worker of `drain.ts`, a process: takes runs until it is told to stop, then tells when it was at which. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { silent } from "../../src/core/log.ts";
import { createEngine } from "../../src/runs/engine.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Interval } from "./intervals.ts";

/** Milliseconds that a run takes: two of one thread at a time would be seen. */
const WORK = 5;

export interface Told {
  readonly intervals: readonly Interval[];
  /** Milliseconds of processor time. */
  readonly cpuMs: number;
}

// The same clock in all processes of a machine.
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

const [url] = (await once(process, "message")) as [string];
const intervals: Interval[] = [];
const database = await openDatabase({ url, directory: "/nowhere", log: silent });
const engine = createEngine({
  database,
  role: "worker",
  concurrency: 8,
  log: silent,
  accept: () => Promise.resolve("go"),
  async execute({ id, request }) {
    const began = now();
    await sleep(WORK);
    intervals.push({ run: id, thread: request.thread.number, began, ended: now() });
    return "done";
  },
  conclude: () => Promise.resolve("cancelled"),
  abandon: () => Promise.resolve(),
});
const before = process.cpuUsage();
await engine.start();
process.send?.("started");
await once(process, "message");
const { user, system } = process.cpuUsage(before);
await engine.stop({ graceMs: 5000 });
await database.close();
const told: Told = { intervals, cpuMs: (user + system) / 1000 };
process.send?.(told, () => process.disconnect());
