import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { failed, ok } from "../../../src/core/result.ts";
import { ModelError } from "../../../src/model/errors.ts";
import { recordingModel, replayRecord } from "../../../src/model/record.ts";
import { replayModel } from "../../../src/model/replay.ts";
import { answer, call, callTo, hold, say, scripted, tool, writer } from "../agent/doubles.ts";

const script = [
  callTo("look", { at: "a" }, "c1"),
  answer({ calls: [call("look", {}, "c2")], broken: [{ call: call("write_file", '{"path":"a', "c3"), why: "it was cut off" }], usd: 0.25 }),
  answer(),
  callTo("look", {}, "c1"),
  say("Done."),
];
const tools = (text = "seen") => [tool("look", () => ok(text)), writer()];

async function recordedRun() {
  const journal = memoryJournal();
  const lines: string[] = [];
  const model = recordingModel(scripted(script), (line) => void lines.push(line));
  const conversation = await hold({ model, journal, tools: tools() });
  return { journal, lines, conversation };
}

/** What a conversation leaves, but for names of models. */
const turnsOf = (entries: readonly JournalEntry[]) => entries.filter(({ kind }) => kind !== "opening");

describe.each(["its journal", "its record"] as const)("a run that is replayed from %s", (from) => {
  const replaying = ({ journal, lines }: Awaited<ReturnType<typeof recordedRun>>) =>
    from === "its journal" ? replayModel(journal.entries) : replayRecord(lines);

  it("comes to the same, turn by turn", async () => {
    const run = await recordedRun();
    const journal = memoryJournal();
    expect(await hold({ model: replaying(run), journal, tools: tools() })).toEqual(run.conversation);
    expect(turnsOf(journal.entries)).toEqual(turnsOf(run.journal.entries));
  });

  it("ends loudly when a tool answers differently", async () => {
    const model = replaying(await recordedRun());
    await expect(hold({ model, tools: tools("something else") })).rejects.toMatchObject({
      code: "replay-diverged",
      message: expect.stringMatching(from === "its journal" ? /turn 2 the result of look/ : /request 2 is not the recorded one/) as string,
    });
  });

  it("ends loudly when more is asked than was answered", async () => {
    const { journal, lines } = await recordedRun();
    const model = from === "its journal" ? replayModel(journal.entries.slice(0, 3)) : replayRecord(lines.slice(0, 1));
    await expect(hold({ model, tools: tools() })).rejects.toMatchObject({
      code: "replay-diverged",
      message: expect.stringMatching(/ends after 1/) as string,
    });
  });
});

describe("a replay from the journal", () => {
  const request = (
    messages: Parameters<typeof replayModel>[0] extends never
      ? never
      : Parameters<ReturnType<typeof replayModel>["complete"]>[0]["messages"],
  ) => ({
    messages,
    tools: [],
    signal: new AbortController().signal,
  });
  const opening = [{ role: "user" as const, text: "Hi." }];
  const turn = (message: ReturnType<typeof say>, number = 1): JournalEntry => {
    const { text, calls, usage, model } = message;
    return { kind: "turn", turn: number, message: { role: "assistant", text, calls }, usage, model };
  };
  const result = (callId: string, text: string): JournalEntry => ({
    kind: "tool-result",
    turn: 1,
    callId,
    tool: "look",
    result: failed(text),
  });

  it("plays a subagent's conversation inside the call that asked it, and summaries where they were made", async () => {
    const outer = callTo("research_code", { question: "?" }, "r1");
    const usage = { input: 1, output: 1, cached: 0 };
    const model = replayModel([
      turn(outer),
      { kind: "nested", callId: "r1", entry: turn(say("inner")) as Extract<JournalEntry, { kind: "turn" }> },
      result("r1", "inner"),
      { kind: "compacted", turn: 1, text: "…", summary: { text: "summed up", usage, model: "m", usd: 0.5 } },
      turn(say("outer"), 2),
    ]);
    const said = { role: "assistant" as const, text: "", calls: outer.calls };
    expect(await model.complete(request(opening))).toMatchObject({ calls: outer.calls });
    expect(await model.complete(request(opening))).toMatchObject({ text: "inner" });
    expect(await model.complete(request([...opening, said]))).toMatchObject({ text: "summed up", usd: 0.5 });
    const answered = { role: "tool" as const, callId: "r1", text: "[error] inner" };
    expect(await model.complete(request([...opening, said, answered]))).toMatchObject({ text: "outer" });
  });

  it.each([
    { name: "nothing of what was said", messages: opening, says: /nothing of it is there/ },
    { name: "another answer", messages: [...opening, { role: "assistant" as const, text: "No.", calls: [] }], says: /another answer/ },
    {
      name: "another call",
      messages: [...opening, { role: "assistant" as const, text: "", calls: [call("look", {}, "other")] }],
      says: /another answer/,
    },
  ])("takes no answer away for a request with $name", async ({ messages, says }) => {
    const first = callTo("look", {}, "c1");
    const model = replayModel([turn(first), result("c1", "no"), turn(say("ok"), 2)]);
    await model.complete(request(opening));
    await expect(model.complete(request(messages))).rejects.toThrow(says);
    const right = [
      ...opening,
      { role: "assistant" as const, text: "", calls: first.calls },
      { role: "tool" as const, callId: "c1", text: "[error] no" },
    ];
    expect(await model.complete(request(right))).toMatchObject({ text: "ok" });
  });

  it("refuses a conversation that did not begin where it should", async () => {
    const model = replayModel([turn(say("ok"))]);
    await expect(model.complete(request([...opening, { role: "assistant", text: "x", calls: [] }]))).rejects.toThrow(/was the first/);
  });
});

describe("a record", () => {
  it("keeps errors as well, and plays them", async () => {
    const lines: string[] = [];
    const model = scripted([new ModelError("model-quota", "no quota", { hint: "Pay." })]);
    const ended = await hold({ model: recordingModel(model, (line) => void lines.push(line)) });
    expect(ended).toMatchObject({ end: "failed", why: "no quota", hint: "Pay." });
    expect(await hold({ model: replayRecord([...lines, ""]) })).toEqual({ ...ended, model: "recorded" });
  });

  it("holds no words of the request", async () => {
    const { lines } = await recordedRun();
    expect(lines.join("\n")).not.toContain("The request: fix it.");
  });

  it.each(["", "null", "{}", "{half", '{"request":"x"}'])("that holds something else is refused: %s", (line) => {
    if (line === "") expect(replayRecord([line]).name).toBe("recorded");
    else expect(() => replayRecord([line])).toThrow(/line 1 of the record/);
  });
});
