import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Journal } from "../../../src/core/journal.ts";
import { callTo, say } from "../agent/doubles.ts";
import { KilledError, mortal, openBench, REPOSITORY, type Bench } from "./bench.ts";

let bench: Bench;
let asked = 0;
/** Pushes to the head branch of the run under way, once. */
let moves = (): void => undefined;
beforeAll(async () => {
  bench = await openBench({
    script(_, turn) {
      if (turn === 1) moves();
      const write = callTo("write_file", { path: `made-${asked}.txt`, content: "made\n" }, "write");
      return [write, callTo("gh_commit_changes", { message: "Make it" }, "commit"), say("Made.")][turn] ?? say("");
    },
  });
});
afterAll(() => bench[Symbol.asyncDispose]());

/** A run on a new pull request, whose head moves while the model works and once more when the run is taken up again. */
async function playOn(journal: Journal, again?: () => Journal) {
  asked += 1;
  const { github } = bench;
  const head = `feature-${asked}`;
  github.push(REPOSITORY, head, { [`${head}.txt`]: "1\n" });
  const { number } = github.openPull(REPOSITORY, { title: head, user: "alice", head });
  let times = 0;
  moves = () => {
    if (times === 0) github.push(REPOSITORY, head, { [`theirs-${asked}.txt`]: "theirs\n" });
    times += 1;
  };
  const run = bench.ask("make it", number);
  if (again === undefined) expect(await bench.attempt(run, { journal })).toBe("done");
  else {
    await expect(bench.attempt(run, { journal })).rejects.toThrow(KilledError);
    github.push(REPOSITORY, head, { [`later-${asked}.txt`]: "later\n" });
    expect(await bench.attempt(run, { journal: again(), attempt: 2 })).toBe("done");
  }
  const at = (path: string) => github.fileAt(REPOSITORY, head, path);
  return { head, made: at(`made-${asked}.txt`), theirs: at(`theirs-${asked}.txt`), later: at(`later-${asked}.txt`) };
}

test(
  "a replayed commit is made once, upon whatever was pushed meanwhile, wherever the process is killed",
  { timeout: 240_000 },
  async () => {
    const journal = memoryJournal();
    expect(await playOn(journal)).toMatchObject({ made: "made\n", theirs: "theirs\n" });
    const kinds = journal.entries.map(({ kind }) => kind);
    const first = kinds.indexOf("replayed");
    const last = kinds.indexOf("published");
    expect(kinds.slice(first, last + 1)).toEqual(["replayed", "decision", "intent", "outcome", "published"]);
    for (let row = first; row <= last + 1; row += 1) {
      for (const when of ["before", "after"] as const) {
        // After any other row nothing happens before the next one that would make a difference.
        if (when === "after" && kinds[row] !== "intent") continue;
        const mortalJournal = mortal(row, when);
        const what = `row ${row}, ${when}`;
        const seen = await playOn(mortalJournal, () => mortalJournal.survivor());
        expect(seen, what).toMatchObject({ made: "made\n", theirs: "theirs\n", later: "later\n" });
        const commits = bench.github.requests.filter(({ body }) => JSON.stringify(body ?? "").includes(`"branchName":"${seen.head}"`));
        expect(commits.length, what).toBeLessThanOrEqual(2);
        expect(
          bench.github.branches(REPOSITORY).filter((name) => name.startsWith("sallyport")),
          what,
        ).toEqual([]);
      }
    }
  },
);
