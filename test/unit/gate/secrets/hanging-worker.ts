import { parentPort } from "node:worker_threads";
import type { ScanQuestion } from "../../../../src/gate/secrets/worker-scanner.ts";

/** A worker that does what the first text says, and else finds nothing. */
parentPort?.on("message", ({ input: { texts } }: ScanQuestion) => {
  const word = texts[0]?.text;
  if (word === "loop") for (;;);
  if (word === "backtrack") /^(?:a|a|aa)+$/.test(`${"a".repeat(64)}!`);
  if (word === "die") process.exit(0);
  if (word === "throw") throw new Error("broken");
  if (word === "fill") for (const full: string[][] = []; ;) full.push(Array.from({ length: 1e6 }, String));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, and no window
  if (word !== "say nothing") parentPort?.postMessage({ report: { texts: [], names: [], files: [] } });
});
