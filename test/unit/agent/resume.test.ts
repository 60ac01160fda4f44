import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Journal, JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { ok } from "../../../src/core/result.ts";
import { startFold } from "../../../src/agent/history.ts";
import type { ModelAnswer } from "../../../src/model/model.ts";
import { answer, call, contextFor, hold, messagesOf, resultsOf, say, scripted, tool, writer } from "./doubles.ts";

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

interface Asked {
  /** Requests by how many turns they held. */
  readonly byTurn: readonly number[];
  readonly ran: readonly string[];
  readonly journal: Journal;
}

/** Runs a script to its end, with a crash at one append; then resumes it. */
async function runWithCrash(script: readonly ModelAnswer[], at: number, durable: boolean): Promise<Asked & { readonly crashed: boolean }> {
  const ran: string[] = [];
  const model = scripted((_request, turn) => script[turn] ?? say("Done."));
  const spied = (name: string): ReturnType<typeof tool> =>
    tool(name, (args, { callId }) => {
      ran.push(callId);
      if (args["throws"] === true) throw new Error("it failed");
      return ok(`did ${JSON.stringify(args)}`);
    });
  const write = writer();
  const tools = [
    spied("look"),
    { ...write, call: (args: unknown, context: never) => (ran.push((context as { callId: string }).callId), write.call(args, context)) },
  ];
  const opened: number[] = [];
  const options = (journal: Journal): Parameters<typeof hold>[0] => ({
    model,
    journal,
    tools,
    contextFor: (id) => contextFor(id),
    snapshot: (turn) => journal.append({ kind: "snapshot", turn, entries: [] }),
    repair: () => Promise.resolve("[auto_test] `npm test` passed."),
    opening: () => Promise.resolve([{ role: "user", text: `The request, opened ${opened.push(1)} times.` }]),
  });
  let journal = crashing([], at, durable);
  let crashed = false;
  try {
    await hold(options(journal));
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    crashed = true;
    journal = memoryJournal(journal.entries);
    await hold(options(journal));
  }
  const byTurn: number[] = [];
  for (const { messages } of model.requests) {
    const turn = messages.filter(({ role }) => role === "assistant").length;
    byTurn[turn] = (byTurn[turn] ?? 0) + 1;
  }
  return { byTurn, ran, journal, crashed };
}

const SCRIPT: readonly ModelAnswer[] = [
  answer({ text: "Look.", calls: [call("look", { a: 1 }), call("look", { throws: true })] }),
  answer({
    calls: [call("write_file", { path: "a" }), call("write_file", { path: "b" })],
    broken: [{ call: call("look", '{"cut'), why: "cut" }],
  }),
  say(""),
  answer({ text: "Half", cut: "length" }),
  say("Done."),
];

describe("a run that crashed at any append and is resumed", () => {
  it("asks for no finished turn again and runs no finished call again", async () => {
    const whole = await runWithCrash(SCRIPT, Number.POSITIVE_INFINITY, true);
    const appends = whole.journal.entries.length;
    expect(whole.byTurn).toEqual([1, 1, 1, 1, 1]);
    for (let at = 1; at <= appends; at++) {
      const entry = whole.journal.entries[at - 1];
      const after = await runWithCrash(SCRIPT, at, true);
      expect(after.crashed).toBe(true);
      expect(after.byTurn, `after append ${at}`).toEqual(whole.byTurn);
      // A write whose workspace was stored is not made again even when its result was lost; nothing else ran twice either.
      expect(after.ran.toSorted(), `after append ${at}`).toEqual(whole.ran.toSorted());

      const before = await runWithCrash(SCRIPT, at, false);
      const lost = entry?.kind === "turn" ? entry.turn - 1 : -1;
      expect(before.byTurn, `before append ${at}`).toEqual(whole.byTurn.map((times, turn) => (turn === lost ? times + 1 : times)));
      expect(messagesOf(before.journal)).toEqual(messagesOf(whole.journal));
    }
  });

  it("has one opening, one result for each call, and says of a lost result that it is lost", async () => {
    const whole = await runWithCrash(SCRIPT, Number.POSITIVE_INFINITY, true);
    const stored = whole.journal.entries.findIndex(({ kind }) => kind === "snapshot");
    const { journal } = await runWithCrash(SCRIPT, stored + 1, true);
    expect(resultsOf(journal)).toHaveLength(resultsOf(whole.journal).length);
    expect(resultsOf(journal)[2]?.text).toMatch(/output was lost, its changes to the workspace are kept/);
    expect(journal.entries.filter(({ kind }) => kind === "opening")).toHaveLength(1);
  });

  it("ends at once with the same end when it had ended", async () => {
    const whole = await runWithCrash(SCRIPT, Number.POSITIVE_INFINITY, true);
    const model = scripted([]);
    expect(await hold({ model, journal: whole.journal })).toMatchObject({ end: "stop", text: "Done." });
    expect(model.requests).toEqual([]);
  });
});

describe("any history", () => {
  const word = fc.string({ unit: "binary", maxLength: 12 });
  const id = fc.constantFrom("c1", "c2", "", "a b", "x".repeat(50));
  const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom("look", "write_file") }, { weight: 1, arbitrary: word });
  const toolCall = fc.record({ id, name, arguments: fc.json().filter((text) => text.startsWith("{")) });
  const brokenCall = fc.record({ call: fc.record({ id, name, arguments: fc.oneof(word, fc.json()) }), why: fc.constant("half") });
  const turn = fc
    .record({
      text: word,
      calls: fc.array(toolCall, { maxLength: 3 }),
      broken: fc.array(brokenCall, { maxLength: 2 }),
      cut: fc.option(fc.constantFrom("length" as const, "content-filter" as const), { nil: undefined }),
      refusal: fc.option(word, { nil: undefined, freq: 20 }),
    })
    .map(({ cut, refusal, ...rest }) => answer({ ...rest, ...(cut && { cut }), ...(refusal !== undefined && { refusal }) }));

  // The model double refuses every request that is not legal, so a run that ends has sent legal ones only.
  it("gives legal requests and exactly one result for each call, wherever it crashed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), fc.boolean(), async (script, at, durable) => {
        const { byTurn, journal } = await runWithCrash(script, at, durable);
        const { turns } = startFold(journal.entries).read();
        for (const { message, results } of turns) expect([...results.keys()]).toEqual(message.calls.map(({ id }) => id));
        const ids = turns.flatMap(({ message }) => message.calls.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(byTurn.reduce((sum, times) => sum + times - 1, 0)).toBeLessThanOrEqual(durable ? 0 : 1);
        expect(journal.entries.filter(({ kind }) => kind === "tool-result")).toHaveLength(ids.length);
      }),
      { numRuns: 150 },
    );
  });
});
