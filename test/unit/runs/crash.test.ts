import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { answer, callTo, say } from "../agent/doubles.ts";
import { FILES, KilledError, mortal, openBench, REPOSITORY, type Bench } from "./bench.ts";

const FIX = [
  callTo("edit_file", { path: "src/sum.js", old_string: "a - b", new_string: "a + b" }, "edit"),
  callTo("gh_create_pr", { title: "Make sum add", body: "It subtracted." }, "open"),
  callTo("gh_comment_issue", { number: 1, body: "A pull request is there." }, "comment"),
  say("`sum` adds now."),
];
/** Rows of the journal of an undisturbed run, found by the first test. */
const ROWS = 33;

/** After any other row nothing happens before the next one that would make a difference. */
const isTried = (when: "before" | "after", row: number): boolean => when === "before" || kinds[row] === "intent";

let kinds: readonly string[] = [];
let bench: Bench;
const turns = new Map<string, number>();
beforeAll(async () => {
  bench = await openBench({
    script(request, turn) {
      // The third call names the run's own thread, which differs from run to run.
      const [, number = "1"] = /#(\d+)/.exec(request.messages.map(({ text }) => text).join("\n")) ?? [];
      const run = `${number}/${turn}`;
      turns.set(run, (turns.get(run) ?? 0) + 1);
      if (turn !== 2) return FIX[turn] ?? say("");
      return answer({
        calls: [
          {
            id: "comment",
            name: "gh_comment_issue",
            arguments: JSON.stringify({ number: Number(number), body: "A pull request is there." }),
          },
        ],
      });
    },
  });
});
afterAll(() => bench[Symbol.asyncDispose]());

describe("a run whose process is killed", () => {
  test(`writes ${ROWS} rows when it is left alone`, async () => {
    const journal = memoryJournal();
    expect(await bench.attempt(bench.ask("fix this"), { journal })).toBe("done");
    expect(journal.entries).toHaveLength(ROWS);
    kinds = journal.entries.map(({ kind }) => kind);
  });

  test.each(["before", "after"] as const)(
    "%s any row is stored (after: any intent) is finished once by the next process",
    { timeout: 300_000 },
    async (when) => {
      for (let row = 0; row < ROWS; row += 1) {
        if (!isTried(when, row)) continue;
        const run = bench.ask("fix this");
        const { number } = run.request.thread;
        const journal = mortal(row, when);
        const what = `row ${row}`;
        await expect(bench.attempt(run, { journal }), what).rejects.toThrow(KilledError);
        expect(await bench.attempt(run, { journal: journal.survivor(), attempt: 2 }), what).toBe("done");

        const { github } = bench;
        const branches = github.branches(REPOSITORY).filter((name) => name.startsWith(`sallyport/${number}-`));
        expect(branches, what).toHaveLength(1);
        const pulls = github.pulls(REPOSITORY).filter(({ headRef }) => headRef === branches[0]);
        expect(pulls, what).toMatchObject([{ title: "Make sum add", draft: false }]);
        const head = pulls[0]?.headSha ?? "";
        expect(github.fileAt(REPOSITORY, head, "src/sum.js"), what).toBe(FILES["src/sum.js"].replace("a - b", "a + b"));
        const [own, ...told] = bench.comments(run);
        expect(own, what).toMatch(new RegExp(`^\\*\\*done\\*\\* — Opened #${pulls[0]?.number}\\.[\\s\\S]*state=done`));
        expect(told, what).toHaveLength(1);
      }
      expect(await bench.workspaces()).toEqual([]);
    },
  );

  test("is not asked again what the model has answered", () => {
    // Only the question whose answer had not been stored is put again, and each row is killed twice.
    expect(Math.max(...turns.values())).toBeLessThanOrEqual(2);
  });
});
