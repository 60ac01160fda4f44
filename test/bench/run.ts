import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeScoreboard } from "./scoreboard.ts";

/*
 * Runs the benchmarks that are named, or all of them, each in a process of its own, and ends with the scoreboard of everything that was ever measured.
 * A benchmark is a module of this folder that exports `bench` and `targets`. None has more than its limit, and all together have fourteen minutes.
 */

const BENCH_MS = 5 * 60_000;
const ALL_MS = 14 * 60_000;

const here = new URL("./", import.meta.url);
const results = new URL("../../bench/results/", import.meta.url);
mkdirSync(results, { recursive: true });
// By their text: other modules here are aids, and threads that run as soon as they are imported.
const names = readdirSync(here)
  .filter((file) => readFileSync(new URL(file, here), "utf8").includes("\nexport const targets"))
  .map((file) => file.replace(/\.ts$/, ""));
const wanted = process.argv.slice(2);
const began = Date.now();
for (const name of names.filter((one) => wanted.length === 0 || wanted.includes(one))) {
  const left = Math.min(BENCH_MS, ALL_MS - (Date.now() - began));
  if (left <= 0) process.stdout.write(`\n${name}: not measured, the time for all benchmarks is over\n`);
  else await measureOne(name, left);
}
process.stdout.write(`\n${await writeScoreboard({ names, here, results })}\n`);

/** One benchmark in a process group of its own, which goes as a whole when the time is over. */
async function measureOne(name: string, leftMs: number): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("run-one.ts", here)), name], { stdio: "inherit", detached: true });
  const timer = setTimeout(() => {
    process.stdout.write(`\n${name}: not measured, it took more than ${Math.round(leftMs / 1000)} s\n`);
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, leftMs);
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  if (status !== 0) process.exitCode = 1;
}
