import { execFileSync } from "node:child_process";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { answer, call, say } from "../agent/doubles.ts";
import { REPOSITORY, TESTED } from "./bench.ts";
import { edit, FIXED, open, ownBranches, ownPulls, play, shell } from "./play.ts";

const pipe = (path: string): void => void execFileSync("mkfifo", [path]);

describe("what a command left in the workspace that no commit can hold", () => {
  const LEFT: readonly [string, (directory: string) => void][] = [
    ["a pipe", (directory) => pipe(join(directory, "left"))],
    ["a hard link", (directory) => (writeFileSync(join(directory, "new"), "x"), linkSync(join(directory, "new"), join(directory, "left")))],
  ];

  test.each(LEFT)("%s holds the change back at publishing, is named, and can be taken away", async (_, leave) => {
    const turns = [edit(), shell("leave"), open("first"), shell("clean", "clean"), open("second"), say("ok")];
    await using played = await play({
      script: turns,
      sandbox({ command, workspace }) {
        if (command === "leave") leave(workspace);
        else for (const name of ["left", "new"]) rmSync(join(workspace, name), { force: true });
      },
    });
    expect(played.bench.model.requests[3]?.messages.at(-1)?.text).toMatch(/^\[blocked\] workspace: .*left/s);
    expect(played.end).toBe("done");
    expect(ownPulls(played.bench)).toHaveLength(1);
  });

  test.each(LEFT)("%s that nobody takes away ends the run as blocked, with the path and the reason", async (_, leave) => {
    await using played = await play({ script: [edit(), shell(), say("ok")], sandbox: ({ workspace }) => leave(workspace) });
    expect(played.end).toBe("blocked");
    expect(played.comment).toMatch(/^\*\*blocked\*\* — The gate held the change back/);
    expect(played.comment).toMatch(/\*\*held back\*\* `workspace` in `(left|new)`/);
    expect(ownBranches(played.bench)).toEqual([]);
    // The work itself is kept.
    expect(played.journal.entries.findLast(({ kind }) => kind === "snapshot")).toMatchObject({ entries: [{ path: "src/sum.js" }] });
  });

  test("does not matter to a run that changed nothing else", async () => {
    await using played = await play({ script: [shell(), say("It adds.")], sandbox: ({ workspace }) => pipe(join(workspace, "left")) });
    expect(played).toMatchObject({ end: "done", comment: expect.stringContaining("Answered on #1; nothing was changed.") });
  });
});

describe("what a test run does to the workspace", () => {
  test.each<[string, (directory: string) => void]>([
    [
      "files that it makes, changes and deletes",
      (directory) => {
        writeFileSync(join(directory, "garbage.txt"), "x");
        writeFileSync(join(directory, "src/sum.js"), "overwritten");
        rmSync(join(directory, "README.md"));
      },
    ],
    [
      "pipes and second names",
      (directory) => {
        pipe(join(directory, "test.sock"));
        linkSync(join(directory, "src/sum.js"), join(directory, "src/again.js"));
      },
    ],
  ])("%s are not published, and its outcome is told all the same", async (_, leave) => {
    await using played = await play({
      files: TESTED,
      script: [edit(), open(), say("ok")],
      sandbox: ({ workspace }) => (leave(workspace), "all fine"),
    });
    const { bench, end, comment } = played;
    const [pull] = ownPulls(bench);
    const head = pull?.headSha ?? "";
    for (const [path, content] of Object.entries({ ...TESTED, "src/sum.js": FIXED }))
      expect(bench.github.fileAt(REPOSITORY, head, path)).toBe(content);
    for (const path of ["garbage.txt", "test.sock", "src/again.js"]) expect(bench.github.fileAt(REPOSITORY, head, path)).toBeUndefined();
    expect(end).toBe("done");
    expect(pull?.body).toContain("Tests: `npm test` passed.");
    expect(comment).toContain("Tests: `npm test` passed.");
  });

  test("that is still under way when the run's time is used up is ended before anything is published", async () => {
    let isOver = false;
    await using played = await play({
      files: TESTED,
      settings: { max_minutes: 0.03 },
      script: (_, turn) => (turn === 0 ? edit() : say("Not finished.")),
      async sandbox({ workspace, signal }) {
        writeFileSync(join(workspace, "garbage.txt"), "x");
        await sleep(60_000, undefined, { signal }).catch(() => sleep(200));
        writeFileSync(join(workspace, "more.txt"), "x");
        isOver = true;
        throw new Error("ended");
      },
    });
    expect(isOver).toBe(true);
    expect(played.end).toBe("out-of-budget");
    expect(played.comment).toMatch(
      /^\*\*out of budget\*\* — The limit max_minutes was reached\. What was not published yet stands in the draft #2\./,
    );
    const head = ownPulls(played.bench)[0]?.headSha ?? "";
    expect(played.bench.github.fileAt(REPOSITORY, head, "garbage.txt")).toBeUndefined();
    expect(played.bench.github.fileAt(REPOSITORY, head, "src/sum.js")).toBe(FIXED);
  });

  test("does not speak for a change that came after it", async () => {
    const both = answer({
      calls: [
        call("edit_file", { path: "README.md", old_string: "Widgets", new_string: "Our widgets" }, "second"),
        call("gh_create_pr", { title: "Both", body: "" }, "open"),
      ],
    });
    await using played = await play({ files: TESTED, script: [edit(), both, say("ok")], sandbox: () => "fine" });
    expect(ownPulls(played.bench)[0]?.body).toContain("Tests: `npm test` passed before the last change.");
    expect(played.comment).toContain("Tests: `npm test` passed.");
  });
});
