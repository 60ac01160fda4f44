import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IsolateOptions, type IsolateOutcome, runInIsolate } from "../../../../src/tools/script/isolate.ts";

const echo: IsolateOptions["call"] = (name, args) =>
  Promise.resolve(name === "echo" ? { ok: true, text: args } : { ok: false, text: `[error] There is no tool ${name}.` });

function run(script: string, options: Partial<IsolateOptions> = {}): Promise<IsolateOutcome> {
  const { limits, ...rest } = options;
  return runInIsolate({
    script,
    names: ["echo", "fail"],
    call: echo,
    signal: new AbortController().signal,
    limits: { computingMs: 500, wholeMs: 20_000, ...limits },
    ...rest,
  });
}
const answerOf = async (script: string, options?: Partial<IsolateOptions>): Promise<string> => {
  const outcome = await run(script, options);
  return outcome.ok ? outcome.text : `failed: ${outcome.why}`;
};

describe("a script's answer", () => {
  it.each([
    ["a text, as it is", "return 'it is \"so\"\\n'", 'it is "so"\n'],
    ["another value, as JSON", "return { a: [1, null, true], b: 'x' }", '{"a":[1,null,true],"b":"x"}'],
    ["nothing, said in words", "// nothing", "(the script returned nothing; return what is to be seen)"],
    ["a text with what ends a C string, and half a pair", "return 'a\\u0000b\\ud800c'", "a\u0000b\ud800c"],
    ["what a tool answered", "return await tools.echo({ x: 1 })", '{"x":1}'],
    [
      "what several tools answered at once",
      "return (await Promise.all([1, 2, 3].map((i) => tools.echo({ i })))).join()",
      '{"i":1},{"i":2},{"i":3}',
    ],
    ["without arguments an empty object arrives", "return await tools.echo()", "{}"],
    ["the tools by name", "return Object.keys(tools)", '["echo","fail"]'],
    ["after a wait", "await new Promise((done) => setTimeout(done, 5)); return 'later'", "later"],
    [
      "from a timer that was cleared, never",
      "let rang = 'quiet'; clearTimeout(setTimeout(() => { rang = 'rang' }, 1)); await new Promise((done) => setTimeout(done, 20)); return rang",
      "quiet",
    ],
    [
      "a failed call's text, caught",
      "try { await tools.fail({}) } catch (error) { return error.name + ': ' + error.message }",
      "ToolError: [error] There is no tool fail.",
    ],
    [
      "an unknown tool's refusal, caught",
      "try { await tools.nope({}) } catch ({ message }) { return message }",
      "[error] There is no tool nope.",
    ],
  ])("is %s", async (_, script, answer) => {
    expect(await answerOf(script)).toBe(answer);
  });

  it("stands beside what was logged", async () => {
    expect(await run("console.log('a', { b: 1 }, new TypeError('c')); console.warn(undefined); return 1")).toEqual({
      ok: true,
      text: "1",
      log: 'a {"b":1} TypeError: c (line 1)\nundefined',
    });
  });

  it("keeps any JSON value and any text, in both directions", { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 30 }),
        fc.array(fc.string({ unit: "binary" }), { maxLength: 30 }),
        async (values, texts) => {
          const plain = JSON.parse(JSON.stringify([values, texts])) as unknown;
          const script = `const given = JSON.parse(${JSON.stringify(JSON.stringify(plain))}); const back = JSON.parse(await tools.echo({ given })); return JSON.stringify(back.given) === JSON.stringify(given) ? given : "changed"`;
          expect(JSON.parse(await answerOf(script))).toEqual(plain);
        },
      ),
      { numRuns: 12 },
    );
  });
});

it("does what the documentation shows", async () => {
  const page = readFileSync(new URL("../../../../docs/scripts-and-research.md", import.meta.url), "utf8");
  const [, script = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const call: IsolateOptions["call"] = (name, args) =>
    Promise.resolve({ ok: true, text: name === "find_files" ? "src/a.js\nsrc/b.js" : args.includes("b.js") ? "eval(1)" : "" });
  expect(await answerOf(script, { call, names: ["find_files", "read_file"] })).toBe('["src/b.js"]');
});

describe("a script that fails", () => {
  it.each([
    ["cannot be read: the line is named", "let x;\n\nlet y = ;", /cannot be read: SyntaxError: .*\(line 3\)/],
    ["is not closed", "if (true) {", /cannot be read: SyntaxError/],
    ["has an import", "import fs from 'node:fs'", /cannot be read: SyntaxError/],
    ["throws: the line is named", "let x;\n\nx.y", /^TypeError: .* \(line 3\)$/],
    ["throws no error", "throw { a: 1 }", /^it threw \{"a":1\}$/],
    ["throws nothing", "throw null", /^it threw null$/],
    ["does not catch a failed call", "\nawait tools.fail({})", /^\[error\] There is no tool fail\. \(line 2\)$/],
    ["hands a tool what has no JSON", "await tools.echo({ n: 1n })", /TypeError: .*BigInt/],
    ["returns what has no JSON", "return () => 1", /no JSON form/],
    ["returns a ring", "const o = {}; o.o = o; return o", /circular/],
    ["waits for what nothing settles", "await new Promise(() => {})", /waits for a promise that nothing will settle/],
    ["runs for ever", "for (;;);", /computed for more than 0\.5 s/],
    ["runs for ever in small jobs", "for (;;) await 0", /computed for more than 0\.5 s/],
    [
      "runs for ever where errors are written",
      "const error = new Error('x'); Object.defineProperty(error, 'message', { get() { for (;;); } }); throw error",
      /computed for more than 0\.5 s/,
    ],
    [
      "runs for ever in a timer",
      "setTimeout(() => { for (;;); }, 1); await new Promise(() => {})",
      /computed for more than 0\.5 s|nothing will settle/,
    ],
    ["runs for ever in a regular expression", "return /(a+)+$/.test('a'.repeat(40) + 'b')", /computed for more than 0\.5 s/],
    ["calls itself for ever", "function f() { f() } f()", /called itself too deeply/],
    ["awaits itself for ever", "const f = async () => { await f() }; await f()", /called itself too deeply/],
    [
      "nests data too deeply",
      "let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; return JSON.stringify(o)",
      /called itself too deeply|computed for more/,
    ],
    ["fills its memory", "const all = []; for (;;) all.push(new Array(1000).fill(1))", /64 MB of memory|computed for more/],
    ["makes a huge text", "let s = 'x'; for (;;) s += s", /too long|64 MB of memory/],
    ["makes a huge buffer", "return new Uint8Array(2 ** 30).length", /array buffer|64 MB of memory/],
  ])("because it %s, says so", async (_, script, why) => {
    const outcome = await run(script);
    expect(outcome.ok ? `done: ${outcome.text}` : outcome.why).toMatch(why);
  });

  it("that does not even come to the engine's own clock is ended from outside", async () => {
    // One native call of the engine that looks at no clock.
    expect(await answerOf("for (;;) new Array(3e6).fill(0).reverse().fill(1)", { limits: { computingMs: 50 } })).toMatch(
      /computed for more than 0\.05 s/,
    );
  });

  it("is ended at the limit of the whole time, and by its signal", async () => {
    const forEver = () => new Promise<never>(() => undefined);
    const script = "await tools.echo({})";
    expect(await answerOf(script, { call: forEver, limits: { wholeMs: 300 } })).toBe(
      "failed: The script took longer than 0.3 s and was ended.",
    );
    const controller = new AbortController();
    const stopped = answerOf(script, {
      signal: controller.signal,
      call() {
        controller.abort();
        return forEver();
      },
    });
    expect(await stopped).toBe("failed: The script was stopped before it had finished.");
    expect(await answerOf("return 1", { signal: AbortSignal.abort() })).toMatch(/was stopped/);
  });

  it("throws on what the host's call throws", async () => {
    const lost = new Error("the attempt is lost");
    await expect(run("try { await tools.echo() } catch {} return 1", { call: () => Promise.reject(lost) })).rejects.toBe(lost);
  });
});

describe("a script is bounded", () => {
  it("in its calls, caught or not", async () => {
    let calls = 0;
    const call: IsolateOptions["call"] = () => Promise.resolve({ ok: true, text: String(++calls) });
    const script = "let why; for (let i = 0; i < 20; i++) try { await tools.echo({}) } catch (error) { why = error.message } return why";
    expect(await answerOf(script, { call, limits: { calls: 7 } })).toBe("[error] A script may make at most 7 calls; go on in another one.");
    expect(calls).toBe(7);
    await run("for (;;) tools.echo({})", { call, limits: { calls: 7 } });
    expect(calls).toBe(14);
  });

  it("in its arguments, its answer, its log and its timers", async () => {
    const small = { argumentsLength: 100, answerLength: 50, logLength: 40, timers: 3 };
    expect(await answerOf("await tools.echo({ x: 'y'.repeat(200) })", { limits: small })).toMatch(/arguments are longer than 100/);
    expect(await answerOf("return 'x'.repeat(1e6)", { limits: small })).toBe(`${"x".repeat(50)}\n[… 999950 characters were not kept]`);
    const { log } = await run("for (let i = 0; i < 1000; i++) console.log('line ' + i)", { limits: small });
    expect(log).toMatch(/^line 0\nline 1\n[\s\S]*characters were not kept\]$/);
    expect(log.length).toBeLessThan(100);
    const waits = await run("await Promise.all(Array.from({ length: 5 }, () => new Promise((done) => setTimeout(done, 1))))", {
      limits: { timers: 3 },
    });
    expect(waits).toMatchObject({ ok: false, log: expect.stringMatching(/at most 3 things at once/) as string });
  });
});

describe("a script has nothing but the language", () => {
  const GLOBALS =
    "process, require, module, fetch, WebAssembly, SharedArrayBuffer, Worker, global, Buffer, XMLHttpRequest, std, os, Deno, Bun, navigator, postMessage, parentPort, workerData, __dirname";

  it.each([
    [
      "the host's objects are not there",
      `return [${GLOBALS.split(", ")
        .map((name) => `typeof ${name}`)
        .join(", ")}].filter((type) => type !== "undefined" && type !== "function")`,
      "[]",
    ],
    [
      "constructors lead to the isolate's own global object",
      "return (() => {}).constructor.constructor('return typeof process + typeof require')()",
      "undefinedundefined",
    ],
    [
      "so do those of what the host hands in",
      "return [tools.echo, console.log, setTimeout, await tools.echo({})].map((given) => given.constructor?.constructor?.('return typeof process')() ?? typeof given).join()",
      "undefined,undefined,undefined,undefined",
    ],
    [
      "so do those of errors that a tool throws",
      "try { await tools.fail({}) } catch (error) { return error.constructor.constructor.constructor('return typeof process')() }",
      "undefined",
    ],
    ["so does indirect eval", "return (0, eval)('typeof process')", "undefined"],
    [
      "so do generators and async functions",
      "return [function* () {}, async () => {}].map((f) => String(Object.getPrototypeOf(f).constructor('return typeof process'))).length",
      "2",
    ],
    ["no module can be loaded", "return await import('node:fs').then(() => 'loaded', (error) => String(error))", /could not load module/],
    [
      "not by data, nor by name",
      "const tried = []; for (const name of ['data:text/javascript,export default 1', '/etc/passwd', './isolate-worker.ts', 'os', 'std']) await import(name).then(() => tried.push(name), () => {}); return tried",
      "[]",
    ],
    ["no shared memory and nothing that blocks", "return typeof Atomics === 'undefined' || typeof Atomics.wait === 'undefined'", "true"],
    ["stacks name no place of the host", "return new Error('x').stack", (text: string) => !/\/|file:|node:/.test(text)],
    [
      "stacks cannot be hooked to reach frames of the host",
      "Error.prepareStackTrace = (error, frames) => frames; const { stack } = new Error('x'); return typeof stack",
      /^(string|undefined)$/,
    ],
    ["a closed wrapper gains nothing", "})(); globalThis.leak = typeof process; (async () => { return globalThis.leak", "undefined"],
    [
      "callers cannot be walked",
      "function f() { return String(f.caller) } try { return f() } catch (error) { return error.name }",
      (text: string) => !/request|settle|prelude/.test(text),
    ],
  ])("%s", async (_, script, held: string | RegExp | ((text: string) => boolean)) => {
    const answer = await answerOf(script);
    if (typeof held === "function") expect(held(answer), answer).toBe(true);
    else if (held instanceof RegExp) expect(answer).toMatch(held);
    else expect(answer).toBe(held);
  });

  it.each([
    ["Object.prototype", "Object.prototype.polluted = 1; Object.prototype.toJSON = () => 'x'; Object.prototype.id = 99"],
    ["promises", "Promise.prototype.then = () => { throw 1 }; globalThis.Promise = null"],
    ["JSON", 'JSON.stringify = () => \'{"__proto__":{"polluted":1}}\'; JSON.parse = null'],
    [
      "arrays and strings",
      "Array.prototype.push = null; String.prototype.slice = null; RegExp.prototype.exec = null; Array.prototype[Symbol.iterator] = null",
    ],
    ["the tools", "try { tools.echo = () => 'mine'; delete tools.echo; Object.defineProperty(tools, 'echo', { value: 1 }) } catch {}"],
  ])("what it does to %s harms itself alone", async (_, harm) => {
    const seen: unknown[] = [];
    const call: IsolateOptions["call"] = (_name, args) => {
      seen.push(JSON.parse(args));
      return Promise.resolve({ ok: true, text: "fine" });
    };
    const outcome = await run(`${harm};\nreturn await tools.echo({ a: 1 })`, { call });
    expect(typeof outcome.ok).toBe("boolean");
    expect(seen.length).toBeLessThanOrEqual(1);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(await answerOf("return 'the next one is whole'")).toBe("the next one is whole");
  });

  it("sees no variable of the process", async () => {
    process.env["SALLYPORT_TEST_CANARY"] = "canary-4711";
    try {
      const answer = await answerOf(
        "const all = []; for (const key of Reflect.ownKeys(globalThis)) { all.push(String(key)); try { all.push(String(globalThis[key])) } catch {} } return all.join()",
      );
      expect(answer).not.toContain("canary-4711");
      expect(answer).toContain("tools");
    } finally {
      delete process.env["SALLYPORT_TEST_CANARY"];
    }
  });

  it("comes to an outcome whatever its text is", { timeout: 120_000 }, async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom(
        "await ",
        "tools.echo({})",
        "return ",
        "throw ",
        "globalThis",
        "(",
        ")",
        "{",
        "}",
        "=>",
        "\n",
        "//",
        "`${",
        "import('x')",
        "Promise.reject(1)",
        "null",
        "setTimeout(",
        "yield ",
        "*/",
        "\u2028",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const outcome = await run(pieces.join(""), { limits: { computingMs: 200 } });
        expect(outcome.ok ? outcome.text : outcome.why).not.toBe("");
      }),
      { numRuns: 40 },
    );
  });
});
