import { describe, expect, test } from "vitest";
import { SallyportError } from "../../../src/core/errors.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { say } from "../agent/doubles.ts";
import { FILES, openBench, REPOSITORY } from "./bench.ts";
import { edit, open, ownPulls } from "./play.ts";

/** What the engine gives as the reason when its process stops. */
const stopped = (): Error => new SallyportError("stopping", { code: "engine-stopped" });

describe("a thread", () => {
  test("that is locked is tried once, also by later attempts", async () => {
    await using bench = await openBench({ script: [] });
    const { number } = bench.github.addIssue(REPOSITORY, { title: "locked", locked: true });
    const run = bench.ask("fix this", number);
    const onIssue = { ...run, request: { ...run.request, thread: { kind: "issue", number } as const } };
    const journal = memoryJournal();
    for (const attempt of [1, 2]) expect(await bench.attempt(onIssue, { journal, attempt })).toBe("failed");
    expect(bench.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/comments"))).toHaveLength(1);
  });

  test("whose comment was deleted meanwhile does not undo what was done", async () => {
    await using bench = await openBench({ script: [edit(), open(), say("ok")] });
    bench.github.fault({ match: `PATCH /repos/${REPOSITORY}/issues/comments/*`, respond: { status: 404, body: { message: "Not Found" } } });
    expect(await bench.attempt(bench.ask("fix this"))).toBe("done");
    expect(ownPulls(bench)).toHaveLength(1);
  });

  test("never stays at working, even when the gate holds back all words", async () => {
    await using bench = await openBench({ script: (_, turn) => (turn > 0 ? say("") : say(`The key is ghp_${"a1B2".repeat(9)}.`)) });
    const run = bench.ask("what is the key?");
    expect(await bench.attempt(run)).toBe("done");
    const [comment] = bench.comments(run);
    expect(comment).toMatch(/^\*\*done\*\* — .*The answer itself was held back by the gate\.[\s\S]*state=done/);
    expect(comment).not.toContain("a1B2");
  });
});

describe("a process that stops", () => {
  test.each([
    ["before the run is let in", "POST /repos/*/*/issues/comments/*/reactions"],
    ["while the comment is made", "POST /repos/*/*/issues/*/comments"],
    ["while the branch is made", "POST /repos/*/*/git/refs"],
    ["while the pull request is made", "POST /repos/*/*/pulls"],
    ["while the last words are written", "PATCH /repos/*/*/issues/comments/*"],
  ])("%s reports nothing, and the next one finishes the run", async (_, match) => {
    await using bench = await openBench({ script: [edit(), open(), say("ok")] });
    const run = bench.ask("fix this");
    const stopping = new AbortController();
    bench.github.fault({ match, times: 1, run: () => stopping.abort(stopped()), respond: "hang" });
    const journal = memoryJournal();
    await expect(bench.attempt(run, { journal, signal: stopping.signal })).rejects.toThrow("stopping");
    for (const body of bench.comments(run)) expect(body).toMatch(/^\*\*working\*\*/);
    expect(await bench.workspaces().catch(() => [])).toEqual([]);
    expect(await bench.attempt(run, { journal, attempt: 2 })).toBe("done");
    expect(ownPulls(bench)).toMatchObject([{ draft: false }]);
    expect(bench.comments(run)).toMatchObject([expect.stringMatching(/^\*\*done\*\*/)]);
  });

  test("while the rest of the work is published leaves that to the next one", async () => {
    await using bench = await openBench({ script: [edit(), say("ok")] });
    const run = bench.ask("fix this");
    const stopping = new AbortController();
    bench.github.fault({ match: "POST /repos/*/*/git/refs", times: 1, run: () => stopping.abort(stopped()), respond: "hang" });
    const journal = memoryJournal();
    await expect(bench.attempt(run, { journal, signal: stopping.signal })).rejects.toThrow("stopping");
    expect(journal.entries.filter((entry) => entry.kind === "phase" && entry.phase === "publish")).toEqual([]);
    expect(await bench.attempt(run, { journal, attempt: 2 })).toBe("done");
    expect(ownPulls(bench)).toMatchObject([{ draft: true }]);
  });
});

test("time that was used up while no process was there ends the run, and keeps its work", async () => {
  await using bench = await openBench({ script: (_, turn) => (turn === 0 ? edit() : say("I had not finished.")) });
  const run = bench.ask("fix this");
  const stopping = new AbortController();
  const journal = memoryJournal();
  const { append } = journal;
  const stopsAfterEdit = {
    ...journal,
    append: async (...row: Parameters<typeof append>) => (
      await append(...row),
      row[0].kind === "tool-result" && stopping.abort(stopped()),
      undefined
    ),
  };
  await expect(bench.attempt(run, { journal: stopsAfterEdit, signal: stopping.signal })).rejects.toThrow("stopping");
  const long = journal.entries.map((entry) =>
    entry.kind === "phase" && entry.phase === "check-out" ? { ...entry, result: { startedAt: Date.now() - 3_600_000 } } : entry,
  );
  expect(await bench.attempt(run, { journal: { ...memoryJournal(long), blob: journal.blob }, attempt: 2 })).toBe("out-of-budget");
  expect(ownPulls(bench)).toMatchObject([{ draft: true }]);
  expect(bench.comments(run)[0]).toMatch(/^\*\*out of budget\*\* — The limit max_minutes was reached/);
});

test("an attempt that was overtaken in the same process does not take the workspace away from the next one", async () => {
  const [firstIsHeld, secondIsHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using bench = await openBench({
    script: async (_, turn) => {
      if (turn === 1) await (bench.model.requests.length === 2 ? firstIsHeld : secondIsHeld).promise;
      return [edit(), open(), say("ok")][turn] ?? say("");
    },
  });
  const run = bench.ask("fix this");
  const journal = memoryJournal();
  const lost = new AbortController();
  const first = bench.attempt(run, { journal, signal: lost.signal });
  await expect.poll(() => bench.model.requests.length, { timeout: 25_000 }).toBe(2);
  const second = bench.attempt(run, { journal: { ...memoryJournal(journal.entries), blob: journal.blob }, attempt: 2 });
  await expect.poll(() => bench.model.requests.length, { timeout: 25_000 }).toBe(3);
  // The second is at work in its workspace when the first ends, and cleans up.
  lost.abort(new Error("taken over"));
  firstIsHeld.resolve();
  await expect(first).rejects.toThrow("taken over");
  secondIsHeld.resolve();
  expect(await second).toBe("done");
  const [pull] = ownPulls(bench);
  expect(bench.github.fileAt(REPOSITORY, pull?.headSha ?? "", "README.md")).toBe(FILES["README.md"]);
  expect(await bench.workspaces()).toEqual([]);
});

test("what cannot be mended ends the run at once, in words that name no place of the host", async () => {
  await using bench = await openBench({ script: [] });
  bench.github.fault({ match: /git-upload-pack/, respond: { status: 404, body: "Not Found" } });
  const run = bench.ask("fix this");
  expect(await bench.attempt(run)).toBe("failed");
  const [comment = ""] = bench.comments(run);
  expect(comment).toMatch(/^\*\*failed\*\* — .*was not found while fetching commit/);
  expect(comment).not.toContain("/tmp/");
});

test("a run that is given up says so, and what it has published", async () => {
  await using bench = await openBench({ script: [edit(), open(), say("ok")] });
  const run = bench.ask("fix this");
  const journal = memoryJournal();
  const never = bench.github.fault({ match: "PATCH /repos/*/*/issues/comments/*", respond: { status: 500 } });
  await expect(bench.attempt(run, { journal })).rejects.toThrow(/gave no clear answer/);
  never();
  await bench.abandon(run, journal, new Error("ENOENT: /srv/secret/place"));
  const [comment, ...more] = bench.comments(run);
  expect(more).toEqual([]);
  expect(comment).toMatch(/^\*\*failed\*\* — Something went wrong inside the bot\. .* Opened #2\.[\s\S]*state=failed/);
  expect(comment).not.toContain("/srv");
}, 60_000);
