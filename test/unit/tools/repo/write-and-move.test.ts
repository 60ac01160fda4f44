import { chmodSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deleteFile } from "../../../../src/tools/repo/delete-file.ts";
import { moveFile } from "../../../../src/tools/repo/move-file.ts";
import { writeFile } from "../../../../src/tools/repo/write-file.ts";
import { ALLOW, answerOf, contextFor, decided, folderWorkspace, textAt } from "../folder-workspace.ts";

const blockPath = (blocked: string) => (path: string) => (path === blocked ? decided("block", "protected-paths") : ALLOW);
const containment = () => decided("block", "containment", "it leaves the repository");

describe("write_file", () => {
  it.each([
    ["a new file in new folders", "new/deep/file.txt", "made\n", "Wrote new/deep/file.txt (new, 5 bytes)."],
    ["over a file", "a.txt", "new\r\n", "Wrote a.txt (5 bytes, before 4)."],
    ["nothing into a file", "a.txt", "", "Wrote a.txt (0 bytes, before 4)."],
  ])("writes %s as it is given", async (_, path, content, expected) => {
    const workspace = folderWorkspace({ "a.txt": "old\n" });
    expect(await answerOf(writeFile, { path, content }, contextFor({ workspace }))).toBe(expected);
    expect(textAt(workspace, path)).toBe(content);
  });

  it("says when a file holds exactly that already, and asks nobody", async () => {
    const workspace = folderWorkspace({ "a.txt": "old\n" });
    const context = contextFor({ workspace, judge: blockPath("a.txt") });
    expect(await answerOf(writeFile, { path: "a.txt", content: "old\n" }, context)).toBe(
      "a.txt holds exactly this already; nothing was written.",
    );
  });

  it("writes to the file of that name in another Unicode form, so that no double appears", async () => {
    const workspace = folderWorkspace({ "docs/u\u0308ber.md": "eins\n" });
    await answerOf(writeFile, { path: "docs/\u00fcber.md", content: "zwei\n" }, contextFor({ workspace }));
    expect(textAt(workspace, "docs/u\u0308ber.md")).toBe("zwei\n");
    expect((await workspace.list("docs", 1)).length).toBe(1);
  });

  it("restores the invisible characters of a file that was read and is written back", async () => {
    const workspace = folderWorkspace({ "he.json": '{"x":"a\u200f!"}\n' });
    await answerOf(writeFile, { path: "he.json", content: '{"x":"b⟦U+200F⟧!", "y":"⟦U+202E⟧"}\n' }, contextFor({ workspace }));
    expect(textAt(workspace, "he.json")).toBe('{"x":"b\u200f!", "y":"⟦U+202E⟧"}\n');
  });

  it("answers a folder with an error", async () => {
    const workspace = folderWorkspace({ "src/a.ts": "" });
    expect(await answerOf(writeFile, { path: "src", content: "x" }, contextFor({ workspace }))).toMatch(/^\[error\] src is a folder/);
  });

  it.each(["../outside.txt", "/etc/cron.d/x", "\\\\host\\share\\x", "~/.npmrc", "src/../../x", ".git/config", "con", "a.txt "])(
    "shows %s to the door as it is",
    async (path) => {
      const seen: string[] = [];
      const judge = (asked: string) => {
        seen.push(asked);
        return containment();
      };
      expect(await answerOf(writeFile, { path, content: "x" }, contextFor({ judge }))).toMatch(/^\[blocked\] containment: /);
      expect(seen).toEqual([path]);
    },
  );

  it("shows a path with dots to the door without them, and writes where the door looked", async () => {
    const workspace = folderWorkspace();
    const seen: string[] = [];
    const judge = (asked: string) => {
      seen.push(asked);
      return ALLOW;
    };
    await answerOf(writeFile, { path: "./src/./a.ts", content: "x" }, contextFor({ workspace, judge }));
    expect(seen).toEqual(["src/a.ts"]);
    expect(textAt(workspace, "src/a.ts")).toBe("x");
  });
});

describe("delete_file", () => {
  it("deletes through the door", async () => {
    const workspace = folderWorkspace({ "a.txt": "x" });
    expect(await answerOf(deleteFile, { path: "a.txt" }, contextFor({ workspace }))).toBe("Deleted a.txt.");
    expect(textAt(workspace, "a.txt")).toBeUndefined();
  });

  it("leaves what the door holds", async () => {
    const workspace = folderWorkspace({ "a.txt": "x" });
    expect(await answerOf(deleteFile, { path: "a.txt" }, contextFor({ workspace, judge: blockPath("a.txt") }))).toMatch(
      /^\[blocked\] protected-paths: /,
    );
    expect(textAt(workspace, "a.txt")).toBe("x");
  });

  it.each([
    ["a missing file", "nothing", /^\[error\] There is no file nothing\. Did you mean near\.txt\?/],
    ["a folder", "src", /^\[error\] src is a folder/],
    ["a path outside", "../a", /^\[blocked\] containment: /],
    ["a link", "link", /^\[blocked\] containment: /],
  ])("answers %s", async (_, path, expected) => {
    const workspace = folderWorkspace({ "src/a.ts": "" });
    symlinkSync("/etc/passwd", join(workspace.directory, "link"));
    expect(await answerOf(deleteFile, { path }, contextFor({ workspace, judge: containment }))).toMatch(expected);
  });
});

describe("move_file", () => {
  it("moves into a new folder and has both names judged", async () => {
    const workspace = folderWorkspace({ "docs/old.md": "old\n" });
    const seen: string[] = [];
    const judge = (path: string, bytes: Uint8Array | undefined) => {
      seen.push(`${bytes === undefined ? "delete" : "add"} ${path}`);
      return ALLOW;
    };
    expect(await answerOf(moveFile, { from: "docs/old.md", to: "new/new.md" }, contextFor({ workspace, judge }))).toBe(
      "Moved docs/old.md to new/new.md.",
    );
    expect(seen).toEqual(["add new/new.md", "delete docs/old.md"]);
    expect([textAt(workspace, "docs/old.md"), textAt(workspace, "new/new.md")]).toEqual([undefined, "old\n"]);
  });

  it("keeps the mode, and the deletion is still judged with the file in its place", async () => {
    const workspace = folderWorkspace({ "run.sh": "#!/bin/sh\n" });
    chmodSync(join(workspace.directory, "run.sh"), 0o755);
    const seen: (string | undefined)[] = [];
    const judge = (_: string, bytes: Uint8Array | undefined) => {
      if (bytes === undefined) seen.push(textAt(workspace, "run.sh"));
      return ALLOW;
    };
    await answerOf(moveFile, { from: "run.sh", to: "bin/run.sh" }, contextFor({ workspace, judge }));
    expect(seen).toEqual(["#!/bin/sh\n"]);
    expect(statSync(join(workspace.directory, "bin/run.sh")).mode & 0o777).toBe(0o755);
    expect(textAt(workspace, "run.sh")).toBeUndefined();
  });

  it.each([
    ["the new name", "b.txt", 0o644],
    ["the old name", "a.txt", 0o644],
    ["the new name of an executable", "b.txt", 0o755],
    ["the old name of an executable", "a.txt", 0o755],
  ])("leaves everything as it was when the door holds %s", async (_, held, mode) => {
    const workspace = folderWorkspace({ "a.txt": "x" });
    chmodSync(join(workspace.directory, "a.txt"), mode);
    const answer = await answerOf(moveFile, { from: "a.txt", to: "b.txt" }, contextFor({ workspace, judge: blockPath(held) }));
    expect(answer).toMatch(/^\[blocked\] protected-paths: /);
    expect([textAt(workspace, "a.txt"), textAt(workspace, "b.txt")]).toEqual(["x", undefined]);
    expect(statSync(join(workspace.directory, "a.txt")).mode & 0o777).toBe(mode);
  });

  it.each([
    ["over a file", "a.txt", "docs/old.md", /^\[error\] docs\/old\.md exists already; move_file never overwrites/],
    ["onto itself", "a.txt", "./a.txt", /^\[error\] a\.txt exists already/],
    ["onto a folder", "a.txt", "docs", /^\[error\] docs is a folder; name the file in it/],
    ["a missing file", "nothing", "x", /^\[error\] There is no file nothing/],
    ["a folder", "docs", "x", /^\[error\] docs is a folder/],
    ["from outside", "../a.txt", "x", /^\[blocked\] containment: /],
    ["to outside", "a.txt", "../x", /^\[blocked\] containment: /],
  ])("refuses to move %s", async (_, from, to, expected) => {
    const workspace = folderWorkspace({ "a.txt": "alpha\n", "docs/old.md": "old\n" });
    const judge = (path: string) => (path.startsWith("..") ? containment() : ALLOW);
    expect(await answerOf(moveFile, { from, to }, contextFor({ workspace, judge }))).toMatch(expected);
    expect([textAt(workspace, "a.txt"), textAt(workspace, "docs/old.md")]).toEqual(["alpha\n", "old\n"]);
  });
});
