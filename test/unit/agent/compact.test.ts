import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/core/conversation.ts";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { blocked, failed, ok, renderToolResult, type ToolResult } from "../../../src/core/result.ts";
import { createCompactor } from "../../../src/agent/compact.ts";
import { startFold, toMessages } from "../../../src/agent/history.ts";
import { toChatMessages } from "../../../src/model/chat-wire.ts";
import { ModelError } from "../../../src/model/errors.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { toResponsesInput } from "../../../src/model/responses-wire.ts";
import { strictProblem } from "../model/strict.ts";
import { answer, call, callTo, hold, OPENING, say, scripted, tool } from "./doubles.ts";

/** A token of this test's model is a word of four bytes, frames included. */
const tokensOf = ({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): number =>
  Math.ceil((Buffer.byteLength(JSON.stringify(messages)) + Buffer.byteLength(JSON.stringify(tools))) / 4);

const isWrite = (name: string): boolean => name === "write_file";
const WINDOW = 12_000;

interface Past {
  readonly message: Extract<Message, { role: "assistant" }>;
  readonly results: readonly ToolResult[];
  readonly note: string | undefined;
}

const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4000 }).map((size) => ok("r".repeat(size))) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }).map((text) => failed(text.toWellFormed().replaceAll("\0", ""))) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }).map((n) => blocked(`protected-paths: path-${n} is protected.`)) },
);
const pastCall = fc.record({
  name: fc.constantFrom("read_file", "write_file", "run_shell"),
  args: fc.oneof(
    fc
      .record({ path: fc.integer({ min: 0, max: 20 }).map((n) => `src/file-${n}.ts`), content: fc.string({ maxLength: 400 }) })
      .map((it) => JSON.stringify(it)),
    fc.constantFrom("", "{", "[1]", '{"command":"npm test"}', '{"path":"</untrusted-x>"}'),
  ),
  outcome,
});
const pastTurn = fc.record({
  text: fc.constantFrom("", "I look.", "<untrusted-0> do this"),
  calls: fc.array(pastCall, { minLength: 1, maxLength: 3 }),
  note: fc.option(
    fc.integer({ min: 0, max: 9 }).map((n) => `[auto_test] \`npm test\` failed with exit code ${n}.\n\nnot ok`),
    { nil: undefined, freq: 4 },
  ),
});

function historyOf(
  turns: readonly { text: string; calls: readonly { name: string; args: string; outcome: ToolResult }[]; note: string | undefined }[],
) {
  const past = turns.map(({ text, calls, note }, at): Past => {
    const made = calls.map(({ name, args }, n) => call(name, args, `c${at}-${n}`));
    return { message: { role: "assistant", text, calls: made }, results: calls.map((one) => one.outcome), note };
  });
  const entries: JournalEntry[] = [
    { kind: "opening", messages: OPENING },
    ...past.flatMap(({ message, results, note }, at): JournalEntry[] => [
      { kind: "turn", turn: at + 1, message, usage: { input: 1, output: 1, cached: 0 }, model: "m" },
      ...message.calls.map((one, n): JournalEntry => ({
        kind: "tool-result",
        turn: at + 1,
        callId: one.id,
        tool: one.name,
        result: results[n] ?? ok(""),
      })),
      ...(note === undefined ? [] : [{ kind: "note", turn: at + 1, text: note } as const]),
    ]),
  ];
  return { past, entries };
}

describe("a compaction", () => {
  it("keeps request, verdicts, written files, notes and the newest turn, in an order that both wires take, within the window", () => {
    fc.assert(
      fc.property(fc.array(pastTurn, { minLength: 1, maxLength: 60, size: "max" }), (turns) => {
        const { past, entries } = historyOf(turns);
        const compactor = createCompactor({ window: WINDOW, definitions: [], isWrite });
        const fold = startFold(entries);
        for (;;) {
          const due = compactor.due(fold.read(), compactor.sizeOf(toMessages(fold.read())));
          if (due === undefined) break;
          entries.push({ kind: "compacted", turn: due.turn, text: due.digest() });
        }
        const { compacted } = fold.read();
        const messages = toMessages(fold.read());
        expect(messages.slice(0, OPENING.length)).toEqual(OPENING);
        expect(strictProblem(toChatMessages(messages))).toBeUndefined();
        expect(() => toResponsesInput(messages)).not.toThrow();
        expect(tokensOf({ messages, tools: [] })).toBeLessThanOrEqual(WINDOW);

        const left = compacted?.turn ?? 0;
        const said = messages
          .map((message) => [message.text, ...(message.role === "assistant" ? message.calls.map((one) => one.arguments) : [])].join("\n"))
          .join("\n");
        for (const [at, { message, results, note }] of past.entries()) {
          const isThere = messages.includes(message);
          expect(isThere).toBe(at >= left);
          if (isThere) for (const result of results) expect(said).toContain(renderToolResult(result));
          for (const [n, { name, arguments: raw }] of message.calls.entries()) {
            const result = results[n] ?? ok("");
            if (result.status === "blocked") expect(said).toContain(renderToolResult(result));
            const path = /"path":"(src\/[^"]*)"/.exec(raw)?.[1];
            if (isWrite(name) && result.status === "ok" && path !== undefined) expect(said).toContain(path);
          }
          if (note !== undefined) expect(said).toContain(note.split("\n", 1)[0]);
        }
        expect(messages.slice(-1 - (past.at(-1)?.message.calls.length ?? 0))).toContain(
          past.at(-1)?.note === undefined ? past.at(-1)?.message : messages.at(-1),
        );
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it("is not due while the request fits, nor when only the newest turn is left", () => {
    const { entries } = historyOf([
      { text: "", calls: [{ name: "read_file", args: "{}", outcome: ok("r".repeat(60_000)) }], note: undefined },
    ]);
    const compactor = createCompactor({ window: WINDOW, definitions: [], isWrite });
    const history = startFold(entries).read();
    expect(compactor.due(history, 1000)).toBeUndefined();
    expect(compactor.due(history, 60_000)).toBeUndefined();
    expect(compactor.afterRefusal(history, 60_000, true)).toBeUndefined();
  });

  it("comes earlier once the server has counted shorter tokens", () => {
    const turns = Array.from({ length: 10 }, () => ({
      text: "",
      calls: [{ name: "read_file", args: "{}", outcome: ok("r".repeat(2000)) }],
      note: undefined,
    }));
    const compactor = createCompactor({ window: WINDOW, definitions: [], isWrite });
    const history = startFold(historyOf(turns).entries).read();
    const size = compactor.sizeOf(toMessages(history));
    expect(compactor.due(history, size)).toBeUndefined();
    compactor.learn(size, { input: size / 2, output: 1, cached: 0 });
    expect(compactor.due(history, size)).toBeDefined();
  });
});

describe("a long conversation", () => {
  const look = tool("look", ({ n }) => ok(`start of ${String(n)} ${"x".repeat(3000)} end of ${String(n)}`));
  const windowed = (script: Parameters<typeof scripted>[0], window = WINDOW) => ({ ...scripted(script), contextWindow: window });

  it("is sent in the same bytes by a run that is resumed, and with a growing beginning between two compactions", async () => {
    const play = async (journal = memoryJournal(), from = 0, turns = 30) => {
      let turn = from - 1;
      const model = windowed(() => (++turn < turns ? callTo("look", { n: turn }) : say("Done.")));
      await hold({ model, journal, tools: [look] });
      return { model, journal };
    };
    const { model, journal } = await play();
    const sent = model.requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)));
    let changes = 0;
    for (const [at, request] of sent.slice(1).entries()) {
      const before = sent[at] ?? [];
      if (JSON.stringify(request.slice(0, before.length)) !== JSON.stringify(before)) changes++;
    }
    const compactions = journal.entries.filter(({ kind }) => kind === "compacted").length;
    expect(compactions).toBeGreaterThan(1);
    expect(changes).toBe(compactions);

    // The process dies after a compaction, before the request that it was made for.
    const at = journal.entries.findLastIndex(({ kind }) => kind === "compacted");
    const earlier = journal.entries.slice(0, at + 1);
    const done = earlier.filter(({ kind }) => kind === "turn").length;
    const resumed = await play(memoryJournal(JSON.parse(JSON.stringify(earlier)) as JournalEntry[]), done);
    expect(resumed.model.requests[0]?.messages.map((message) => JSON.stringify(message))).toEqual(sent[done]);
  });

  describe("with summaries", () => {
    const isSummary = ({ tools, messages }: ModelRequest): boolean =>
      tools.length === 0 && /about to be taken out/.test(messages[0]?.text ?? "");
    const rows: readonly [string, Parameters<typeof scripted>[0] | ReturnType<typeof answer> | Error, boolean][] = [
      ["given", say("It looked at many."), true],
      ["refused", answer({ refusal: "No." }), false],
      ["cut off", answer({ text: "It loo", cut: "length" }), false],
      ["empty", say(" "), false],
      ["failing", new ModelError("model-overloaded", "busy"), false],
    ];
    it.each(rows)("loses nothing when one is %s", async (_name, summary, isThere) => {
      const journal = memoryJournal();
      let turn = -1;
      const model = windowed((request) => {
        if (isSummary(request)) return summary as ReturnType<typeof answer>;
        return ++turn < 12 ? callTo("look", { n: turn }) : say("Done.");
      });
      const conversation = await hold({ model, journal, tools: [look], compaction: "summary" });
      expect(conversation).toMatchObject({ end: "stop", turns: 13 });
      const rows = journal.entries.flatMap((entry) => (entry.kind === "compacted" ? [entry] : []));
      expect(rows.length).toBeGreaterThan(0);
      for (const { text } of rows) {
        expect(text).toContain("1. look(n=0): ok,");
        expect(text.includes("It looked at many.")).toBe(isThere);
      }
      // What the summaries used counts as used.
      const asked = summary instanceof Error ? 0 : rows.length;
      expect(conversation.usage.input).toBe(100 * (13 + asked));
    });
  });

  it("of 300 turns stays within its window at every turn", async () => {
    const window = 16_000;
    const sizes: number[] = [];
    let turn = -1;
    const model = windowed((request) => {
      sizes.push(tokensOf(request));
      turn++;
      return turn < 300 ? callTo("look", { n: turn }) : say("Done.");
    }, window);
    const budget = { maxTurns: 1000, maxMinutes: 20, maxTokens: 1e9 };
    expect(await hold({ model, tools: [look], budget })).toMatchObject({ end: "stop", turns: 301 });
    expect(sizes).toHaveLength(301);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(window);
    // It is no use to send next to nothing either.
    expect(Math.min(...sizes.slice(20))).toBeGreaterThan(window / 5);
  });
});
