import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const DOUBLES = new URL("./doubles.ts", import.meta.url).href;
const RESULT = new URL("../../../src/core/result.ts", import.meta.url).href;

/** Three hundred turns in a process of their own, each with a result as large as the conversation takes. */
const SCRIPT = `
  const { callTo, hold, say, tool } = await import(${JSON.stringify(DOUBLES)});
  const { ok } = await import(${JSON.stringify(RESULT)});
  const look = tool("look", ({ n }) => ok(String(n) + " " + "x".repeat(n % 10 === 0 ? 200_000 : 30_000)));
  let turn = 0, largest = 0;
  const model = {
    name: "scripted",
    contextWindow: 64_000,
    complete({ messages }) {
      largest = Math.max(largest, Buffer.byteLength(JSON.stringify(messages)));
      return Promise.resolve(turn < 300 ? callTo("look", { n: turn++ }) : say("Done."));
    },
  };
  const { end, turns } = await hold({ model, tools: [look], budget: { maxTurns: 1000, maxMinutes: 20, maxTokens: 1e9 } });
  process.stdout.write(JSON.stringify({ end, turns, largest, megabytes: process.resourceUsage().maxRSS / 1024 }));
`;

it("three hundred turns with large results stay under 300 MB, and each request within the window", { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT]);
  const { end, turns, largest, megabytes } = JSON.parse(stdout) as { end: string; turns: number; largest: number; megabytes: number };
  expect({ end, turns }).toEqual({ end: "stop", turns: 301 });
  expect(largest / 3).toBeLessThan(64_000);
  expect(megabytes).toBeLessThan(300);
});
