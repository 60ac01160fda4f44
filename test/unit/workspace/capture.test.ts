import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureEnds } from "../../../src/workspace/sandbox/capture.ts";

function capture(limit: number, chunks: readonly Uint8Array[]): ReturnType<ReturnType<typeof captureEnds>["result"]> {
  const kept = captureEnds(limit);
  for (const chunk of chunks) kept.push(Buffer.from(chunk));
  return kept.result();
}

describe("captured output", () => {
  test.each([
    ["nothing", 10, [], "", 0],
    ["less than the limit", 10, ["abc", "def"], "abcdef", 0],
    ["exactly the limit", 6, ["abcd", "ef"], "abcdef", 0],
    ["one byte more", 6, ["abcdefg"], "abcdfg", 1],
    ["head and tail of many chunks", 4, ["ab", "cd", "ef", "gh"], "abch", 4],
    ["a character cut by the head's end", 6, ["ab🍎cdefgh"], "abgh", 8],
    ["a character cut by the tail's start", 6, ["abcdef🍎x"], "abcdx", 6],
  ] as const)("keeps %s", (_, limit, chunks, output, omittedBytes) => {
    expect(
      capture(
        limit,
        chunks.map((chunk) => Buffer.from(chunk)),
      ),
    ).toMatchObject({ output, omittedBytes });
  });

  test("joins a character that arrives in two chunks", () => {
    const bytes = Buffer.from("ü🍎");
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(capture(100, [bytes.subarray(0, cut), bytes.subarray(cut)]).output).toBe("ü🍎");
    }
  });

  test("is the ends of well-formed text, however it was cut into chunks", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }).map((text) => text.replaceAll("\ufffd", "")),
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (text, limit, step) => {
          const bytes = Buffer.from(text);
          const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
            bytes.subarray(index * step, (index + 1) * step),
          );
          const { output, omittedBytes } = capture(limit, chunks);
          expect(Buffer.byteLength(output) + omittedBytes).toBe(bytes.length);
          expect(Buffer.byteLength(output)).toBeLessThanOrEqual(limit);
          expect(output).not.toContain("\ufffd");
          if (omittedBytes === 0) expect(output).toBe(text);
          else expect(bytes.length).toBeGreaterThan(limit);
        },
      ),
    );
  });

  test("holds little more than the limit while much passes through", () => {
    const kept = captureEnds(1000);
    const chunk = Buffer.alloc(65_536, "x");
    for (let round = 0; round < 500; round += 1) kept.push(chunk);
    expect(kept.result()).toEqual({ output: "x".repeat(1000), omittedBytes: 500 * 65_536 - 1000, omittedAt: 750 });
  });
});
