import { afterAll, describe, expect, it } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { impactRule } from "../../../src/gate/rules/impact.ts";
import { buildGraph } from "../../../src/graph/build-graph.ts";
import type { BuildGraph } from "../../../src/graph/live.ts";
import { openDeskGraph } from "../../../src/runs/desk-graph.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { temporaryFolder } from "../workspace/git-host.ts";
import { openTestWorkspace } from "../workspace/opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const files = {
  "src/sum.ts": "export function sum(a: number, b: number) {\n  return a + b\n}\n",
  "src/use.ts": "import { sum } from './sum.ts'\nexport const threeOf = () => sum(1, 2)\n",
  "src/more.ts": "import { threeOf } from './use.ts'\nexport const sixOf = () => threeOf() * 2\n",
};
const build: BuildGraph = (sources) => buildGraph({ files: sources });
const never: BuildGraph = () => new Promise(() => undefined);
const asked = { text: "", files: [] as readonly string[], commit: "0".repeat(40) };

/** A desk with a graph, and how often one was built. */
function deskOf(workspace: Workspace, how: BuildGraph = build, waits: object = {}) {
  const count = { builds: 0 };
  const graph = openDeskGraph({ workspace, log: silent, build: (sources) => (count.builds++, how(sources)), ...waits });
  return { graph, count };
}

describe("the graph of a run's workspace", () => {
  it("answers for the workspace as it stands at each question", async () => {
    await using opened = await openTestWorkspace(temporary.path, files);
    const { graph, count } = deskOf(opened.workspace);
    const names = async () => (await graph.ask()).graph.symbols.filter(({ kind }) => kind === "function").map(({ name }) => name);
    expect(await names()).toEqual(expect.arrayContaining(["sum", "threeOf", "sixOf"]));
    await opened.workspace.write("src/new.ts", Buffer.from("export function fresh() {}\n"));
    await opened.workspace.remove("src/more.ts");
    expect((await names()).toSorted()).toEqual(["fresh", "sum", "threeOf"]);
    expect(count.builds).toBe(1);
  });

  it("has nothing to say of what mentions nothing, and is not even built for it", async () => {
    await using opened = await openTestWorkspace(temporary.path, files);
    const { graph, count } = deskOf(opened.workspace);
    expect(await graph.pack({ ...asked, text: "please fix the sum, it subtracts" })).toBeUndefined();
    expect(count.builds).toBe(0);
    expect(await graph.pack({ ...asked, text: "`nobodyHasThis` is odd" })).toBeUndefined();
    expect(count.builds).toBe(1);
  });

  it.each([
    ["a name in backticks", { text: "`sum` subtracts" }, /^src\/sum\.ts:1-3 function sum — asked for/],
    ["a name as code is written", { text: "why does threeOf answer 4?" }, /^src\/use\.ts:2 function threeOf — asked for/],
    ["a path", { text: "look at src/more.ts please" }, /sixOf = \(\)/],
    ["the end of a path", { text: "look at more.ts please" }, /sixOf = \(\)/],
    ["a changed file", { files: ["src/use.ts"] }, /threeOf = \(\)/],
  ])("packs the code around %s", async (_, about, expected) => {
    await using opened = await openTestWorkspace(temporary.path, files);
    expect(await deskOf(opened.workspace).graph.pack({ ...asked, ...about })).toMatch(expected);
  });

  it("names the declarations around a line, whatever the code is formatted like, and test cases beside them", async () => {
    const odd =
      "class Basket { count() {\nreturn this.items\n}\n}\nfunction after() {}\ndescribe('a basket', () => {\n  it('counts', () => {\n    go()\n  })\n})\n";
    await using opened = await openTestWorkspace(temporary.path, { "src/basket.ts": odd, "notes.txt": "one\n" });
    const find = await deskOf(opened.workspace).graph.enclosing();
    const around = (path: string, line: number) => find?.(path, odd.split("\n"), line)?.map(({ text }) => text);
    expect(around("src/basket.ts", 2)).toEqual([expect.stringMatching(/^class Basket/)]);
    expect(around("src/basket.ts", 8)).toEqual(["describe('a basket', () => {", "it('counts', () => {"]);
    expect(around("notes.txt", 1)).toBeUndefined();
  });

  it.each([
    ["takes too long", never],
    ["cannot be built", () => Promise.reject(new Error("broken"))],
  ] as const)("leaves the beginning of a conversation and the gate without it when it %s", async (_, how) => {
    await using opened = await openTestWorkspace(temporary.path, files);
    const { graph } = deskOf(opened.workspace, how, { packWithinMs: 20, reachWithinMs: 20 });
    expect(await graph.pack({ ...asked, text: "`sum`" })).toBeUndefined();
    expect(await graph.enclosing()).toBeUndefined();
    expect(await graph.reach(await opened.workspace.changeSet())).toBeUndefined();
  });
});

describe("the gate's rule on impact, over a run's own graph", () => {
  const run = { id: "r", repository: { owner: "o", name: "n" }, trigger: "mention" as const };
  it.each([
    [
      "warns of what reaches far",
      { warn: 1 },
      "b + a",
      [{ severity: "warn", why: expect.stringMatching(/reaches 2 places.*no test reaches sum/) as string }],
    ],
    ["asks before what reaches farther", { warn: 0, ask: 1 }, "b + a", [{ severity: "ask" }]],
    ["says nothing of what reaches as far as is allowed", { warn: 2 }, "b + a", []],
    ["says nothing of what changes no code", { warn: 0 }, "a + b", []],
  ])("%s", async (_, thresholds, body, findings) => {
    await using opened = await openTestWorkspace(temporary.path, files);
    const { workspace } = opened;
    const { graph } = deskOf(workspace);
    await workspace.write("src/sum.ts", Buffer.from(files["src/sum.ts"].replace("a + b", body)));
    await workspace.write("README.md", Buffer.from("# Sums\n"));
    const changes = await workspace.changeSet();
    const rule = impactRule({ thresholds, reachOf: (changed) => graph.reach(changed) });
    expect(await rule.check({ kind: "commit", changes } as never, run)).toMatchObject(findings);
  });
});
