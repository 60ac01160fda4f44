import { describe, expect, it } from "vitest";
import { gitTools } from "../../../../src/tools/git/git-tools.ts";
import type { GitAnswer } from "../../../../src/workspace/workspace.ts";
import { answerOf, contextFor, folderWorkspace } from "../folder-workspace.ts";

/** Calls a git tool over a store that answers this, and says what the store was asked. */
async function play(name: string, args: object, answer: GitAnswer = { ok: true, text: "answer\n" }) {
  const asked: object[] = [];
  const ask = (question: object) => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  const tool = gitTools.find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const workspace = folderWorkspace({}, { diff: ask, show: ask, log: ask, blame: ask });
  return { text: await answerOf(tool, args, contextFor({ workspace })), asked };
}

describe("the git tools", () => {
  it.each([
    ["git_diff", {}, {}],
    ["git_diff", { base: "main", path: "./src/" }, { base: "main", path: "src" }],
    ["git_show", { rev: "HEAD", path: "a.txt" }, { rev: "HEAD", path: "a.txt" }],
    ["git_show", { rev: "HEAD~1^{tree}" }, { rev: "HEAD~1^{tree}" }],
    ["git_log", {}, { limit: 20 }],
    ["git_log", { limit: 5, path: "." }, { limit: 5 }],
    ["git_blame", { path: "./a.txt" }, { path: "a.txt" }],
    ["git_blame", { path: "a.txt", start_line: 3, end_line: 7, rev: "HEAD~1" }, { path: "a.txt", start: 3, end: 7, rev: "HEAD~1" }],
  ])("%s %j asks the store %j and shows its answer", async (name, args, question) => {
    expect(await play(name, args)).toEqual({ text: "answer\n", asked: [question] });
  });

  it.each([
    ["git_show", { rev: "--output=/tmp/x" }, /^\[error\] .*"rev" is no revision/],
    ["git_show", { rev: "HEAD --all" }, /^\[error\] .*"rev" is no revision/],
    ["git_show", { rev: "" }, /^\[error\] .*"rev" must not be empty/],
    ["git_diff", { base: "-p" }, /^\[error\] .*"base" is no revision/],
    ["git_diff", { path: "../x" }, /^\[error\] The path .*dot segment/],
    ["git_log", { path: ".git" }, /^\[error\] The path .*git's own folder/],
    ["git_blame", { path: "../x" }, /^\[error\] The path .*dot segment/],
    ["git_blame", { path: "a.txt", rev: "--contents=/etc/passwd" }, /^\[error\] .*"rev" is no revision/],
    ["git_blame", { path: "a.txt", start_line: 0 }, /^\[error\] .*"start_line"/],
    ["git_blame", {}, /^\[error\] .*"path"/],
    ["git_log", { limit: "many" }, /^\[error\] .*"limit" must be a number/],
  ])("%s %j is refused before the store is asked", async (name, args, expected) => {
    const { text, asked } = await play(name, args);
    expect(text).toMatch(expected);
    expect(asked).toEqual([]);
  });

  it.each([
    ["git_diff", {}, "(no difference)"],
    ["git_show", { rev: "HEAD" }, "(empty)"],
    ["git_log", {}, "(no commits)"],
    ["git_blame", { path: "empty.txt" }, "(no lines)"],
  ])("%s says when there is nothing", async (name, args, expected) => {
    expect((await play(name, args, { ok: true, text: "" })).text).toBe(expected);
  });

  it("passes on why there is no answer", async () => {
    expect((await play("git_show", { rev: "nothing" }, { ok: false, why: "nothing names no commit here." })).text).toBe(
      "[error] nothing names no commit here.",
    );
  });

  it("cuts a long answer between lines and says so", async () => {
    const { text } = await play("git_diff", {}, { ok: true, text: "+a line of a diff\n".repeat(5000) });
    const [, shown] = /diff\n\[the first (\d+) of 5000 lines; name a path to see the others\]$/.exec(text) ?? [];
    expect(text.split("\n").length - 1).toBe(Number(shown));
    expect(Buffer.byteLength(text)).toBeLessThan(31_000);
  });
});
