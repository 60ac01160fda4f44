import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { createRepair, type TestRun } from "../../../src/agent/repair.ts";
import { testsSentence } from "../../../src/runs/tests-note.ts";

const note = (text: string): JournalEntry => ({ kind: "note", turn: 1, text });
const snapshot: JournalEntry = { kind: "snapshot", turn: 1, entries: [] };
const PASSED = note("[auto_test] `npm test` passed.");

test.each<readonly [string, readonly JournalEntry[], string | undefined]>([
  ["have not run", [snapshot, note("[budget] 80 % is used")], undefined],
  ["could not be run", [note("[auto_test] The tests could not be run: no sandbox")], undefined],
  ["passed", [snapshot, PASSED], "Tests: `npm test` passed."],
  ["passed before the last change", [PASSED, snapshot], "Tests: `npm test` passed before the last change."],
  [
    "failed first and passed then",
    [note("[auto_test] `npm test` failed with exit code 1. Output:\n\nx"), snapshot, PASSED],
    "Tests: `npm test` passed.",
  ],
  [
    "failed as before",
    [
      note(
        "[auto_test] `npm test` failed with exit code 1. It failed in the same way before the change, so the change is not to blame. Output:",
      ),
    ],
    "Tests: `npm test` failed with exit code 1, as before the change.",
  ],
  [
    "failed otherwise before",
    [note("[auto_test] `npm test` failed with exit code 1. It failed before the change too, in another way. Output:")],
    "Tests: `npm test` failed with exit code 1, as before the change in another way.",
  ],
  ["are claimed by a text that is none of the loop's", [note("`npm test` passed.")], undefined],
])("tests that %s", (_, entries, expected) => {
  expect(testsSentence({ entries })).toBe(expected);
});

test.each<readonly [Partial<TestRun>, string]>([
  [{ exitCode: 0 }, "passed"],
  [{ exitCode: 3 }, "failed with exit code 3"],
  [{ exitCode: undefined, ended: "timed-out" }, "was ended at its time limit"],
  [{ exitCode: undefined, ended: "aborted" }, "was stopped"],
  [{ exitCode: undefined, ended: "signalled" }, "was ended by a signal"],
])("what the repair loop says of %j is understood, whatever the command holds", async (run, said) => {
  const command = "make `echo x`. check";
  const repair = createRepair({
    maxAttempts: 3,
    runTests: () => Promise.resolve({ command, exitCode: 0, output: "out", ended: "exited", ...run }),
  });
  const entries = [note((await repair.run()) ?? "")];
  expect(testsSentence({ entries })).toBe(`Tests: \`\`make \`echo x\`. check\`\` ${said}.`);
});
