import { describe, expect, test } from "vitest";
import { outOfOrder, overlapsOf, type Interval } from "../../bench/intervals.ts";

const at = (run: string, thread: number, began: number, ended: number): Interval => ({ run, thread, began, ended });

describe("runs at work", () => {
  test.each([
    { name: "one after the other", intervals: [at("a", 1, 0, 5), at("b", 1, 5, 9)], pairs: [] },
    { name: "at once in two threads", intervals: [at("a", 1, 0, 5), at("b", 2, 1, 4)], pairs: [] },
    { name: "at once in one thread, told in any order", intervals: [at("b", 1, 4, 9), at("a", 1, 0, 5)], pairs: ["ab"] },
    {
      name: "within a long one, the second behind a short one",
      intervals: [at("a", 1, 0, 9), at("b", 1, 1, 2), at("c", 1, 3, 4)],
      pairs: ["ab", "ac"],
    },
    { name: "that are one run taken twice at once", intervals: [at("a", 1, 0, 5), at("a", 1, 1, 6)], pairs: ["aa"] },
  ])("$name", ({ intervals, pairs }) => {
    expect(overlapsOf(intervals).map((pair) => pair.map(({ run }) => run).join(""))).toEqual(pairs);
  });

  test("are out of order where an older one of the thread comes later", () => {
    const intervals = [at("b", 1, 0, 1), at("a", 1, 2, 3), at("c", 1, 4, 5), at("d", 2, 0, 1)];
    expect(outOfOrder(intervals, ["d", "a", "b", "c"]).map(({ run }) => run)).toEqual(["b"]);
    expect(outOfOrder(intervals, ["b", "a", "c", "d"])).toEqual([]);
  });
});
