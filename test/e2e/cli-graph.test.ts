import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Readable } from "node:stream";
import { gate } from "../../src/commands/gate.ts";
import { graph } from "../../src/commands/graph.ts";
import { checkouts, put } from "./checkouts.ts";

const { room, checkout, remove } = checkouts();
afterAll(remove);

const FILES = {
  "src/count.ts": "export function count(list: string[]) {\n  return list.length\n}\n",
  "src/use.ts": "import { count } from './count.ts'\nexport const two = () => count(['a', 'b'])\n",
};

async function ask(cwd: string, words: readonly string[], more: object = {}, variables: Readonly<Record<string, string>> = {}) {
  const out = { text: "", complaints: "" };
  const status = await graph(
    { words, json: false, cwd, ...more },
    {
      variables: { PATH: process.env["PATH"] ?? "", ...variables },
      write: (text) => void (out.text += text),
      complain: (line) => void (out.complaints += `${line}\n`),
    },
  );
  return { status, ...out };
}

describe("sallyport graph", () => {
  const { root } = checkout(FILES);

  test.each<[string, readonly string[], object, RegExp]>([
    [
      "a name alone, with where it is and what leans on it",
      ["count"],
      {},
      /^Impact of function count src\/count\.ts:1-3\n[^]*src\/use\.ts:2 function two calls count/,
    ],
    ["a part of a name, with what it may be", ["coun"], {}, /^1 symbol for coun[^]*function count src\/count\.ts:1-3 \(begins so/],
    ["who calls a symbol", ["callers", "count"], {}, /^1 caller of function count[^]*src\/use\.ts:2 function two \(exact\)/],
    ["what it calls", ["callees", "two"], { file: "./src/use.ts" }, /→ function count src\/count\.ts:1-3/],
    ["what a change touches", ["impact", "count"], { depth: 1 }, /^Severity: low/m],
    ["how values go", ["flow", "count"], {}, /list is given \[…\]/],
    ["the code around it", ["context", "count"], { budget: 200 }, /return list\.length/],
    ["a map of a folder", ["map", "src/"], {}, /^src\/count\.ts \(typescript/m],
    ["a map of everything", ["map"], {}, /^src\/use\.ts \(typescript/m],
    ["a summary of a file", ["summary", "src/use.ts"], {}, /Exports:\nfunction two/],
    ["what a file hangs together with", ["dependencies", "src/count.ts"], {}, /Used by 1 file:\nsrc\/use\.ts/],
    ["a search", ["search", "two"], {}, /^1 symbol for two/],
  ])("answers %s", async (_, words, more, expected) => {
    const { status, text } = await ask(root, words, more);
    expect(text).toMatch(expected);
    expect(status).toBe(0);
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ["nothing is asked", [], 2, /it needs something to look for: graph <name>, or graph <search \| callers/],
    ["a question is misspelled", ["caller", "count"], 2, /there is no question "caller"; did you mean callers\?/],
    ["a question lacks what it is about", ["callers"], 2, /callers needs name/],
    ["too much is asked", ["callers", "a", "b"], 2, /callers takes one name, and not 2: a b/],
    ["nothing has the name", ["nobodyHasThis"], 1, /No symbol nobodyHasThis was found/],
    ["a file is not there", ["summary", "src/cuont.ts"], 1, /There is no file src\/cuont\.ts .*Did you mean src\/count\.ts\?/],
  ])("says what is wrong when %s", async (_, words, status, why) => {
    const answer = await ask(root, words);
    expect(answer).toMatchObject({ status, text: "" });
    expect(answer.complaints).toMatch(why);
  });

  test("tells people, and not a model, how to ask for one of several or for what is not there", async () => {
    const { root: own } = checkout({ "a.ts": "export function twice() {}\n", "b.ts": "export function twice() {}\n" });
    expect((await ask(own, ["callers", "twice"])).complaints).toMatch(
      /may mean 2 symbols\. Say which, by Class\.method or such as --file a\.ts:\n/,
    );
    expect((await ask(own, ["callers", "twice"], { file: "b.ts" })).status).toBe(0);
    expect((await ask(own, ["callers", "zzzzqqqq"])).complaints).toContain("sallyport graph search <part>");
  });

  test("works outside of the folder's root, and not outside of a checkout", async () => {
    expect((await ask(join(root, "src"), ["count"])).status).toBe(0);
    const outside = await ask(room, ["count"]);
    expect(outside.status).toBe(1);
    expect(outside.complaints).toMatch(/is not in a git checkout/);
  });

  test("answers programs in JSON", async () => {
    const { text } = await ask(root, ["callers", "count"], { json: true });
    expect(JSON.parse(text)).toMatchObject({
      count: 1,
      calls: [{ symbol: { qualified: "two" }, place: { path: "src/use.ts", line: 2, confidence: "exact" } }],
    });
  });

  test("answers for files as they stand: changed and new ones count, ignored ones and links do not", async () => {
    const { root: own } = checkout(FILES);
    put(own, {
      "src/use.ts": null,
      "src/new.ts": "import { count } from './count.ts'\nexport const fresh = () => count([])\n",
      ".gitignore": "built/\n",
      "built/copy.ts": "import { count } from '../src/count.ts'\nexport const copied = () => count([])\n",
    });
    mkdirSync(join(own, "linked"));
    symlinkSync("/etc/hostname", join(own, "linked", "secret.ts"));
    const { text } = await ask(own, ["callers", "count"]);
    expect(text).toMatch(/src\/new\.ts:2 function fresh/);
    expect(text).not.toMatch(/use\.ts|copied/);
    expect((await ask(own, ["map", "linked"])).status).toBe(1);
  });

  test("answers before the first commit", async () => {
    const { root: own, git } = checkout(FILES);
    git("update-ref", "-d", "HEAD");
    expect((await ask(own, ["count"])).text).toMatch(/function count/);
  });

  test("keeps facts where it is told to, not in the checkout, and what is kept changes no answer", async () => {
    const { root: own, git } = checkout(FILES);
    const before = await ask(own, ["count"], {}, { SALLYPORT_DATA_DIR: join(room, "data") });
    const [pack = ""] = readdirSync(join(room, "data", "graph"));
    expect(await ask(own, ["count"], {}, { SALLYPORT_DATA_DIR: join(room, "data") })).toEqual(before);
    writeFileSync(join(room, "data", "graph", pack), readFileSync(join(room, "data", "graph", pack)).subarray(0, 30));
    expect(await ask(own, ["count"], {}, { SALLYPORT_DATA_DIR: join(room, "data") })).toEqual(before);
    await ask(own, ["count"], {}, { HOME: join(room, "home") });
    expect(readdirSync(join(room, "home", ".cache", "sallyport", "graph"))).toHaveLength(1);
    expect(git("status", "--porcelain")).toBe("");
  });
});

describe("sallyport gate, asking the graph", () => {
  test.each([
    [
      "asks before a change that reaches farther than it may",
      { ask: 0 },
      2,
      /reaches 1 places \(impact\.ask 0\), and no test reaches count/,
    ],
    ["warns of one", { warn: 0 }, 0, /reaches 1 places \(impact\.warn 0\)/],
    ["lets one through that reaches as far as it may", { warn: 1, ask: 1 }, 0, /^(?![^]*reaches)/],
  ])("%s", async (_, impact, expected, report) => {
    const { root } = checkout(FILES, { "src/count.ts": FILES["src/count.ts"].replace("list.length", "list.length + 0") });
    const config = join(room, `server-${expected}-${Object.keys(impact).length}.yml`);
    writeFileSync(config, JSON.stringify({ gate: { impact } }));
    let text = "";
    const world = {
      variables: { PATH: process.env["PATH"] ?? "", SALLYPORT_CONFIG: config },
      stdin: Readable.from([]),
      write: (part: string) => void (text += part),
      complain: (line: string) => void (text += line),
    };
    expect(await gate({ cwd: root, ranges: ["HEAD~1..HEAD"] }, world), text).toBe(expected);
    expect(text).toMatch(report);
  });
});
