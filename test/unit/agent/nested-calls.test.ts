import { describe, expect, it } from "vitest";
import type { Journal, JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { failed, ok } from "../../../src/core/result.ts";
import { startFold } from "../../../src/agent/history.ts";
import { openNestedCalls } from "../../../src/agent/nested-calls.ts";
import { runToolsScript } from "../../../src/tools/script/run-tools-script.ts";
import type { WriteContext } from "../../../src/tools/tool.ts";
import { call, callTo, contextFor, hold, resultsOf, say, scripted, tool, writer } from "./doubles.ts";

/** What the script's calls came to, as the journal has them. */
const nestedOf = ({ entries }: Journal) =>
  entries.flatMap((entry) => (entry.kind === "nested" ? [{ parent: entry.callId, ...entry.entry }] : []));
const scriptThen = (script: string) => scripted([callTo("run_tools_script", { script }, "c1"), say("Done.")]);

/** Runs one script as the only call of a run. */
async function runScript(script: string, options: Partial<Parameters<typeof hold>[0]> = {}) {
  const journal = options.journal ?? memoryJournal();
  const model = scriptThen(script);
  const conversation = await hold({ model, tools: [tool("look"), writer(), runToolsScript], ...options, journal });
  return { journal, conversation, model, result: resultsOf(journal)[0] };
}

describe("a call that a script makes", () => {
  it("is a call like the model's own: checked, judged, masked, journalled under the script's call", async () => {
    const contexts: WriteContext[] = [];
    const secretive = tool("look", (_args, context) => {
      contexts.push(context);
      return ok("the key is s3cr3t-value");
    });
    const progress: unknown[] = [];
    const { journal, result } = await runScript("return await tools.look({ at: 's3cr3t-value' })", {
      tools: [secretive, runToolsScript],
      mask: (text) => text.replaceAll("s3cr3t-value", "***"),
      onProgress: (event) => progress.push(event),
    });
    expect(result).toEqual(ok("the key is ***"));
    expect(contexts.map(({ callId, parentCallId, nested }) => ({ callId, parentCallId, nested }))).toEqual([
      { callId: "c1/1", parentCallId: "c1", nested: undefined },
    ]);
    expect(nestedOf(journal)).toEqual([
      { parent: "c1", kind: "tool-result", turn: 1, callId: "c1/1", tool: "look", arguments: '{"at":"***"}', result: ok("the key is ***") },
    ]);
    expect(progress).toContainEqual({ kind: "tool-result", turn: 1, tool: "look", status: "ok" });
  });

  it.each([
    [
      "what the gate holds back is thrown",
      "await tools.write_file({ path: 'a' })",
      /^\[blocked\] rule: no \(line 1\)\nCalls that had ended: write_file \(blocked\)\.$/,
    ],
    ["and can be caught", "try { await tools.write_file({ path: 'a' }) } catch ({ message }) { return message }", /^\[blocked\] rule: no$/],
    ["a tool that throws", "try { await tools.bad({}) } catch ({ message }) { return message }", /^\[error\] it broke$/],
    [
      "a tool that does not exist",
      "await tools.lok({})",
      /There is no tool "lok"\. Did you mean look\? The tools are: look, write_file, bad/,
    ],
    [
      "the script's own tool",
      "await tools.run_tools_script({ script: 'return 1' })",
      /run_tools_script is not offered here: it cannot be called from within itself\./,
    ],
    ["arguments that are no object", "await tools.look('a')", /arguments/],
    ["a syntax error runs nothing", "await tools.look({})\nlet = ;", /cannot be read: SyntaxError[\s\S]*\(line 2\)\nNo call had ended\./],
  ])("%s", async (_, script, text) => {
    const held = writer();
    const tools = [tool("look"), held, tool("bad", () => Promise.reject(new Error("it broke"))), runToolsScript];
    const contextOf = (id: string) => contextFor(id, { write: () => Promise.resolve({ verdict: "block", findings: [] }) });
    const { result } = await runScript(script, { tools, contextFor: contextOf });
    expect(result?.text).toMatch(text);
  });

  it("runs one after the other, in the order in which the calls were made", async () => {
    let running = 0;
    const order: unknown[] = [];
    const slow = tool("look", async ({ i }) => {
      expect(++running).toBe(1);
      await new Promise((done) => setTimeout(done, 3));
      order.push(i);
      running--;
      return ok(String(i));
    });
    const { result } = await runScript("return (await Promise.all([3, 1, 2].map((i) => tools.look({ i })))).join()", {
      tools: [slow, runToolsScript],
    });
    expect(result).toEqual(ok("3,1,2"));
    expect(order).toEqual([3, 1, 2]);
  });

  it("is not begun any more when its script has ended, and the one that runs is waited for", async () => {
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const nested = openNestedCalls({
      parent: call("run_tools_script", {}, "c1"),
      turn: 1,
      names: ["look"],
      journal: memoryJournal(),
      resultLost: false,
      async execute({ id }) {
        begun.push(id);
        await new Promise<void>((resolve) => (end = resolve));
        return { result: ok("looked"), changed: false, abandoned: false };
      },
      onChanged: () => Promise.resolve(),
      onResult: () => undefined,
      mask: (text) => text,
      signal: new AbortController().signal,
    });
    const calls = [nested.call("look", "{}"), nested.call("look", "{}")];
    await expect.poll(() => begun).toEqual(["c1/1"]);
    const closed = nested.close();
    end();
    await closed;
    expect(await Promise.all(calls)).toEqual([ok("looked"), failed("The script had ended before this call began.")]);
    expect(begun).toEqual(["c1/1"]);
  });

  it("stores the workspace before its own row, and lets the tests run after the turn", async () => {
    const journal = memoryJournal();
    let repairs = 0;
    await runScript("await tools.write_file({ path: 'a' }); await tools.look({}); await tools.write_file({ path: 'b' })", {
      journal,
      snapshot: (turn) => journal.append({ kind: "snapshot", turn, entries: [] }),
      repair: () => Promise.resolve(`[auto_test] ran ${++repairs} times`),
    });
    expect(journal.entries.map(({ kind }) => kind)).toEqual([
      "opening",
      "turn",
      "snapshot",
      "nested",
      "nested",
      "snapshot",
      "nested",
      "tool-result",
      "note",
      "turn",
    ]);
    expect(repairs).toBe(1);
  });

  it("is stopped with its run, and the script with it", async () => {
    const controller = new AbortController();
    const stopper = tool("look", () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    });
    const { conversation, journal } = await runScript("await tools.look({}); return 1", {
      tools: [stopper, runToolsScript],
      signal: controller.signal,
    });
    expect(conversation.end).toBe("cancelled");
    expect(nestedOf(journal)).toEqual([]);
    expect(resultsOf(journal)).toEqual([]);
  });

  it("has nobody to ask where there is no run around it", async () => {
    const result = await runToolsScript.call({ script: "return 1" }, contextFor("c1"));
    expect(result).toEqual(failed("A script cannot be run from within another call."));
  });
});

class Crash extends Error {}

/** A journal whose process dies at its n-th append, just before or just after the row is durable. */
function crashing(earlier: readonly JournalEntry[], at: number, durable: boolean): Journal {
  const journal = memoryJournal(earlier);
  let appends = 0;
  return {
    ...journal,
    async append(entry) {
      const crash = ++appends === at;
      if (!crash || durable) await journal.append(entry);
      if (crash) throw new Crash(`append ${at}`);
    },
  };
}

describe("a script whose process died", () => {
  const script = `
    const seen = [await tools.look({ i: 1 })];
    try { seen.push(await tools.write_file({ path: "a" })) } catch (error) { seen.push(error.message) }
    seen.push(...(await Promise.all([tools.look({ i: 2 }), tools.look({ i: 3 })])));
    return seen;`;

  async function runWithCrash(at: number, durable: boolean) {
    const ran: string[] = [];
    const spied = tool("look", ({ i }, { callId }) => (ran.push(callId), ok(`looked ${String(i)}`)));
    const write = writer();
    const spiedWrite = { ...write, call: (args: unknown, context: WriteContext) => (ran.push(context.callId), write.call(args, context)) };
    const options = (journal: Journal) => ({
      tools: [spied, spiedWrite, runToolsScript],
      journal,
      snapshot: (turn: number) => journal.append({ kind: "snapshot", turn, entries: [] }),
    });
    let journal = crashing([], at, durable);
    const first = await runScript(script, options(journal)).catch((error: unknown) => error);
    const crashed = first instanceof Error && (first instanceof Crash || first.cause instanceof Crash);
    if (crashed) {
      journal = memoryJournal(journal.entries);
      await runScript(script, options(journal));
    }
    return { ran, journal, crashed };
  }

  it("goes on where its journal ends, wherever that is: what had ended is not run again", { timeout: 60_000 }, async () => {
    const whole = await runWithCrash(Number.POSITIVE_INFINITY, true);
    const appends = whole.journal.entries.length;
    expect(whole.journal.entries.map(({ kind }) => kind)).toEqual([
      "opening",
      "turn",
      "nested",
      "snapshot",
      "nested",
      "nested",
      "nested",
      "tool-result",
      "turn",
    ]);
    for (let at = 1; at <= appends; at++) {
      const { ran, journal, crashed } = await runWithCrash(at, true);
      expect(crashed).toBe(true);
      expect(ran, `after append ${at}`).toEqual(["c1/1", "c1/2", "c1/3", "c1/4"]);
      const isLost = whole.journal.entries[at - 1]?.kind === "snapshot";
      const [first, second, ...rest] = JSON.parse(resultsOf(journal)[0]?.text ?? "") as string[];
      expect([first, ...rest]).toEqual(["looked 1", "looked 2", "looked 3"]);
      expect(second, `after append ${at}`).toMatch(isLost ? /output was lost, its changes to the workspace are kept/ : /^wrote a$/);

      const before = await runWithCrash(at, false);
      // At most the one call whose row was not there yet ran again.
      expect(before.ran.length - 4, `before append ${at}`).toBeLessThanOrEqual(1);
      expect(new Set(before.ran)).toEqual(new Set(ran));
    }
  });

  it("is stopped when it does not make the same calls again", async () => {
    const rows: JournalEntry[] = [
      { kind: "opening", messages: [{ role: "user", text: "Do." }] },
      { kind: "turn", turn: 1, message: callToMessage(), usage: { input: 1, output: 1, cached: 0 }, model: "m" },
      {
        kind: "nested",
        callId: "c1",
        entry: { kind: "tool-result", turn: 1, callId: "c1/1", tool: "look", arguments: '{"i":2}', result: ok("two") },
      },
    ];
    const journal = memoryJournal(rows);
    const ran: string[] = [];
    await runScript("unused", { journal, tools: [tool("look", (_args, { callId }) => (ran.push(callId), ok(""))), runToolsScript] });
    expect(ran).toEqual([]);
    expect(resultsOf(journal)[0]?.text).toMatch(/did not make the same calls again\. What its calls had done is kept/);
  });

  function callToMessage() {
    const { calls } = callTo(
      "run_tools_script",
      { script: "await tools.look({ i: 1 }).catch(() => {}); return await tools.look({ i: 2 })" },
      "c1",
    );
    return { role: "assistant", text: "", calls } as const;
  }
});

it("a run's history counts what ran inside its calls, and shows none of it to the model", () => {
  const usage = { input: 100, output: 10, cached: 0 };
  const message = { role: "assistant", text: "", calls: [] } as const;
  const history = startFold([
    { kind: "turn", turn: 1, message, usage, model: "m", usd: 0.5 },
    { kind: "nested", callId: "c1", entry: { kind: "turn", turn: 1, message, usage, model: "m", usd: 0.25 } },
  ]).read();
  expect(history.turns).toHaveLength(1);
  expect(history.usage).toEqual({ input: 200, output: 20, cached: 0 });
  expect(history.turns[0]?.usd).toBe(0.75);
});
