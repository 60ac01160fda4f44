import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { failed, ok, type ToolResult } from "../../../src/core/result.ts";
import { spill, splitSpilled, spilledOutputs } from "../../../src/agent/spill.ts";
import { callTo, hold, resultsOf, say, scripted, tool } from "./doubles.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const journal = { entries: [] };
const log = (lines: number): string => Array.from({ length: lines }, (_, n) => `line ${n + 1} of the log`).join("\n");

describe("a result's text", () => {
  it.each([
    ["short", "abc", undefined],
    ["just at the threshold", "x".repeat(32_000), undefined],
    ["within its tool's own threshold", "x".repeat(50_000), 50_000],
  ])("stays as it is: %s", (_name, text, after) => expect(spill(text, { journal, after })).toEqual({ text }));

  it.each([
    ["over the usual threshold", log(3000), undefined, 12_000],
    ["over its tool's own threshold", log(40), 400, 400],
    ["over 64 kB in few characters", "日".repeat(30_000), undefined, 12_000],
    ["over 64 kB, whatever its tool says", "x".repeat(100_000), 1e9, 12_000],
    ["of one line", "x".repeat(1_000_000), undefined, 12_000],
  ])("shows its ends and how the rest is read: %s", (_name, text, after, shown) => {
    const bounded = spill(text, { journal, after });
    const lines = text.split("\n").length;
    expect(bounded.spilled?.entry).toMatchObject({ id: "out-1", lines, bytes: bytes(text) });
    expect([...(bounded.spilled?.blobs.values() ?? [])].map((content) => Buffer.from(content).toString())).toEqual([text]);
    const { body, line } = splitSpilled(bounded.text);
    expect(line).toBe(`\n[spilled] out-1: ${lines} lines, read with read_output`);
    expect(body.length).toBeLessThan(shown + 100);
  });

  it("is never over 64 kB nor cut within a character, and says truly how much was left out", () => {
    const unit = fc.constantFrom("a", "é", "日", "😀", "\n");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 60_000 }), (units, times) => {
        const text = units.join("").repeat(times);
        const bounded = spill(text, { journal });
        expect(bytes(bounded.text)).toBeLessThanOrEqual(62_000);
        expect(bounded.text.isWellFormed() && !bounded.text.includes("\uFFFD")).toBe(true);
        const [notice = "", left] = /\[… (\d+) of \d+ characters left out here …\]\n/.exec(bounded.text) ?? [];
        if (left === undefined) {
          expect(bounded.text).toBe(text);
          return;
        }
        const [head = "", tail = ""] = splitSpilled(bounded.text).body.split(notice);
        expect(text.endsWith(tail)).toBe(true);
        expect([head, head.slice(0, -1)].some((it) => text.startsWith(it) && it.length + tail.length + Number(left) === text.length)).toBe(
          true,
        );
      }),
      { numRuns: 40 },
    );
  });

  it("is stored once when it comes again, and counts once against the room of the run", () => {
    const earlier = memoryJournal();
    const store = (text: string, room: number): ReturnType<typeof spill> => {
      const bounded = spill(text, { journal: earlier, after: 10, room });
      const row = { kind: "tool-result", turn: 1, callId: "c", tool: "look", result: ok(bounded.text) } as const;
      void earlier.append(bounded.spilled === undefined ? row : { ...row, spilled: bounded.spilled.entry }, bounded.spilled?.blobs);
      return bounded;
    };
    const [first, other, again] = [store("a".repeat(60), 150), store("b".repeat(60), 150), store("a".repeat(60), 150)];
    expect(again.text).toBe(first.text);
    expect(other.spilled?.entry.id).toBe("out-2");
    const full = store("c".repeat(60), 150);
    expect(full.spilled).toBeUndefined();
    expect(full.text).toMatch(/was not kept: what this run may store of large results \(150 bytes\) is used up/);
  });
});

describe("a spilled result in a run", () => {
  const big = tool("big", ({ n }) => ok(`${String(n)} ${"x".repeat(100_000)} secret-value`));

  it("is stored whole and masked with its row, and read back after a crash", async () => {
    const kept = memoryJournal();
    const mask = (text: string): string => text.replaceAll("secret-value", "***");
    await hold({ journal: kept, tools: [big], mask, model: scripted([callTo("big", { n: 1 }), say("Done.")]) });
    const blobs = kept.blob;
    const resumed = { ...memoryJournal(JSON.parse(JSON.stringify(kept.entries)) as JournalEntry[]), blob: blobs };
    const outputs = spilledOutputs(resumed);
    expect(outputs.list()).toMatchObject([{ id: "out-1", lines: 1, bytes: 100_006 }]);
    expect(await outputs.read("out-1")).toBe(`1 ${"x".repeat(100_000)} ***`);
    expect(await outputs.read("out-2")).toBeUndefined();
    expect(resultsOf(kept)[0]?.text).not.toContain("secret-value");
  });

  it.each([
    ["that succeeds", ok],
    ["that fails", failed],
  ])("%s and comes again is seen as the same, and still ends with its line", async (_name, make) => {
    const kept = memoryJournal();
    const same = tool("same", (): ToolResult => make("y".repeat(100_000)));
    expect(await hold({ journal: kept, tools: [same], model: scripted(() => callTo("same")) })).toMatchObject({ end: "failed" });
    const texts = resultsOf(kept).map(({ text }) => text);
    expect(texts).toHaveLength(5);
    for (const text of texts) expect(text).toMatch(/\n\[spilled\] out-1: 1 lines, read with read_output$/);
    expect(texts.map((text) => text.includes("[repeated]"))).toEqual([false, false, true, true, true]);
  });
});
