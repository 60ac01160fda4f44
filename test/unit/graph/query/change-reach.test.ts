import { expect, it } from "vitest";
import { reachOfChange } from "../../../../src/graph/query/change-reach.ts";
import { built, type Texts } from "../built.ts";

const base: Texts = {
  "src/sum.ts": "export function sum(a: number, b: number) {\n  return a + b\n}\nexport function bare() {\n  return 1\n}\n",
  "src/box.ts":
    "import { sum } from './sum'\nexport class Box {\n  total() {\n    return sum(1, 2)\n  }\n  other() {\n    return bare()\n  }\n}\nfunction bare() {\n  return 0\n}\n",
  "src/use.ts": "import { Box } from './box'\nexport const three = (box: Box) => box.total()\n",
  "test/sum.test.ts": "import { sum } from '../src/sum'\ntest('sum', () => sum(1, 2))\n",
  "README.md": "# Sums\n",
};

async function reach(changed: Readonly<Record<string, string | undefined>>) {
  const after = Object.fromEntries(
    Object.entries({ ...base, ...changed }).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]])),
  );
  const changes = Object.entries(changed).map(([path, text]) => ({ path, before: base[path], after: text }));
  return reachOfChange(await built(base), await built(after), changes);
}

it.each<[string, Readonly<Record<string, string | undefined>>, { reached: number; untested: readonly string[] }]>([
  [
    "a changed function, to whatever leans on it",
    { "src/sum.ts": base["src/sum.ts"]?.replace("a + b", "b + a") },
    { reached: 2, untested: [] },
  ],
  ["moved lines, nothing", { "src/sum.ts": `// a remark\n\n${base["src/sum.ts"] ?? ""}` }, { reached: 0, untested: [] }],
  ["a removed function, to those that used it", { "src/sum.ts": "export const nothing = 0\n" }, { reached: 2, untested: [] }],
  [
    "a method, not its class",
    { "src/box.ts": base["src/box.ts"]?.replace("return bare()", "return bare() + 1") },
    { reached: 0, untested: ["Box.other"] },
  ],
  [
    "what no test reaches, by name",
    { "src/sum.ts": base["src/sum.ts"]?.replace("return 1", "return 2") },
    { reached: 0, untested: ["bare"] },
  ],
  [
    "a new caller among the changed, not itself",
    { "src/use.ts": "import { Box } from './box'\nexport const four = (box: Box) => box.total() + 1\n" },
    { reached: 0, untested: ["four"] },
  ],
  ["what is no code, nothing", { "README.md": "# Other\n" }, { reached: 0, untested: [] }],
  ["a file that is gone, to those that used it", { "src/box.ts": undefined }, { reached: 1, untested: [] }],
])("%s", async (_, changed, expected) => {
  expect(await reach(changed)).toMatchObject(expected);
});

it("is not known where the base's own file could not be read", async () => {
  const before = await built({ "a.ts": "\u0000\u0001\u0002" });
  expect(before.graph.notIndexed).toHaveLength(1);
  expect(
    reachOfChange(before, await built({ "a.ts": "export const a = 1\n" }), [{ path: "a.ts", after: "export const a = 1\n" }]),
  ).toBeUndefined();
});
