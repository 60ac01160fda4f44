import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgePath } from "../../../../src/core/repository-path.ts";
import { canonicalPath, searchRoot } from "../../../../src/tools/repo/find-target.ts";

describe("canonicalPath", () => {
  it.each([
    ["./a.txt", "a.txt"],
    ["./src/../a.txt", "a.txt"],
    ["src/./b/../a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["a..b/..c", "a..b/..c"],
    [".", ""],
    ["src/..", ""],
    ["../a", "../a"],
    ["src/../../a", "src/../../a"],
    ["/etc/../a", "/a"],
    ["/..", "/.."],
    ["a//../b", "a//../b"],
  ])("writes %s as %s", (raw, expected) => {
    expect(canonicalPath(raw)).toBe(expected);
  });

  it("never turns a path that leaves the repository into one that is accepted", () => {
    const inside = fc.array(fc.constantFrom("a", "b", "."), { maxLength: 4 });
    fc.assert(
      fc.property(inside, inside, (down, after) => {
        const up = [...down.filter((name) => name !== ".").map(() => ".."), ".."];
        for (const path of [[...down, ...up, ...after].join("/"), ["", ...down, ...after].join("/")]) {
          if (path !== "") expect(judgePath(canonicalPath(path)).ok, path).toBe(false);
        }
      }),
    );
  });

  it("changes nothing twice", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab./]{0,12}$/), (raw) => {
        expect(canonicalPath(canonicalPath(raw))).toBe(canonicalPath(raw));
      }),
    );
  });
});

describe("searchRoot", () => {
  it.each([
    [undefined, ""],
    ["", ""],
    [".", ""],
    ["./", ""],
    ["src/", "src"],
    ["./src", "src"],
  ])("takes %j as %j", (raw, path) => {
    expect(searchRoot(raw)).toEqual({ ok: true, path });
  });

  it.each(["/", "/etc", "..", "../..", ".git", "src/.git/", "~", "C:/x", "a//"])("refuses %s", (raw) => {
    expect(searchRoot(raw)).toMatchObject({ ok: false, result: { status: "error" } });
  });
});
