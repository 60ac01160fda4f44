import { expect, test, vi } from "vitest";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { callTo, say } from "../agent/doubles.ts";
import { openBench } from "./bench.ts";

const HOUR = 3_600_000;

// The database says when a run was made, and GitHub when a comment was.
test("a comment whose answer was lost is found also by a database whose clock is an hour ahead of GitHub's", async () => {
  await using bench = await openBench({ script: [say("ok")] });
  bench.github.fault({ match: "POST /repos/*/*/issues/*/comments", times: 1, respond: { status: 502 }, after: true });
  const run = { ...bench.ask("explain this"), createdAt: new Date(Date.now() + HOUR) };
  expect(await bench.attempt(run)).toBe("done");
  expect(bench.comments(run)).toMatchObject([expect.stringMatching(/^\*\*done\*\*/)]);
});

test("a run that a machine with another clock goes on with has as much time left as before", async () => {
  const killed = new AbortController();
  const journal = memoryJournal();
  await using bench = await openBench({
    settings: { max_minutes: 60 },
    script: (_, turn) => (turn === 0 ? callTo("list_files", { path: "." }) : say("It subtracts.")),
  });
  const run = bench.ask("explain this");
  const kill: typeof journal.append = async (entry, blobs) => {
    await journal.append(entry, blobs);
    if (entry.kind === "tool-result") killed.abort(new Error("the process is no more"));
  };
  await expect(bench.attempt(run, { journal: { ...journal, append: kill }, signal: killed.signal })).rejects.toThrow("no more");

  const now = vi.spyOn(Date, "now").mockImplementation(() => Math.round(performance.timeOrigin + performance.now()) + 3 * HOUR);
  try {
    expect(await bench.attempt({ ...run, clockAheadMs: -3 * HOUR }, { journal, attempt: 2 })).toBe("done");
  } finally {
    now.mockRestore();
  }
  expect(bench.comments(run)).toMatchObject([expect.stringMatching(/^\*\*done\*\*[\s\S]*It subtracts\./)]);
});
