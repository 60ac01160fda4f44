import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RunState } from "../../../src/core/run.ts";
import { createMarkers } from "../../../src/github/marker.ts";

const markers = createMarkers("-----BEGIN RSA PRIVATE KEY-----");
const mark = { run: "0195-ab", state: "working", key: "run-comment/comment" } as const;

test("a marker is an HTML comment that names run and state, and is read back from any text", () => {
  const stamp = markers.stamp(mark);
  expect(stamp).toMatch(/^<!-- sallyport run=0195-ab state=working key=run-comment\/comment sig=[0-9a-f]{32} -->$/);
  expect(markers.read(`Plan:\r\n- a\n\n${stamp}\n`)).toEqual(mark);
});

test.for(["queued", "working", "done", "blocked", "waiting", "failed", "cancelled", "out-of-budget"] as const)(
  "state %s goes both ways",
  (state) => {
    expect(markers.read(markers.stamp({ run: "r", state }))).toEqual({ run: "r", state });
  },
);

test.for([
  ["somebody else's secret", createMarkers("other").stamp(mark)],
  ["another run", markers.stamp(mark).replace("0195-ab", "0195-ac")],
  ["another state", markers.stamp(mark).replace("state=working", "state=done")],
  ["another key", markers.stamp(mark).replace("run-comment", "other")],
  ["no key", markers.stamp(mark).replace(" key=run-comment/comment", "")],
  ["no signature", "<!-- sallyport run=0195-ab state=working -->"],
  ["a state that does not exist", markers.stamp(mark).replace("working", "merged")],
  ["no marker", "working"],
] as const)("with %s a marker counts for nothing", ([, body]) => {
  expect(markers.read(body)).toBeUndefined();
});

test("an authentic marker counts beside forged ones", () => {
  expect(markers.read(createMarkers("other").stamp({ run: "x", state: "done" }) + markers.stamp(mark))).toEqual(mark);
});

test.for(["", "a b", "a-->b", "a--b", "x\n", "ü"])("a run named %j cannot be stamped", (run) => {
  expect(() => markers.stamp({ run, state: "done" })).toThrow("cannot stand in a marker");
});

test("no text that was not stamped reads as a marker, and none ends the comment early", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom<RunState>("done", "failed"), (run, state) => {
      const forged = `<!-- sallyport run=${run} state=${state} sig=${"0".repeat(32)} -->`;
      expect(markers.read(forged)).toBeUndefined();
      let stamp: string;
      try {
        stamp = markers.stamp({ run, state });
      } catch {
        return;
      }
      expect(stamp.indexOf("--", 4)).toBe(stamp.length - 3);
      expect(markers.read(stamp)).toEqual({ run, state });
    }),
  );
});
