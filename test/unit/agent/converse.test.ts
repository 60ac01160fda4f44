import { describe, expect, it } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { type Decision, failed, ok } from "../../../src/core/result.ts";
import type { Progress } from "../../../src/agent/converse.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import {
  answer,
  call,
  callTo,
  contextFor,
  hold,
  messagesOf,
  notesOf,
  OPENING,
  resultsOf,
  sandbox,
  say,
  scripted,
  tool,
  writer,
} from "./doubles.ts";

describe("a conversation", () => {
  it("asks, runs the calls in order, and stops with the model's words", async () => {
    const ran: string[] = [];
    const journal = memoryJournal();
    const look = tool("look", ({ at }) => {
      ran.push(String(at));
      return ok(`saw ${String(at)}`);
    });
    const model = scripted([
      answer({ text: "I look.", calls: [call("look", { at: "a" }, "x"), call("look", { at: "b" }, "y")] }),
      say("Done."),
    ]);
    const conversation = await hold({ model, journal, tools: [look] });
    expect(conversation).toEqual({
      end: "stop",
      text: "Done.",
      usage: { input: 200, output: 20, cached: 0 },
      turns: 2,
      model: "scripted-1",
    });
    expect(ran).toEqual(["a", "b"]);
    expect(model.requests[1]?.messages).toEqual([
      ...OPENING,
      { role: "assistant", text: "I look.", calls: [call("look", { at: "a" }, "x"), call("look", { at: "b" }, "y")] },
      { role: "tool", callId: "x", text: "saw a" },
      { role: "tool", callId: "y", text: "saw b" },
    ]);
    expect(journal.entries.map(({ kind }) => kind)).toEqual(["opening", "turn", "tool-result", "tool-result", "turn"]);
  });

  it("renames call ids that were used before", async () => {
    const journal = memoryJournal();
    await hold({
      journal,
      model: scripted([answer({ calls: [call("look"), call("look", { n: 2 })] }), callTo("look", { n: 3 }), say("Done.")]),
    });
    expect(messagesOf(journal).flatMap(({ calls }) => calls.map(({ id }) => id))).toEqual(["c1", "c1-2", "c1-3"]);
  });

  it("tells an observer what happens and does not mind when it fails", async () => {
    const events: Progress[] = [];
    await hold({
      model: scripted([callTo("look"), say("Done.")]),
      onProgress: (event) => {
        events.push(event);
        throw new Error("a broken observer");
      },
    });
    expect(events).toEqual([
      { kind: "turn", turn: 1, text: "", calls: ["look"], tokens: 110 },
      { kind: "tool-result", turn: 1, tool: "look", status: "ok" },
      { kind: "turn", turn: 2, text: "Done.", calls: [], tokens: 110 },
    ]);
  });

  it("masks the values of secrets in what is sent and in the results that are journalled", async () => {
    const journal = memoryJournal();
    const model = scripted([callTo("look", { at: "hunter2" }), say("Done.")]);
    await hold({
      model,
      journal,
      tools: [tool("look", () => ok("it says hunter2"))],
      opening: () => Promise.resolve([...OPENING, { role: "user", text: "hunter2" }]),
      mask: (text) => text.replaceAll("hunter2", "***"),
    });
    expect(JSON.stringify(model.requests)).not.toContain("hunter2");
    expect(resultsOf(journal)).toEqual([ok("it says ***")]);
  });
});

describe("a call that cannot be run is answered with an error", () => {
  const throwing = tool("fails", () => {
    throw new Error("no such file: a");
  });
  const rows: readonly { name: string; turn: ReturnType<typeof answer>; tools?: readonly Tool[]; result: RegExp }[] = [
    { name: "an unknown tool, with those that exist", turn: callTo("lok"), result: /no tool "lok".*mean look\?.*look, write_file/ },
    {
      name: "arguments that are no JSON",
      turn: answer({ broken: [{ call: call("look", '{"a":'), why: "not JSON; send it again" }] }),
      result: /not JSON; send it again/,
    },
    {
      name: "a cut call that looks whole",
      turn: answer({ broken: [{ call: call("look", { a: 1 }), why: "cut off; send less" }], cut: "length" }),
      result: /cut off; send less/,
    },
    { name: "a handler that throws", turn: callTo("fails"), tools: [throwing], result: /no such file: a/ },
    {
      name: "a handler that answers nonsense",
      turn: callTo("odd"),
      tools: [{ ...tool("odd"), call: () => Promise.resolve("text" as never) }],
      result: /not a result/,
    },
  ];
  it.each(rows)("$name", async ({ turn, tools, result }) => {
    const journal = memoryJournal();
    const model = scripted([turn, say("Done.")]);
    expect(await hold({ model, journal, ...(tools === undefined ? {} : { tools }) })).toMatchObject({ end: "stop" });
    expect(resultsOf(journal)).toMatchObject([{ status: "error", text: expect.stringMatching(result) as string }]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", text: expect.stringMatching(/^\[error\] /) as string });
  });

  it("and does not keep the whole calls beside it from running", async () => {
    const journal = memoryJournal();
    await hold({
      journal,
      model: scripted([answer({ calls: [call("look")], broken: [{ call: call("look", "{", "b"), why: "half" }] }), say("Done.")]),
    });
    expect(resultsOf(journal).map(({ status }) => status)).toEqual(["ok", "error"]);
  });

  it("and of too many calls in one answer the first run, and the model is told", async () => {
    const journal = memoryJournal();
    const calls = Array.from({ length: 5000 }, (_, n) => call("look", { n }, `c${n}`));
    await hold({ journal, model: scripted([answer({ calls }), say("Done.")]) });
    expect(resultsOf(journal)).toHaveLength(257);
    expect(resultsOf(journal).at(-1)?.text).toMatch(/at most 256 calls; this one and 4743 after it were dropped/);
  });

  it("and never runs after a restart either", async () => {
    const whole = memoryJournal();
    const cut = answer({ broken: [{ call: call("look", { a: 1 }), why: "cut off" }], cut: "length" });
    await hold({ journal: whole, model: scripted([cut, say("Done.")]) });
    const resumed = memoryJournal(whole.entries.slice(0, 2));
    await hold({ journal: resumed, model: scripted([cut, say("Done.")]), tools: [tool("look", () => expect.unreachable("it ran"))] });
    expect(resultsOf(resumed)).toMatchObject([{ status: "error", text: expect.stringMatching(/cut off/) as string }]);
  });
});

describe("a cancelled run", () => {
  it.each(["before the model answers", "while a tool runs"])(
    "ends as cancelled and journals nothing that did not finish: %s",
    async (when) => {
      const controller = new AbortController();
      const journal = memoryJournal();
      const cancel = (): Promise<never> => {
        controller.abort();
        return new Promise<never>(() => {});
      };
      const model = scripted(() => (when === "while a tool runs" ? callTo("hangs") : cancel()));
      expect(await hold({ model, journal, tools: [tool("hangs", cancel)], signal: controller.signal })).toMatchObject({ end: "cancelled" });
      expect(journal.entries.map(({ kind }) => kind)).toEqual(when === "while a tool runs" ? ["opening", "turn"] : ["opening"]);
    },
  );

  it("keeps an answer and a result that arrived all the same", async () => {
    const controller = new AbortController();
    const journal = memoryJournal();
    const late = tool("late", () => {
      controller.abort();
      return ok("finished");
    });
    expect(await hold({ model: scripted([callTo("late")]), journal, tools: [late], signal: controller.signal })).toMatchObject({
      end: "cancelled",
      turns: 1,
    });
    expect(resultsOf(journal)).toEqual([ok("finished")]);
  });

  it("reaches a tool by its signal", async () => {
    const controller = new AbortController();
    const waits = tool("waits", async (_args, { signal }) => {
      controller.abort();
      return failed(`aborted: ${signal.aborted}`);
    });
    expect(await hold({ model: scripted([callTo("waits")]), tools: [waits], signal: controller.signal })).toMatchObject({
      end: "cancelled",
    });
  });
});

describe("a turn that changed the workspace", () => {
  const twoWrites = answer({ calls: [call("write_file", { path: "a" }, "a"), call("write_file", { path: "b" }, "b")] });

  it("is stored before each result and tested once, after all of them", async () => {
    const happened: string[] = [];
    const journal = memoryJournal();
    await hold({
      journal,
      model: scripted([twoWrites, say("Done.")]),
      snapshot: async (turn) => {
        happened.push(`snapshot after ${resultsOf(journal).length} results`);
        await journal.append({ kind: "snapshot", turn, entries: [] });
      },
      repair: () => {
        happened.push(`tests after ${resultsOf(journal).length} results`);
        return Promise.resolve("[auto_test] failed");
      },
    });
    expect(happened).toEqual(["snapshot after 0 results", "snapshot after 1 results", "tests after 2 results"]);
    expect(notesOf(journal)).toEqual(["[auto_test] failed"]);
  });

  it("goes on when its tests cannot be run, and says so", async () => {
    const journal = memoryJournal();
    const model = scripted([callTo("write_file", { path: "a" }), say("Done.")]);
    expect(await hold({ model, journal, repair: () => Promise.reject(new Error("no sandbox")) })).toMatchObject({ end: "stop" });
    expect(notesOf(journal)).toEqual(["[auto_test] The tests could not be run: no sandbox"]);
  });

  it("is not tested when nothing turned out to have changed", async () => {
    await hold({
      model: scripted([callTo("write_file", { path: "a" }), say("Done.")]),
      snapshot: () => Promise.resolve(false),
      repair: () => expect.unreachable("the tests ran"),
    });
  });

  const rows: readonly { name: string; tool: Tool; verdict?: Decision["verdict"]; tested: number }[] = [
    { name: "a read", tool: tool("it"), tested: 0 },
    { name: "a write tool that wrote nothing", tool: tool("it", () => ok("commented"), "write"), tested: 0 },
    { name: "a blocked write", tool: writer("it"), verdict: "block", tested: 0 },
    { name: "a write", tool: writer("it"), tested: 1 },
    {
      name: "a command in the sandbox",
      tool: tool("it", async (_args, { sandbox }) => ok(String((await sandbox?.run({} as never))?.exitCode)), "write"),
      tested: 1,
    },
  ];
  it.each(rows)("is known by what passed the inner door or ran: $name, $tested tests", async ({ tool, verdict = "allow", tested }) => {
    let tests = 0;
    await hold({
      model: scripted([callTo("it", { path: "a" }), say("Done.")]),
      tools: [tool],
      contextFor: (id) => contextFor(id, { sandbox, write: () => Promise.resolve({ verdict, findings: [] }) }),
      repair: () => {
        tests++;
        return Promise.resolve(undefined);
      },
    });
    expect(tests).toBe(tested);
  });
});

describe("a run that another worker has taken", () => {
  const stale = new StaleAttemptError("run-1", 1);
  it("stops at a journal write", async () => {
    const journal = { ...memoryJournal(), append: () => Promise.reject(stale) };
    await expect(hold({ model: scripted([say("Done.")]), journal })).rejects.toBe(stale);
  });
  it("stops when a tool meets it", async () => {
    const tools = [{ ...tool("publish"), call: () => Promise.reject(stale) }];
    await expect(hold({ model: scripted([callTo("publish")]), tools })).rejects.toBe(stale);
  });
});
