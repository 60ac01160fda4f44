import { expect, it } from "vitest";
import { glanceAtChange } from "../../../../src/graph/query/change-glance.ts";
import { built, type Texts } from "../built.ts";

const base: Texts = {
  "src/sum.ts":
    "export function sum(a: number, b: number) {\n  return a + b\n}\nexport function bare() {\n  return 1\n}\nfunction own() {\n  return 2\n}\n",
  "src/use.ts": "import { sum } from './sum'\nexport const three = () => sum(1, 2)\nexport const four = () => sum(2, 2)\n",
  "test/sum.test.ts": "import { sum } from '../src/sum'\ntest('sum', () => sum(1, 2))\n",
};

async function glance(changed: Readonly<Record<string, string | undefined>>, texts: Texts = base) {
  const all = Object.entries({ ...texts, ...changed });
  const after = Object.fromEntries(all.flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])));
  const changes = Object.entries(changed).map(([path, text]) => ({ path, before: texts[path], after: text }));
  const found = glanceAtChange(await built(texts), await built(after), changes);
  return found?.symbols.map(({ symbol, how, callerCount, callerFiles, testCount }) => ({
    name: symbol.name,
    how,
    callerCount,
    callerFiles,
    testCount,
  }));
}

it("a changed function is told with all who use it and its tests", async () => {
  expect(await glance({ "src/sum.ts": base["src/sum.ts"]?.replace("a + b", "b + a") })).toEqual([
    { name: "sum", how: "changed", callerCount: 2, callerFiles: 1, testCount: 1 },
  ]);
});

it("a removed one is told by who used it before, and a new one has nobody yet", async () => {
  const fresh = "export function fresh() {\n  return 3\n}\n";
  const found = await glance({ "src/sum.ts": `${fresh}export function bare() {\n  return 1\n}\n` });
  expect(found).toEqual([
    { name: "sum", how: "removed", callerCount: 2, callerFiles: 1, testCount: 1 },
    { name: "fresh", how: "added", callerCount: 0, callerFiles: 0, testCount: 0 },
  ]);
});

it("what nobody else may use, tests and text that is no code are not told", async () => {
  expect(await glance({ "src/sum.ts": base["src/sum.ts"]?.replace("return 2", "return 3"), "README.md": "# Sums\n" })).toEqual([]);
  expect(await glance({ "test/sum.test.ts": "export function helper() {\n  return 1\n}\n" })).toEqual([]);
});

it("the most used come first, and a huge change is counted in full", async () => {
  const many = (n: number, say: string) =>
    Array.from({ length: n }, (_, at) => `export function f${at}() {\n  return "${say}"\n}\n`).join("");
  const texts = { "src/many.ts": many(150, "old"), "src/use.ts": "import { f9 } from './many'\nexport const nine = () => f9()\n" };
  const after = { ...texts, "src/many.ts": many(150, "new") };
  const found = glanceAtChange(await built(texts), await built(after), [
    { path: "src/many.ts", before: texts["src/many.ts"], after: after["src/many.ts"] },
  ]);
  expect(found?.count).toBe(150);
  expect(found?.symbols).toHaveLength(60);
  expect(found?.symbols[0]).toMatchObject({ symbol: { name: "f9" }, callerCount: 1 });
});
