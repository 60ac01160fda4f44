import { describe, expect, it } from "vitest";
import { createRepair, type TestRun } from "../../../src/agent/repair.ts";

const run = (parts: Partial<TestRun> = {}): TestRun => ({
  command: "npm test",
  exitCode: 1,
  output: "1 failing",
  ended: "exited",
  ...parts,
});

function repairOf(
  tests: readonly (TestRun | undefined)[],
  maxAttempts = 10,
): { repair: ReturnType<typeof createRepair>; started: () => number } {
  let started = 0;
  return { repair: createRepair({ runTests: () => Promise.resolve(tests[started++]), maxAttempts }), started: () => started };
}

describe("the repair loop's note", () => {
  it.each([
    ["passed", run({ exitCode: 0, output: "noise" }), /^\[auto_test\] `npm test` passed\.$/, true],
    ["failed", run({ exitCode: 2 }), /^\[auto_test\] `npm test` failed with exit code 2\. Output:\n\n1 failing$/, false],
    ["out of time", run({ exitCode: undefined, ended: "timed-out" }), /was ended at its time limit/, false],
    ["exit code 0 but ended by us", run({ exitCode: 0, ended: "timed-out" }), /was ended at its time limit/, false],
    ["stopped", run({ exitCode: undefined, ended: "aborted" }), /was stopped/, false],
    ["killed", run({ exitCode: undefined, ended: "signalled" }), /was ended by a signal/, false],
    ["silent", run({ output: " \u001b[31m\u001b[0m\n" }), /\(no output\)$/, false],
  ])("says by the exit code how the tests stand: %s", async (_name, tests, note, passed) => {
    const { repair } = repairOf([tests]);
    expect(await repair.run()).toMatch(note);
    expect(repair.lastVerdict()).toMatchObject({ command: "npm test", passed, runs: 1, outdated: false });
  });

  it("keeps head and tail of a long output within about 4 kB", async () => {
    const { repair } = repairOf([run({ output: `first ${"x".repeat(100_000)} last` })]);
    const note = (await repair.run()) ?? "";
    expect(note).toMatch(/first x+\n\[… 96011 characters left out …\]\nx+ last$/);
    expect(note.length).toBeLessThan(4300);
  });

  it("is none, and there is no verdict, where no test command is known", async () => {
    const { repair } = repairOf([undefined]);
    expect(await repair.run()).toBeUndefined();
    expect(repair.lastVerdict()).toBeUndefined();
  });
});

describe("the repair loop", () => {
  it("gives up on the same failure three times in a row, whatever its durations, times, hashes and temporary names", async () => {
    const { repair, started } = repairOf([
      run({ output: "sum is 3 not 4 (12ms) at 3f2a9c1d in /tmp/a1\n# duration_ms 12.5" }),
      run({ output: "\u001b[31msum is 3 not 4\u001b[0m (1.5 s) at 77aa9c1e in /tmp/b2\n# duration_ms 1\n" }),
      run({ output: "sum is 3 not 4 (120 ms) at 77aa9c1f in /tmp/c3\n# duration_ms 7.75" }),
      run(),
    ]);
    await repair.run();
    expect(await repair.run()).toMatch(/the same failure as before/);
    expect(await repair.run()).toMatch(/same failure 3 times in a row; the tests are not run by themselves any more/);
    expect(await repair.run()).toBeUndefined();
    expect(started()).toBe(3);
    expect(repair.lastVerdict()).toMatchObject({ passed: false, runs: 3, outdated: true });
  });

  it("counts anew when another failure or a success comes in between", async () => {
    const { repair, started } = repairOf([
      run(),
      run(),
      run({ output: "2 failing" }),
      run(),
      run(),
      run({ exitCode: 0 }),
      run(),
      run(),
      run(),
    ]);
    for (let n = 0; n < 9; n++) expect(await repair.run()).toBeDefined();
    expect(started()).toBe(9);
  });

  it("stops after its attempts, and passing runs are none", async () => {
    const { repair } = repairOf([run(), run({ exitCode: 0 }), run({ output: "b" }), run({ exitCode: 0 })], 2);
    await repair.run();
    await repair.run();
    expect(await repair.run()).toMatch(/last of 2 tries/);
    expect(await repair.run()).toBeUndefined();
  });
});

describe("how the tests stood before the change", () => {
  const before = (answer: TestRun | undefined) => {
    const asked: TestRun[] = [];
    const runBefore = (failed: TestRun) => {
      asked.push(failed);
      return Promise.resolve(answer);
    };
    return { asked, repair: createRepair({ runTests: () => Promise.resolve(run()), maxAttempts: 10, runBefore }) };
  };

  it.each([
    [
      "in the same way",
      run({ output: "1 failing" }),
      /failed with exit code 1\. It failed in the same way before the change, so the change is not to blame/,
    ],
    ["in another way", run({ output: "7 failing" }), /\. It failed before the change too, in another way\. Output:/],
    ["not at all", run({ exitCode: 0 }), /\. It passed before the change\. Output:/],
    ["in a way that nobody knows", undefined, /failed with exit code 1\. Output:/],
  ])("is told when they failed %s", async (_, answer, note) => {
    expect(await before(answer).repair.run()).toMatch(note);
  });

  it("is asked once, and remembered", async () => {
    const { asked, repair } = before(run());
    await repair.run();
    expect(await repair.run()).toMatch(/in the same way before the change/);
    expect(asked).toHaveLength(1);
  });

  it("is not asked for tests that pass", async () => {
    const runBefore = () => Promise.reject(new Error("not asked"));
    const repair = createRepair({ runTests: () => Promise.resolve(run({ exitCode: 0 })), maxAttempts: 1, runBefore });
    expect(await repair.run()).toBe("[auto_test] `npm test` passed.");
  });
});

it("counts the failures of earlier attempts at the run", async () => {
  const earlierNotes = ["[auto_test] `npm test` failed with exit code 1. Output:\n\nx", "[auto_test] `npm test` passed.", "[budget] 80 %"];
  const repair = createRepair({ runTests: () => Promise.resolve(run()), maxAttempts: 2, earlierNotes });
  expect(await repair.run()).toMatch(/the last of 2 tries/);
  expect(await repair.run()).toBeUndefined();
});
