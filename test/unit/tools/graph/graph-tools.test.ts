import { describe, expect, it } from "vitest";
import { renderToolResult } from "../../../../src/core/result.ts";
import { getCallees } from "../../../../src/tools/graph/get-callees.ts";
import { getCallers } from "../../../../src/tools/graph/get-callers.ts";
import { getContext } from "../../../../src/tools/graph/get-context.ts";
import { getDataFlow } from "../../../../src/tools/graph/get-data-flow.ts";
import { getDependencies } from "../../../../src/tools/graph/get-dependencies.ts";
import { getFileMap } from "../../../../src/tools/graph/get-file-map.ts";
import { getImpact } from "../../../../src/tools/graph/get-impact.ts";
import { getModuleSummary } from "../../../../src/tools/graph/get-module-summary.ts";
import { searchSymbol } from "../../../../src/tools/graph/search-symbol.ts";
import type { Tool, WriteContext } from "../../../../src/tools/tool.ts";
import { built, type Texts } from "../../graph/built.ts";

const files: Texts = {
  "src/port.ts": "export interface Port {\n  send(text: string): void\n}\n",
  "src/wire.ts":
    "import type { Port } from './port.ts'\nexport class Wire implements Port {\n  send(text: string): void {\n    push(text)\n  }\n}\nfunction push(text: string): void {\n  fetch(text)\n}\n",
  "src/letter.ts":
    "import type { Port } from './port.ts'\nexport function post(port: Port, words: string[]): string {\n  const text = words.join(' ')\n  port.send(text)\n  return text\n}\n",
  "src/desk.ts":
    "import { Wire } from './wire.ts'\nimport { post } from './letter.ts'\nexport const greet = () => post(new Wire(), ['hello'])\nexport const later = [post]\n",
  "src/other.ts": "class Drum {\n  send(beat: string) {\n    return beat\n  }\n}\nexport const play = (drum: Drum) => drum.send('boom')\n",
  "test/letter.test.ts": "import { post } from '../src/letter.ts'\ntest('posts', () => post({ send() {} }, ['x']))\n",
  "src/half.ts": "export function half( {{{\n",
};
const asked = built(files);

async function ask(tool: Tool, args: object, graph: WriteContext["graph"] = () => asked): Promise<string> {
  const context = {
    ...(graph === undefined ? {} : { graph }),
    signal: new AbortController().signal,
    workspace: {
      directory: "/nowhere",
      read: (path: string) =>
        Promise.resolve(path in files ? { status: "file", path, bytes: Buffer.from(files[path] ?? "") } : { status: "missing", near: [] }),
    },
  } as unknown as WriteContext;
  return renderToolResult(await tool.call(args, context));
}

describe("each question names file, line and confidence, and nothing that only has the same name", () => {
  it.each<[string, Tool, object, readonly RegExp[], readonly RegExp[]]>([
    [
      "callers of a method, through its interface",
      getCallers,
      { symbol: "Wire.send" },
      [/^1 caller of method Wire\.send src\/wire\.ts:3-5$/m, /^src\/letter\.ts:4 function post through Port\.send \(inferred\)$/m],
      [/other\.ts/],
    ],
    [
      "callers, and who only hands it on",
      getCallers,
      { symbol: "post" },
      [
        /^src\/desk\.ts:3 function greet \(exact\)$/m,
        /^test\/letter\.test\.ts:2 /m,
        /Named without a call[^]*src\/desk\.ts:\d variable later/,
      ],
      [],
    ],
    [
      "callers of callers",
      getCallers,
      { symbol: "push", depth: 3 },
      [
        /src\/letter\.ts:4 function post calls Wire\.send through Port\.send \(inferred, depth 2\)/,
        /src\/desk\.ts:3 function greet calls post \(exact, depth 3\)/,
      ],
      [],
    ],
    [
      "callees, with what may run in their place",
      getCallees,
      { symbol: "post" },
      [/src\/letter\.ts:4 → method Port\.send src\/port\.ts:2 \(inferred\); may run Wire\.send src\/wire\.ts:3/],
      [/other\.ts/],
    ],
    [
      "impact, to the tests",
      getImpact,
      { symbol: "Wire.send" },
      [
        /^Severity: low \(3 places in 2 files/m,
        /which Wire\.send stands in for \(inferred, depth 1\)/,
        /Through others:[^]*src\/desk\.ts:3/,
        /Tests that reach it:\ntest\/letter\.test\.ts:2/,
        /Public surface/,
      ],
      [/other\.ts/],
    ],
    [
      "impact of a file",
      getImpact,
      { symbol: "src/port.ts" },
      [/^Impact of file src\/port\.ts$/m, /src\/wire\.ts/, /src\/letter\.ts/],
      [/other\.ts/],
    ],
    [
      "data flow into what may run",
      getDataFlow,
      { symbol: "post" },
      [
        /text = words\.join\(…\) \(inferred\)/,
        /argument 1 of Wire\.send as text/,
        /argument 1 of push as text/,
        /argument 1 of fetch.*\[sink\]/,
        /src\/desk\.ts:3 words is given \[…\]/,
        /result of post/,
      ],
      [/other\.ts/],
    ],
    [
      "data flow to sinks that are named",
      getDataFlow,
      { symbol: "push", sinks: ["nothing"], sources: ["words.join"] },
      [/Sources on the way/, /Sinks that are reached/],
      [],
    ],
    [
      "dependencies",
      getDependencies,
      { file: "src/desk.ts" },
      [/^src\/letter\.ts — imports at line 2 \(exact\): post$/m, /^src\/wire\.ts — imports at line 1 \(exact\): Wire$/m],
      [/other\.ts/],
    ],
    [
      "a summary",
      getModuleSummary,
      { file: "src/letter.ts" },
      [/Exports:\nfunction post src\/letter\.ts:2-6 \(used by \d elsewhere\)/, /Tests:\ntest\/letter\.test\.ts \(imports it\)/],
      [/other\.ts/],
    ],
    [
      "a summary of what is broken",
      getModuleSummary,
      { file: "src/half.ts" },
      [/parsed in part only: \d+ syntax errors?, the first at line \d/],
      [],
    ],
    [
      "a map",
      getFileMap,
      { path: "./src/" },
      [/^src\/wire\.ts \(typescript, \d+ lines\) class Wire:2 \{send:3\}, function push:7$/m],
      [/test\//],
    ],
    ["a map of everything", getFileMap, {}, [/test\/letter\.test\.ts \(typescript, \d+ lines, test\)/], []],
    [
      "context",
      getContext,
      { symbol: "post", budget_tokens: 300 },
      [/^src\/letter\.ts:2-6 function post — asked for\nexport function post/, /port\.send\(text\)/],
      [/other\.ts/],
    ],
    ["context of a file", getContext, { file: "src/desk.ts" }, [/greet = \(\) => post/], []],
    ["context of everything", getContext, {}, [/function post/], []],
    [
      "search",
      searchSymbol,
      { query: "send", kind: "method" },
      [/^method Wire\.send src\/wire\.ts:3-5 \(exact name, exported, used by 0\)$/m, /^method Drum\.send/m],
      [],
    ],
  ])("%s", async (_, tool, args, wanted, unwanted) => {
    const text = await ask(tool, args);
    for (const pattern of wanted) expect(text).toMatch(pattern);
    for (const pattern of unwanted) expect(text).not.toMatch(pattern);
  });
});

describe("a question that cannot be answered says why", () => {
  it.each<[string, Tool, object, RegExp]>([
    ["what is ambiguous", getCallers, { symbol: "send" }, /^\[error\] send may mean 3 symbols/],
    ["an unknown symbol", getImpact, { symbol: "sendd", file: "src/wire.ts" }, /^\[error\] No symbol sendd was found in src\/wire\.ts/],
    ["an unknown file", getModuleSummary, { file: "wire.ts" }, /^\[error\] There is no file wire\.ts .*Did you mean src\/wire\.ts\?/],
    ["an unknown folder", getFileMap, { path: "lib" }, /^\[error\] There is no file lib/],
    ["a path that leaves the repository", getDependencies, { file: "../x.ts" }, /^\[error\] The path "\.\.\/x\.ts" has a dot segment/],
    ["an unknown file of a context", getContext, { file: "nothing.ts" }, /^\[error\] There is no file nothing\.ts/],
    ["a kind that there is not", searchSymbol, { query: "x", kind: "gadget" }, /^\[error\] Wrong arguments/],
    ["a depth of nothing", getCallers, { symbol: "post", depth: 0 }, /^\[error\] Wrong arguments/],
  ])("%s", async (_, tool, args, why) => {
    expect(await ask(tool, args)).toMatch(why);
  });

  it("says that there is no graph, and lets its failure be an error of the call", async () => {
    expect(await ask(getCallers, { symbol: "post" }, null as unknown as undefined)).toMatch(/^\[error\] /);
    const text = await ask(getCallers, { symbol: "post" }, () => Promise.reject(new Error("the store is gone")));
    expect(text).toMatch(/^\[error\] .*the store is gone/);
  });
});

it("an answer of thousands of lines is cut and says so", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 240 }, (_, n) => [`lib/${"deep/".repeat(20)}file${n}.ts`, "export const a = 1\nexport const b = 2\n".repeat(3)]),
  );
  const graph = await built(many);
  const text = await ask(getFileMap, {}, () => Promise.resolve(graph));
  expect(Buffer.byteLength(text)).toBeLessThan(32_000);
  expect(text).toMatch(/\[\d+ of 241 lines shown; ask about less\]$/);
});
