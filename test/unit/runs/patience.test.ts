import { expect, test } from "vitest";
import { pauseBefore } from "../../../src/runs/patience.ts";
import { isOutage } from "../../../src/store/outage.ts";

test("the pauses before twelve tries outlast a primary limit, and none is longer than ten minutes but for what GitHub asks", () => {
  const pauses = Array.from({ length: 11 }, (_, tries) => pauseBefore(tries + 1, 0));
  expect(pauses.slice(0, 4)).toEqual([5, 15, 45, 135]);
  expect(Math.max(...pauses)).toBe(600);
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(3_600);
  expect(pauseBefore(1, 3_601)).toBe(3_601);
  expect(pauseBefore(1_000, 0)).toBe(600);
});

test.each([
  [Object.assign(new Error("the database system is shutting down"), { code: "57P03" }), true],
  [Object.assign(new Error("cannot execute INSERT in a read-only transaction"), { code: "25006" }), true],
  [Object.assign(new Error("could not extend file"), { code: "53100" }), true],
  [Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" }), true],
  [new AggregateError([Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" })]), true],
  [new Error("Connection terminated unexpectedly"), true],
  [new Error("Query read timeout"), true],
  [Object.assign(new Error("duplicate key"), { code: "23505" }), false],
  [Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }), false],
  [new Error("broken"), false],
  ["57P03", false],
])("%s tells of an outage of the database: %s", (error, expected) => {
  expect(isOutage(error)).toBe(expected);
});
