import { array, assert, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { isGitInternals, judgePath } from "../../../src/core/repository-path.ts";

it.each([
  ["src/a.ts"],
  ["a"],
  [".gitignore"],
  ["docs/.gitkeep"],
  ["src/git/hooks.ts"],
  ["src/[...slug].tsx"],
  ["a b/c d.txt"],
  ["日本語/ファイル.md"],
  ["-rf"],
  ["#x"],
  ["con-text.md"],
  ["auxiliary/nul-check.ts"],
  ["back\\slash.txt"],
  ["...a"],
])("takes %j as it is", (path) => {
  expect(judgePath(path)).toEqual({ ok: true, path });
});

it.each([
  ["nothing", ""],
  ["an absolute path", "/etc/passwd"],
  ["a way out", "../x"],
  ["a way out further in", "a/../../x"],
  ["a way out the Windows way", "a\\..\\..\\x"],
  ["a dot segment", "./a"],
  ["a double slash", "a//b"],
  ["a final slash", "a/"],
  ["a share", "\\\\host\\share\\x"],
  ["a drive", "C:/x"],
  ["a drive-relative path", "c:x"],
  ["a URL", "file:///etc/passwd"],
  ["a NUL", "a\u0000b"],
  ["a line break", "a\nb"],
  ["a home folder", "~/x"],
  ["a final blank", "src/a.ts "],
  ["a final dot", "src/a.ts."],
  ["a Windows device", "aux.txt"],
  ["a Windows device in another case", "src/NUL"],
  ["half a surrogate pair", "a\ud800"],
  ["git's folder", ".git/config"],
  ["git's folder in capitals", ".GIT/config"],
  ["git's folder further in", "sub/.git/hooks/x"],
  ["git's folder the Windows way", "sub\\.git\\config"],
  ["git's short name", "git~1/config"],
  ["git's folder with a stream", ".git::$INDEX_ALLOCATION/config"],
  ["git's folder with a hidden character", ".g\u200cit/config"],
  ["git's folder in full width", "．git/config"],
  ["a name that is too long", "a".repeat(256)],
  ["a path that is too long", "a/".repeat(2100) + "a"],
])("refuses %s", (_, path) => {
  expect(judgePath(path)).toMatchObject({ ok: false });
});

it("takes no path that leads out of the root, whatever it is made of", () => {
  const part = constantFrom("..", ".", "", "a", "\\", "/", "b\\..", "~", "C:", ".git", "…");
  assert(
    property(array(part, { maxLength: 8 }), (parts) => {
      const verdict = judgePath(parts.join("/"));
      if (!verdict.ok) return;
      const segments = verdict.path.split(/[/\\]/);
      expect(segments.every((segment) => segment !== "" && segment !== "." && segment !== ".." && !isGitInternals(segment))).toBe(true);
      expect(verdict.path.startsWith("/")).toBe(false);
    }),
  );
});
