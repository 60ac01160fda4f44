import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Bench } from "./bench.ts";

/** Runs the benchmark whose module is named, and keeps its result. */
const [name = ""] = process.argv.slice(2);
const { bench } = (await import(`./${name}.ts`)) as Partial<Bench<unknown>>;
if (bench !== undefined) {
  process.stdout.write(`\n== ${name}\n`);
  const measured = await bench();
  if (measured !== undefined) {
    process.stdout.write(`${measured.text.trimStart()}\n`);
    const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model ?? "unknown" };
    const kept = { machine, measuredAt: new Date().toISOString(), result: measured.result };
    writeFileSync(new URL(`../../bench/results/${name}.json`, import.meta.url), `${JSON.stringify(kept, null, 2)}\n`);
  }
}
// What a benchmark leaves running (a server, a watcher) is not to hold the others up.
process.exit();
