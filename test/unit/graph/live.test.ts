import { expect, it } from "vitest";
import { buildGraph } from "../../../src/graph/build-graph.ts";
import type { LiveGraph } from "../../../src/graph/graph.ts";
import { repositoryGraph } from "../../../src/graph/live.ts";
import { sourcesOf } from "./built.ts";

const one = { "a.ts": "export const f = () => 1\n", "b.ts": "import { f } from './a'\nexport const g = () => f()\n" };
const two = { "a.ts": one["a.ts"], "c.ts": "import { f } from './a'\nexport const h = () => f()\n" };

/** Builds as the product does, and counts. */
function counting() {
  const did = { builds: 0, updates: 0, changed: 0, removed: 0, fails: 0 };
  const graph = repositoryGraph(async (files) => {
    did.builds++;
    const live = await buildGraph({ files });
    const counted: LiveGraph = {
      get graph() {
        return live.graph;
      },
      update({ changed = [], removed = [] }) {
        did.updates++;
        if (did.fails-- > 0) return Promise.reject(new Error("no room"));
        did.changed += [...changed].length;
        did.removed += [...removed].length;
        return live.update({ changed, removed });
      },
    };
    return counted;
  });
  return { did, graph };
}

const names = ({ graph }: { graph: LiveGraph["graph"] }) =>
  graph.symbols
    .filter(({ kind }) => kind !== "module")
    .map(({ name }) => name)
    .toSorted();

it("is built once, brought to each next state by what differs, and left alone by the same one", async () => {
  const { did, graph } = counting();
  const first = await graph.of(sourcesOf(one));
  expect(await graph.of(sourcesOf(one))).toBe(first);
  const second = await graph.of(sourcesOf(two));
  expect([names(first), names(second)]).toEqual([
    ["f", "g"],
    ["f", "h"],
  ]);
  expect(did).toMatchObject({ builds: 1, updates: 1, changed: 1, removed: 1 });
});

it("answers questions that come at once in their order", async () => {
  const { graph } = counting();
  const answers = await Promise.all([graph.of(sourcesOf(one)), graph.of(sourcesOf(two)), graph.of(sourcesOf(one))]);
  expect(answers.map(names)).toEqual([
    ["f", "g"],
    ["f", "h"],
    ["f", "g"],
  ]);
});

it("is built again after a failure, so that no half of a graph answers", async () => {
  const { did, graph } = counting();
  await graph.of(sourcesOf(one));
  did.fails = 1;
  await expect(graph.of(sourcesOf(two))).rejects.toThrow("no room");
  expect(names(await graph.of(sourcesOf(two)))).toEqual(["f", "h"]);
  expect(did.builds).toBe(2);
});
