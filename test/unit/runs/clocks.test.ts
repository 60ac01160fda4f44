import { expect, test } from "vitest";
import { say } from "../agent/doubles.ts";
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
