import { expect, test } from "vitest";
import { call, say, type Script } from "../../src/testing/index.ts";
import { checksOn, post, propose, pushTo, remarksOn, tell } from "./pull-requests.ts";
import { FILES, openStage, type Stage } from "./stage.ts";

const OVER = { timeout: 240_000 };
const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = ${at};\n`).join("");

/** The requests to GitHub's API that a pull request costs, git's own not among them. */
/** The requests that some work makes; what the server looks up for itself at its start may still be under way. */
async function costOf(stage: Stage, work: () => Promise<void>): Promise<readonly string[]> {
  const before = stage.github.requests.length;
  await work();
  return stage.github.requests
    .slice(before)
    .flatMap(({ method, path, git }) => (git === undefined && !path.startsWith("/app/hook/") ? [`${method} ${path}`] : []));
}

/** A model that reads every part of the difference before it says something. */
const readsAll: Script = (request) => {
  const last = request.results.at(-1) ?? "";
  if (last.startsWith("Reviewed")) return say("Reviewed.");
  const next =
    /^Part \d+ of \d+\. Part (\d+) is next/.exec(last)?.[1] ?? (last === "" && !/part 1 of 1"/.test(request.text) ? 2 : undefined);
  return next === undefined ? post([{ path: "src/part0/file0.ts", line: 2, body: "Seen." }]) : call("read_diff", { part: Number(next) });
};

test("fifty files cost at most eight requests, and none for the content of a file", OVER, async () => {
  const before = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`src/part${n % 5}/file${n}.ts`, lines(40, "a")]));
  const after = Object.fromEntries(Object.entries(before).map(([path, text]) => [path, text.replace("a1 = 1", "a1 = 2")]));
  await using stage = await openStage({ script: readsAll, files: { ...FILES, ...before } });
  const pull = propose(stage, after);
  const cost = await costOf(stage, () => tell(stage, pull));
  expect(remarksOn(stage)).toEqual(["src/part0/file0.ts:2: Seen."]);
  expect(checksOn(stage, pull.headSha)[0]?.output?.summary).toMatch(
    /^Coverage: read 50 of 50 changed files \(100 of 100 changed lines\)\./,
  );
  expect(cost.filter((path) => /\/contents\/(?!\.github\/)|\/git\/(?:blobs|trees)|\/pulls\/1\/files/.test(path))).toEqual([]);
  expect(cost.length, cost.join("\n")).toBeLessThanOrEqual(8);
});

test("three thousand files end with a receipt of what was read and what was not, inside the budget", OVER, async () => {
  const files = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`src/part${n % 60}/file${n}.ts`, lines(20, `v${n}_`)]));
  await using stage = await openStage({ script: readsAll });
  const pull = propose(stage, files);
  await tell(stage, pull);
  expect(remarksOn(stage)).toEqual(["src/part0/file0.ts:2: Seen."]);
  const [check] = checksOn(stage, pull.headSha);
  expect(check).toMatchObject({ status: "completed", conclusion: "neutral" });
  expect(check?.output?.title).toMatch(/^The review is incomplete: \d+ of 3000 files were not read to the end$/);
  const [, read = "0", shown = "0", all = "0"] =
    /Coverage: read (\d+) of 3000 changed files \((\d+) of (\d+) changed lines\)/.exec(check?.output?.summary ?? "") ?? [];
  expect(Number(all)).toBe(60_000);
  expect(Number(read)).toBeGreaterThan(500);
  expect(Number(shown)).toBeGreaterThan(10_000);
  expect(check?.output?.text).toMatch(/Not read:\n(?:- `src\/part\d+\/file\d+\.ts`: beyond what one review reads\n){20}- and \d+ more/);
  // What is shown at once stays small, whatever the pull request's size.
  expect(Math.max(...stage.model.requests.map(({ messages }) => Math.max(...messages.map(({ text }) => text.length))))).toBeLessThan(
    100_000,
  );
});

test("a file of five megabytes is read as far as there is room, after what is riskier, and said so", OVER, async () => {
  const big = lines(150_000, "generatedLooking");
  await using stage = await openStage({ script: readsAll });
  const pull = propose(stage, { "data/table.ts": big, "src/part0/file0.ts": "const a = 1;\nconst b = eval(a);\n" });
  await tell(stage, pull);
  expect(remarksOn(stage)).toEqual(["src/part0/file0.ts:2: Seen."]);
  const [check] = checksOn(stage, pull.headSha);
  expect(check).toMatchObject({ status: "completed", conclusion: "neutral" });
  expect(check?.output?.text).toContain("- `data/table.ts`: in part: the rest was beyond what one review reads");
  expect(check?.output?.summary).toMatch(/read 1 of 2 changed files/);
});

test("a change in the middle of a method is shown below the names of its class and method", OVER, async () => {
  const body = Array.from({ length: 9 }, (_, at) => `    step(${at});`).join("\n");
  const source = `export class Basket {\n  total(items) {\n${body}\n  }\n\n  count(items) {\n${body}\n  }\n}\n`;
  await using stage = await openStage({ script: () => say("Nothing."), files: { ...FILES, "src/basket.js": source } });
  const at = source.lastIndexOf("step(6)");
  const pull = propose(stage, { "src/basket.js": `${source.slice(0, at)}jump(6)${source.slice(at + 7)}` });
  await tell(stage, pull);
  expect(stage.model.requests[0]?.text).toContain("@@ export class Basket › count(items)");
  await pushTo(stage, pull, { "src/basket.js": `${source.slice(0, at)}leap(6)${source.slice(at + 7)}` });
  expect(stage.model.requests.at(-1)?.text).toContain(
    "@@ export class Basket › count(items)\n 18     step(3);\n 19     step(4);\n 20     step(5);\n-21     step(6);\n+21     leap(6);",
  );
});
