import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { lineOf, writeScoreboard } from "../../bench/scoreboard.ts";
import type { Target } from "../../bench/bench.ts";

const machine = { node: "v24.0.0", cpus: 2, model: "any" };
const keptAs = (result: unknown) => ({ machine, measuredAt: "2026-12-01T00:00:00.000Z", result });
const ofItself = (limits: Partial<Target<unknown>>): Target<unknown> => ({
  name: "it",
  unit: "ms",
  figure: (result) => result as number | undefined,
  ...limits,
});

test.each([
  [{ atMost: 300 }, 300, "held"],
  [{ atMost: 300 }, 300.4, "missed"],
  [{ atLeast: 0.95 }, 0.95, "held"],
  [{ atLeast: 0.95 }, 0.9499, "missed"],
  [{}, 7, "told"],
  [{ atMost: 1 }, undefined, "not measured"],
  [{ atMost: 1 }, Number.NaN, "not measured"],
] as const)("a target of %j and a figure of %s: %s", (limits, figure, verdict) => {
  expect(lineOf("some", ofItself(limits), keptAs(figure)).verdict).toBe(verdict);
});

test("what was never measured is said to be so", () => {
  expect(lineOf("some", ofItself({ atMost: 1 }), undefined)).toMatchObject({ measured: "–", verdict: "not measured", on: "–" });
});

test("a module is a benchmark by its targets, and its last result is what counts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "scoreboard-"));
  const here = pathToFileURL(`${folder}/`);
  try {
    const targets = `[{ name: "speed", unit: "ms", atMost: 10, figure: ({ ms }) => ms }]`;
    writeFileSync(join(folder, "fast.ts"), `export const bench = () => Promise.resolve(undefined); export const targets = ${targets};\n`);
    writeFileSync(join(folder, "aid.ts"), "export const aid = 1;\n");
    writeFileSync(join(folder, "fast.json"), JSON.stringify(keptAs({ ms: 12.5 })));
    const text = await writeScoreboard({ names: ["aid", "fast"], here, results: here });
    expect(text.split("\n")[1]).toMatch(/^speed +≤ 10 ms +12\.5 ms +missed$/);
    const page = readFileSync(join(folder, "scoreboard.md"), "utf8");
    expect(page).toContain("| speed | ≤ 10 ms | 12.5 ms | missed | fast | 2026-12-01 |");
    expect(page).toContain("Measured on: 2 × any, Node.js v24.0.0.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the results that are kept are of benchmarks that there are", () => {
  const results = new URL("../../../bench/results/", import.meta.url);
  for (const file of readdirSync(results).filter((name) => name.endsWith(".json")))
    expect(existsSync(new URL(`../../bench/${file.replace(/json$/, "ts")}`, import.meta.url)), file).toBe(true);
});
