import * as fc from "fast-check";
import { expect, it } from "vitest";
import { shareReading } from "../../../src/runs/shared-reading.ts";

/** Reads that are counted, on a clock of the test's own. */
function stage() {
  let now = 0;
  let reads = 0;
  const shared = shareReading(() => now);
  return {
    shared,
    reads: () => reads,
    wait: (ms: number) => void (now += ms),
    of: (key: string) => shared.of(key, async () => `${key} ${(reads += 1)}`),
  };
}

it("what several ask for at once is read once", async () => {
  const { of, reads } = stage();
  expect(await Promise.all([of("a"), of("a"), of("b"), of("a")])).toEqual(["a 1", "a 1", "b 2", "a 1"]);
  expect(reads()).toBe(2);
});

it("an answer is handed on for half a minute, and then read anew", async () => {
  const { of, wait } = stage();
  await of("a");
  wait(29_999);
  expect(await of("a")).toBe("a 1");
  wait(1);
  expect(await of("a")).toBe("a 2");
});

it("what failed is told to all who asked for it, and read anew by the next", async () => {
  const { shared } = stage();
  const failing = () => shared.of("a", () => Promise.reject(new Error("no answer")));
  const asked = [failing(), failing()];
  for (const one of asked) await expect(one).rejects.toThrow("no answer");
  expect(await shared.of("a", () => Promise.resolve("there"))).toBe("there");
});

it("a failure that comes late takes no newer answer away", async () => {
  const { shared, wait } = stage();
  const late = Promise.withResolvers<string>();
  const first = shared.of("a", () => late.promise);
  wait(30_000);
  expect(await shared.of("a", () => Promise.resolve("newer"))).toBe("newer");
  late.reject(new Error("late"));
  await expect(first).rejects.toThrow("late");
  expect(await shared.of("a", () => Promise.resolve("newest"))).toBe("newer");
});

it("of more than two hundred answers the oldest are forgotten, and of fewer none", async () => {
  const { of, reads } = stage();
  for (let at = 0; at < 201; at += 1) await of(`${at}`);
  await of("200");
  await of("1");
  expect(reads()).toBe(201);
  await of("0");
  expect(reads()).toBe(202);
});

it("no key is ever answered with what another one's reading gave, or with what is older than half a minute", async () => {
  const asks = fc.array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "")), fc.nat(40_000)), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(asks, async (given) => {
      let now = 0;
      const shared = shareReading(() => now);
      for (const [key, later] of given) {
        now += later;
        const answer = await shared.of(key, async () => ({ key, at: now }));
        expect(answer.key).toBe(key);
        expect(now - answer.at).toBeLessThan(30_000);
      }
    }),
  );
});
