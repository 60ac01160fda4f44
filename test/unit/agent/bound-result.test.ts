import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundResult } from "../../../src/agent/bound-result.ts";
import { orAbandon } from "../../../src/agent/abandon.ts";

const bytes = (text: string): number => Buffer.byteLength(text);

describe("a result's text", () => {
  it.each([
    ["short", "abc"],
    ["just within the limit", "x".repeat(62_000)],
    ["just within the limit in many-byte characters", "é".repeat(31_000)],
  ])("stays as it is: %s", (_name, text) => expect(boundResult(text)).toBe(text));

  it("that is too large keeps its head and its tail and says how much was left out", () => {
    const bounded = boundResult(`head ${"x".repeat(200_000)} tail`);
    expect(bounded).toMatch(/^head x+\n\[… \d+ of 200010 bytes left out here.*\]\nx+ tail$/);
  });

  it("is never over 64 kB nor cut within a character", () => {
    const unit = fc.constantFrom("a", "é", "日", "😀", "\n");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 60_000 }), (units, times) => {
        const text = units.join("").repeat(times);
        const bounded = boundResult(text);
        expect(bytes(bounded)).toBeLessThanOrEqual(62_000);
        expect(bounded.isWellFormed() && !bounded.includes("\uFFFD")).toBe(true);
        const [, left = ""] = /\[… (\d+) of /.exec(bounded) ?? [];
        const notice = /\n\[… .* …\]\n/.exec(bounded)?.[0] ?? "";
        if (left !== "") expect(bytes(bounded) - bytes(notice) + Number(left)).toBe(bytes(text));
      }),
      { numRuns: 40 },
    );
  });
});

describe("what ignores its signal", () => {
  const never = new Promise<never>(() => {});
  it("is abandoned when the signal aborts, or has aborted", async () => {
    const controller = new AbortController();
    const settled = orAbandon(never, controller.signal, 5);
    controller.abort();
    expect(await settled).toEqual({ done: false });
    expect(await orAbandon(never, controller.signal, 5)).toEqual({ done: false });
  });

  it("is heard when it answers or fails within the grace", async () => {
    const aborted = AbortSignal.abort();
    expect(await orAbandon(Promise.resolve(1), aborted, 1000)).toEqual({ done: true, value: 1 });
    await expect(orAbandon(Promise.reject(new Error("late")), aborted, 1000)).rejects.toThrow("late");
  });
});
