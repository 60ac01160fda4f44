import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { WriteOutcome } from "../../../src/core/result.ts";
import type { WriteStep } from "../../../src/github/step.ts";
import { onceWith } from "../../../src/runs/once.ts";

const outcome = (id: number): WriteOutcome => ({ operation: "comment", id });
const intent: JournalEntry = { kind: "intent", key: "report", operation: "comment" };
const recorded: JournalEntry = { kind: "outcome", key: "report", outcome: outcome(7) };
const other: JournalEntry[] = [
  { kind: "intent", key: "report/2", operation: "comment" },
  { kind: "outcome", key: "report/2", outcome: outcome(8) },
];

/** GitHub as the step sees it: `there` is what `find` finds; `calls` is what was asked of it. */
function stepOn(calls: string[], there?: WriteOutcome): WriteStep {
  return {
    key: "report",
    operation: "comment",
    find: () => Promise.resolve((calls.push("find"), there)),
    send: () => Promise.resolve((calls.push("send"), outcome(1))),
  };
}

describe("an effect that must happen once", () => {
  test.each([
    { name: "was never tried", earlier: [], there: undefined, calls: ["send"], answer: 1, rows: ["intent", "outcome"] },
    {
      name: "was never tried, though another was",
      earlier: other,
      there: undefined,
      calls: ["send"],
      answer: 1,
      rows: ["intent", "outcome"],
    },
    { name: "has its outcome recorded", earlier: [intent, recorded], there: outcome(9), calls: [], answer: 7, rows: [] },
    { name: "was intended and is there", earlier: [intent], there: outcome(9), calls: ["find"], answer: 9, rows: ["outcome"] },
    { name: "was intended and is not there", earlier: [intent], there: undefined, calls: ["find", "send"], answer: 1, rows: ["outcome"] },
  ])("that $name: asks $calls", async ({ earlier, there, calls, answer, rows }) => {
    const journal = memoryJournal(earlier);
    const asked: string[] = [];
    expect(await onceWith(journal)(stepOn(asked, there))).toEqual(outcome(answer));
    expect(asked).toEqual(calls);
    expect(journal.entries.slice(earlier.length).map(({ kind }) => kind)).toEqual(rows);
    // Asked again, by this attempt or a later one, nothing more happens.
    expect(await onceWith(memoryJournal(journal.entries))(stepOn(asked))).toEqual(outcome(answer));
    expect(asked).toEqual(calls);
  });

  test("is intended in the journal before it is sent", async () => {
    const journal = memoryJournal();
    const kinds: string[][] = [];
    await onceWith(journal)({
      ...stepOn([]),
      send: () => Promise.resolve((kinds.push(journal.entries.map(({ kind }) => kind)), outcome(1))),
    });
    expect(kinds).toEqual([["intent"]]);
  });

  test("is not sent when the intent cannot be written", async () => {
    const calls: string[] = [];
    const journal = { ...memoryJournal(), append: () => Promise.reject(new Error("taken over")) };
    await expect(onceWith(journal)(stepOn(calls))).rejects.toThrow("taken over");
    expect(calls).toEqual([]);
  });

  test.each(["find", "send"] as const)("leaves the intent alone in the journal when %s fails, and looks the next time", async (failing) => {
    const journal = memoryJournal([intent]);
    const broken = { ...stepOn([]), [failing]: () => Promise.reject(new Error("no answer")) };
    await expect(onceWith(journal)(broken)).rejects.toThrow("no answer");
    expect(journal.entries).toEqual([intent]);
    const calls: string[] = [];
    expect(await onceWith(journal)(stepOn(calls, outcome(9)))).toEqual(outcome(9));
    expect(calls).toEqual(["find"]);
  });

  test("is shared by two callers at once", async () => {
    const calls: string[] = [];
    const once = onceWith(memoryJournal());
    expect(await Promise.all([once(stepOn(calls)), once(stepOn(calls))])).toEqual([outcome(1), outcome(1)]);
    expect(calls).toEqual(["send"]);
  });
});
