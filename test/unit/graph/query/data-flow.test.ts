import { describe, expect, it } from "vitest";
import { findTarget } from "../../../../src/graph/query/find-target.ts";
import { isOneOf } from "../../../../src/graph/query/flow/endpoints.ts";
import { dataFlowOf } from "../../../../src/graph/query/flow/data-flow.ts";
import { showFlow } from "../../../../src/graph/show/show-flow.ts";
import { built, type Texts } from "../built.ts";

async function flow(files: Texts, symbol: string, depth?: number): Promise<string> {
  const asked = await built(files);
  const found = findTarget(asked, symbol);
  if (found.status !== "found") throw new Error(found.status);
  return showFlow(dataFlowOf(asked, found.target, { depth }));
}

describe("a value is followed", () => {
  it.each<[string, Texts, string, readonly RegExp[]]>([
    [
      "through variables and conditions",
      { "a.ts": "export function f(x: string) {\n  const y = x || 'none'\n  let z\n  z = y\n  return z\n}\n" },
      "f",
      [/a\.ts:2 y = x or/, /a\.ts:4 z = y/, /returned by f/],
    ],
    [
      "through destructuring",
      { "a.ts": "export function f(request: { body: string }) {\n  const { body } = request\n  eval(body)\n}\n" },
      "f",
      [/body = request\.body.*/, /argument 1 of eval.*\[sink\]/],
    ],
    [
      "into a field and out of it",
      {
        "a.ts":
          "export class A {\n  kept = ''\n  put(text: string) {\n    this.kept = text\n  }\n  get() {\n    return exec(this.kept)\n  }\n}\n",
      },
      "A.put",
      [/this\.kept = text/, /a\.ts:7 argument 1 of exec.*\[sink\]/],
    ],
    [
      "into a Python object's own field and on from there",
      {
        "a.py":
          'import os\n\nclass Box:\n    def __init__(self, name):\n        self.name = name\n\n    def show(self):\n        os.system(self.name)\n\n\nBox(os.environ["HOME"])\n',
      },
      "Box.__init__",
      [/a\.py:5 self\.name = name \(exact\)\n +a\.py:8 argument 1 of os\.system.*\[sink\]/, /name is given os\.environ.*\[source\]/],
    ],
    [
      "back from a result to where it was given",
      {
        "a.ts":
          "function inner(x: string) {\n  return x\n}\nexport function outer() {\n  const env = process.env.HOME\n  return inner(env)\n}\n",
      },
      "inner",
      [/x is given env/, /env = process\.env\.HOME \(exact\) \[source\]/, /result of inner/, /returned by outer/],
    ],
    [
      "only to the call that it came by",
      {
        "a.ts":
          "function id(x: string) {\n  return x\n}\nexport function one(a: string) {\n  return id(a)\n}\nexport function two() {\n  return id('b')\n}\n",
      },
      "one",
      [/argument 1 of id as x/, /a\.ts:5 result of id/],
    ],
    [
      "through lambdas of methods that nobody knows",
      {
        "a.ts":
          "export function f(names: string[]) {\n  names.forEach((name) => g(name))\n}\nfunction g(name: string) {\n  return name\n}\n",
      },
      "f",
      [/argument 1 of g as name/],
    ],
    [
      "into a constructor",
      { "a.ts": "class B {\n  constructor(text: string) {\n    eval(text)\n  }\n}\nexport const f = (x: string) => new B(x)\n" },
      "f",
      [/argument 1 of B\.constructor as text/, /argument 1 of eval.*\[sink\]/],
    ],
    [
      "through other files and the rest of the arguments",
      {
        "a.ts": "import { g } from './b'\nexport const f = (x: string) => g(1, x, 2)\n",
        "b.ts": "export function g(n: number, ...rest: unknown[]) {\n  return rest\n}\n",
      },
      "f",
      [/argument 2 of g as rest/, /b\.ts:2 returned by g/, /a\.ts:2 result of g/],
    ],
  ])("%s", async (_, files, symbol, wanted) => {
    const text = await flow(files, symbol);
    for (const pattern of wanted) expect(text).toMatch(pattern);
  });

  it("does not leave a function by another call than it entered by", async () => {
    const text = await flow(
      {
        "a.ts":
          "function id(x: string) {\n  return x\n}\nexport function one(a: string) {\n  return id(a)\n}\nexport function two() {\n  return id('b')\n}\n",
      },
      "one",
    );
    expect(text.slice(0, text.indexOf("result of one"))).not.toMatch(/a\.ts:8/);
  });

  it("ends in circles, and at the depth that is asked for", async () => {
    const files = {
      "a.ts":
        "export function a(x: string): string {\n  return b(x)\n}\nfunction b(y: string): string {\n  return c(y)\n}\nfunction c(z: string): string {\n  return a(z)\n}\n",
    };
    expect((await flow(files, "a")).length).toBeLessThan(5000);
    const near = await flow(files, "a", 1);
    expect(near).toMatch(/argument 1 of b as y/);
    expect(near.slice(near.indexOf("goes to"), near.indexOf("result of a"))).not.toMatch(/of a as x/);
  });

  it("is cut when there is too much of it, and says so", async () => {
    const body = Array.from({ length: 400 }, (_, n) => `  sink${n}(x)`).join("\n");
    const text = await flow({ "a.ts": `export function f(x: string) {\n${body}\n}\n` }, "f");
    expect(text).toMatch(/\[the answer is full/);
    expect(text.split("\n").length).toBeLessThan(300);
  });
});

it.each([
  ["process.env.HOME", "process.env", true],
  ["request.query.id", "request.query", true],
  ["db.query", "query", true],
  ["db.queryOne", "query", false],
  ["myprocess.env", "process.env", false],
  ["child.exec(…)", "exec", true],
  ["exec.now", "exec", false],
])("%s counts as %s: %s", (text, name, expected) => {
  expect(isOneOf(text, [name])).toBe(expected);
});
