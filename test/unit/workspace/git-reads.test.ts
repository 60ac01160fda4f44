import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "./git-host.ts";
import type { TestTree } from "./git-host.ts";
import { makeOrigin, openTestOrigin } from "./opened.ts";
import type { Opened } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

/** Commit n changes `n.txt`, and every tenth `tenth.txt` too. */
const versions = (count: number): TestTree[] =>
  Array.from({ length: count }, (_, index) => ({
    "n.txt": `${index}\n`,
    "tenth.txt": `${index - (index % 10)}\n`,
    ".gitattributes": "*.txt diff=evil\n",
  }));

const twelve = makeOrigin(temporary.path, versions(12));
const lines = makeOrigin(temporary.path, [{ "lines.txt": "one\ntwo\n" }, { "lines.txt": "one\ntwo\nthree\nfour\n" }]);
const ninety = makeOrigin(temporary.path, versions(90));

async function answerOf(asked: ReturnType<Opened["workspace"]["git"]["show"]>): Promise<string> {
  const answer = await asked;
  return answer.ok ? answer.text : `no: ${answer.why}`;
}

describe("history comes when it is asked for", () => {
  test("a check-out holds one commit; the log brings what it needs", async () => {
    await using opened = await openTestOrigin(temporary.path, ninety);
    const { git } = opened.workspace;
    const held = async () => Number(await opened.store.git.text(["rev-list", "--count", opened.commit], { gitDir: opened.store.gitDir }));
    expect(await held()).toBe(1);
    const log = await answerOf(git.log({ limit: 3 }));
    expect(log.match(/^ {4}commit \d+$/gm)).toEqual(["    commit 89", "    commit 88", "    commit 87"]);
    expect(await held()).toBeLessThan(90);
    const asked = opened.host.requests.length;
    expect(await answerOf(git.log({ limit: 20 }))).toContain("commit 70");
    expect(opened.host.requests).toHaveLength(asked);
  });

  test("the log of a path goes back as far as it must, and blames no border commit", async () => {
    await using opened = await openTestOrigin(temporary.path, ninety);
    const log = await answerOf(opened.workspace.git.log({ path: "tenth.txt", limit: 4 }));
    expect(log.match(/^ {4}commit \d+$/gm)).toEqual(["    commit 80", "    commit 70", "    commit 60", "    commit 50"]);
    expect(await answerOf(opened.workspace.git.log({ path: "n.txt", limit: 500 }))).toContain("commit 0");
  });

  test.each([
    ["HEAD", undefined, /\+11\n$/],
    ["HEAD", "n.txt", /^11\n$/],
    ["@", "n.txt", /^11\n$/],
    ["HEAD~3", "n.txt", /^8\n$/],
    ["HEAD^^", undefined, /-8\n\+9\n$/],
    ["HEAD~99", undefined, /^no: .*before the first/],
    ["HEAD", "missing.txt", /^no: .*missing\.txt/],
    ["HEAD", ".", /n\.txt/],
    ["main", undefined, /^no: .*no revision/],
    ["--output=/tmp/x", undefined, /^no: .*no revision/],
    ["HEAD:n.txt", undefined, /^no: .*no revision/],
    ["HEAD", "../x", /^no: .*dot segment/],
    ["f".repeat(40), undefined, /^no: .*no commit/],
    ["abcdef0", undefined, /^no: /],
  ])("show %s %s", async (rev, path, expected) => {
    await using opened = await openTestOrigin(temporary.path, twelve);
    expect(await answerOf(opened.workspace.git.show(path === undefined ? { rev } : { rev, path }))).toMatch(expected);
  });

  test("a short id of an old commit is found", async () => {
    await using opened = await openTestOrigin(temporary.path, twelve);
    const old = opened.origin.text(["rev-parse", `${opened.commit}~7`]);
    expect(await answerOf(opened.workspace.git.show({ rev: old.slice(0, 9), path: "n.txt" }))).toBe("4\n");
  });

  test("a later check-out at depth one does not take history away from an earlier one", async () => {
    await using opened = await openTestOrigin(temporary.path, twelve);
    await opened.workspace.git.log({ limit: 12 });
    const next = opened.origin.commit({ "n.txt": "12\n" }, { parent: opened.commit });
    await opened.store.fetchCommit({ remote: opened.remote, sha: next });
    const asked = opened.host.requests.length;
    expect(await answerOf(opened.workspace.git.log({ limit: 12 }))).toContain("commit 0");
    expect(opened.host.requests).toHaveLength(asked);
  });
});

describe("blame", () => {
  test("names the commit of each line, whatever history that takes, and fetches no more than it must", async () => {
    await using opened = await openTestOrigin(temporary.path, ninety);
    const { git } = opened.workspace;
    const at = (rev: string): string => opened.origin.text(["rev-parse", "--short=10", `${opened.commit}${rev}`]);
    expect(await answerOf(git.blame({ path: "tenth.txt" }))).toMatch(new RegExp(`^${at("~9")} \\(A +\\d{4}-\\d\\d-\\d\\d 1\\) 80\n$`));
    const held = async () => Number(await opened.store.git.text(["rev-list", "--count", opened.commit], { gitDir: opened.store.gitDir }));
    expect(await held()).toBeLessThan(90);
    expect(await answerOf(git.blame({ path: ".gitattributes" }))).toMatch(new RegExp(`^${at("~89")}.* \\*\\.txt diff=evil\n$`));
    expect(await answerOf(git.blame({ path: "n.txt", rev: "HEAD~4" }))).toMatch(new RegExp(`^${at("~4")}.* 85\n$`));
  });

  test.each([
    [{ path: "lines.txt", start: 2, end: 3 }, /^\S+ \(A .* 2\) two\n\S+ \(A .* 3\) three\n$/],
    [{ path: "lines.txt", start: 3 }, / 3\) three\n\S+ .* 4\) four\n$/],
    [{ path: "lines.txt", start: 4, end: 99 }, /^\S+ .* 4\) four\n$/],
    [{ path: "lines.txt", start: 9 }, /^no: .*has only 4 lines/],
    [{ path: "lines.txt", start: 3, end: 2 }, /^no: Lines 3 to 2 are no range/],
    [{ path: "missing.txt" }, /^no: .*missing\.txt/],
    [{ path: "../lines.txt" }, /^no: .*dot segment/],
    [{ path: "lines.txt", rev: "main" }, /^no: .*no revision/],
  ])("of %j", async (asked, expected) => {
    await using opened = await openTestOrigin(temporary.path, lines);
    expect(await answerOf(opened.workspace.git.blame(asked))).toMatch(expected);
  });
});

describe("the diff", () => {
  test("shows the workspace as it is against the pinned commit or an older one, whole or by path", async () => {
    await using opened = await openTestOrigin(temporary.path, twelve);
    const { git, directory } = opened.workspace;
    expect(await answerOf(git.diff({}))).toBe("");
    writeFileSync(join(directory, "n.txt"), "edited\n");
    writeFileSync(join(directory, "new.txt"), "new\n");
    rmSync(join(directory, "tenth.txt"));
    symlinkSync("/etc/passwd", join(directory, "link"));
    const diff = await answerOf(git.diff({}));
    expect(diff).toContain("-11\n+edited\n");
    expect(diff).toContain("new file mode 120000");
    expect(diff).toContain("deleted file mode 100644");
    expect(diff).not.toContain("root:");
    expect(await answerOf(git.diff({ base: "HEAD~2", path: "n.txt" }))).toMatch(/-9\n\+edited\n$/);
    expect(await answerOf(git.diff({ base: opened.commit, path: "new.txt" }))).not.toContain("edited");
  });

  test("runs nothing that the repository names", async () => {
    await using opened = await openTestOrigin(temporary.path, twelve);
    const { directory, git } = opened.workspace;
    const mark = join(temporary.path, "pwned");
    writeFileSync(
      join(opened.store.gitDir, "config"),
      `${readFileSync(join(opened.store.gitDir, "config"), "utf8")}[diff "evil"]\n\ttextconv = touch ${mark}; cat\n\tcommand = touch ${mark}\n[diff]\n\texternal = touch ${mark}\n[core]\n\tfsmonitor = touch ${mark}\n`,
    );
    writeFileSync(join(directory, ".git"), "gitdir: /nowhere\n");
    writeFileSync(join(directory, "n.txt"), "edited\n");
    for (const asked of [git.diff({}), git.show({ rev: "HEAD" }), git.log({ limit: 2 }), git.blame({ path: "n.txt" })])
      expect(await answerOf(asked)).not.toMatch(/^no: /);
    expect(() => readFileSync(mark)).toThrow(/ENOENT/);
  });
});
