import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOutput } from "../../../../src/tools/memory/read-output.ts";
import { answerOf, contextFor, folderWorkspace } from "../folder-workspace.ts";

const SHOWN = 30_000;

function reading(text: string, args: object = {}): Promise<string> {
  const entry = { id: "out-1", blob: "b", bytes: Buffer.byteLength(text), lines: text.split("\n").length };
  const outputs = { list: () => [entry], read: (id: string) => Promise.resolve(id === "out-1" ? text : undefined) };
  return answerOf(readOutput, { id: "out-1", ...args }, { ...contextFor({ workspace: folderWorkspace() }), outputs });
}

describe("read_output", () => {
  it.each([
    ["a range", "a\nb\nc\nd\n", { start_line: 2, end_line: 3 }, "b\nc\n[out-1, lines 2–3 of 4; read on with start_line 4]"],
    ["all that there is", "a\nb", {}, "a\nb\n[out-1, lines 1–2 of 2]"],
    ["an id that was copied with its colon", "a", { id: "out-1:" }, "a\n[out-1, lines 1–1 of 1]"],
    ["an end behind the last line", "a\nb", { start_line: 2, end_line: 9 }, "b\n[out-1, lines 2–2 of 2]"],
    ["a part of a line", "abc\nd", { start_character: 3, end_line: 1 }, "c\n[out-1, lines 1–1 of 2; read on with start_line 2]"],
    ["no line behind the end", "a\nb", { start_line: 3 }, "[error] out-1 has 2 lines; start_line 3 lies behind its end."],
    ["no range that ends before it begins", "a\nb", { start_line: 2, end_line: 1 }, "[error] end_line 1 lies before start_line 2."],
    [
      "no character behind the line",
      "ab",
      { start_character: 3 },
      "[error] Line 1 of out-1 has 2 characters; start_character 3 lies behind its end.",
    ],
    ["no other id", "a", { id: "out-9" }, '[error] There is no output "out-9" in this run. There are: out-1 (1 lines, 1 bytes).'],
  ] as const)("shows %s", async (_name, text, args, expected) => expect(await reading(text, args)).toBe(expected));

  it("says that nothing was spilled", async () => {
    expect(await answerOf(readOutput, { id: "x" }, contextFor({ workspace: folderWorkspace() }))).toBe(
      '[error] There is no output "x": no result of this run was spilled so far.',
    );
  });

  it("reads a line of 10 MB in parts that are put together without a gap", { timeout: 60_000 }, async () => {
    const text = `head\n${"0123456789".repeat(1_000_000)}\ntail`;
    const part = await reading(text, { start_line: 2, start_character: 5_000_001 });
    expect(part).toMatch(
      /\n\[out-1, line 2 of 3, characters 5000001–5030000 of 10000000; read on with start_line 2 and start_character 5030001\]$/,
    );
    expect(part.startsWith("0123456789")).toBe(true);
  });

  it("comes to the whole text when it is read on as it says, never too much at once nor within a character", async () => {
    const piece = fc.tuple(fc.constantFrom("a", "é", "🍎", "日本", "\n", "x\n"), fc.integer({ min: 1, max: 12_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
        const text = pieces.map(([unit, times]) => unit.repeat(times)).join("");
        let read = "";
        for (let [line, character] = [1, 1]; ;) {
          const answer = await reading(text, { start_line: line, start_character: character });
          expect(answer.isWellFormed()).toBe(true);
          const [footer = ""] = /\n\[out-1, [^\]]*\]$/.exec(answer) ?? [];
          const shown = answer.slice(0, -footer.length);
          expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(SHOWN);
          const next = /start_line (\d+)(?: and start_character (\d+))?/.exec(footer);
          read += next?.[2] === undefined ? `${shown}\n` : shown;
          if (next === null) break;
          [line, character] = [Number(next[1]), Number(next[2] ?? 1)];
        }
        expect(read).toBe(text.endsWith("\n") ? text : `${text}\n`);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
