import { describe, expect, it } from "vitest";
import { editFile } from "../../../../src/tools/repo/edit-file.ts";
import { readFile } from "../../../../src/tools/repo/read-file.ts";
import { answerOf, contextFor, decided, folderWorkspace, textAt } from "../folder-workspace.ts";

const change = (path: string, old_string: string, new_string: string, more: object = {}) => ({ path, old_string, new_string, ...more });

describe("edit_file", () => {
  it("changes what it names and says where", async () => {
    const workspace = folderWorkspace({ "a.txt": "one\ntwo\ntwo\n" });
    const context = contextFor({ workspace });
    expect(await answerOf(editFile, change("a.txt", "one", "1"), context)).toBe("Edited a.txt: 1 replacement at line 1.");
    expect(await answerOf(editFile, change("./a.txt", "two", "2", { replace_all: true }), context)).toBe(
      "Edited a.txt: 2 replacements from line 2 on.",
    );
    expect(textAt(workspace, "a.txt")).toBe("1\n2\n2\n");
  });

  it("answers a refused edit with an error, and asks the door nothing", async () => {
    const workspace = folderWorkspace({ "a.txt": "x\nx\n" });
    const context = contextFor({
      workspace,
      judge: () => {
        throw new Error("the door was asked");
      },
    });
    expect(await answerOf(editFile, change("a.txt", "x", "y"), context)).toMatch(
      /^\[error\] a\.txt was not changed: old_string stands 2 times/,
    );
    expect(textAt(workspace, "a.txt")).toBe("x\nx\n");
  });

  it("works on what an earlier edit has left", async () => {
    const workspace = folderWorkspace({ "t.txt": "a\nb\n" });
    const context = contextFor({ workspace });
    await answerOf(editFile, change("t.txt", "a", "b"), context);
    expect(await answerOf(editFile, change("t.txt", "b", "c"), context)).toMatch(/^\[error\].*2 times/);
    expect(textAt(workspace, "t.txt")).toBe("b\nb\n");
  });

  it.each([
    ["block", "[blocked] protected-paths: it must not change. Leave it as it is."],
    ["ask", "[blocked] protected-paths: it must not change. Leave it as it is."],
  ] as const)("leaves the file when the door says %s", async (verdict, expected) => {
    const workspace = folderWorkspace({ "a.txt": "one\n" });
    const context = contextFor({ workspace, judge: () => decided(verdict, "protected-paths") });
    expect(await answerOf(editFile, change("a.txt", "one", "two"), context)).toBe(expected);
    expect(textAt(workspace, "a.txt")).toBe("one\n");
  });

  it("passes on what the door warns of", async () => {
    const context = contextFor({ workspace: folderWorkspace({ "a.txt": "one\n" }), judge: () => decided("allow", "ci-code") });
    expect(await answerOf(editFile, change("a.txt", "one", "two"), context)).toBe(
      "Edited a.txt: 1 replacement at line 1.\nWarnings, shown to people: ci-code: it must not change. Leave it as it is.",
    );
  });

  it.each([
    ["a path outside", "../a.txt", /^\[blocked\] containment: "\.\.\/a\.txt" has a dot segment/],
    ["git's folder", ".git/config", /^\[blocked\] containment: .*git's own folder/],
    ["a missing file", "b.txt", /^\[error\] There is no file b\.txt\. Did you mean near\.txt\?/],
    ["a folder", "src", /^\[error\] src is a folder/],
  ])("answers %s without a change", async (_, path, expected) => {
    const workspace = folderWorkspace({ "a.txt": "one\n", "src/b.ts": "" });
    expect(await answerOf(editFile, change(path, "one", "two"), contextFor({ workspace }))).toMatch(expected);
  });

  it("edits a file of 2 MB at its end", async () => {
    const long = "0123456789abcdef\n".repeat(120_000);
    const workspace = folderWorkspace({ "long.txt": `${long}needle\n` });
    expect(await answerOf(editFile, change("long.txt", "needle", "pin"), contextFor({ workspace }))).toBe(
      "Edited long.txt: 1 replacement at line 120001.",
    );
    expect(textAt(workspace, "long.txt")).toBe(`${long}pin\n`);
  });

  describe("and invisible characters", () => {
    it("takes a text as read_file shows it", async () => {
      const workspace = folderWorkspace({ "a.ts": "const adm\u200bin = '\u200f!'\n" });
      const context = contextFor({ workspace });
      const shown = (await answerOf(readFile, { path: "a.ts" }, context)).trimEnd();
      expect(shown).toBe("const adm⟦U+200B⟧in = '⟦U+200F⟧!'");
      await answerOf(editFile, change("a.ts", shown, shown.replace("⟦U+200B⟧", "")), context);
      expect(textAt(workspace, "a.ts")).toBe("const admin = '\u200f!'\n");
    });

    it("takes marks that the file itself holds as text", async () => {
      const workspace = folderWorkspace({ "a.md": "A space is shown as ⟦U+200B⟧.\n" });
      await answerOf(editFile, change("a.md", "shown as ⟦U+200B⟧", "named ⟦U+200B⟧"), contextFor({ workspace }));
      expect(textAt(workspace, "a.md")).toBe("A space is named ⟦U+200B⟧.\n");
    });

    it("says so when an edit leaves them out", async () => {
      const workspace = folderWorkspace({ "a.ts": "adm\u200bin\n" });
      expect(await answerOf(editFile, change("a.ts", "admin", "x"), contextFor({ workspace }))).toMatch(/^\[error\].*invisible characters/);
    });
  });
});
