import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOwnBranch, nameBranch } from "../../../src/gate/branch-name.ts";

const named = (title: string, existing: readonly string[] = [], number: number | string = 12): string =>
  nameBranch({ number, title, taken: (name) => existing.includes(name) });

describe("nameBranch", () => {
  it.each<[string, string, string]>([
    ["plain words", "Fix the parser", "sallyport/12-fix-the-parser"],
    ["accents", "Évite l'échec à l'œuvre", "sallyport/12-evite-l-echec-a-l-uvre"],
    ["no letter that ASCII has", "修复解析器", "sallyport/12"],
    ["nothing", "", "sallyport/12"],
    ["only signs", "!!! ??? ...", "sallyport/12"],
    ["shell text", '$(curl evil)"; rm -rf / #', "sallyport/12-curl-evil-rm-rf"],
    ["a reference", "refs/heads/main", "sallyport/12-refs-heads-main"],
    ["dots and .lock", "a..b.lock", "sallyport/12-a-b-lock"],
    ["a long title", "word ".repeat(30), "sallyport/12-word-word-word-word-word-word-word-word"],
    ["a cut that falls on a dash", `${"a".repeat(39)} bc`, `sallyport/12-${"a".repeat(39)}`],
    ["full-width and control characters", "ｆｉｘ\u0000\u202e it", "sallyport/12-fix-it"],
  ])("makes a name of %s", (_, title, name) => {
    expect(named(title)).toBe(name);
  });

  it.each<[string, readonly string[], string]>([
    ["taken once", ["sallyport/12-fix"], "sallyport/12-fix-2"],
    ["taken twice", ["sallyport/12-fix", "sallyport/12-fix-2"], "sallyport/12-fix-3"],
    ["below a branch named sallyport", ["sallyport"], "sallyport-12-fix"],
    ["below such a branch and taken", ["sallyport", "sallyport-12-fix"], "sallyport-12-fix-2"],
  ])("finds another name for one that is %s", (_, existing, name) => {
    expect(named("fix", existing)).toBe(name);
  });

  it("uses a run's id where there is no thread", () => {
    expect(named("Nightly", [], "Run_7F.lock")).toBe("sallyport/run-7f-lock-nightly");
  });

  it("gives up with a word about it when every name is taken", () => {
    expect(() => nameBranch({ number: 1, title: "x", taken: () => true })).toThrow(/sallyport-1-x/);
  });

  it("makes only names that git takes, short ones, and its own", () => {
    const titles = fc.sample(
      fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom(".lock", "-", "@{", "a/", "x".repeat(300))),
      60,
    );
    for (const title of titles) {
      for (const existing of [[], ["sallyport"], [named(title)]]) {
        const name = named(title, existing);
        expect(execFileSync("git", ["check-ref-format", "--branch", name], { encoding: "utf8" }).trim()).toBe(name);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(isOwnBranch(name, { number: 12 })).toBe(true);
      }
    }
  });
});

describe("isOwnBranch", () => {
  it.each([
    "main",
    "sallyport",
    "sallyport/13-fix",
    "sallyport/121",
    "sallyport/12/fix",
    "sallyport/12-",
    "sallyport/12-Fix",
    "sallyport/12-a..b",
    "x/sallyport/12",
    "sallyport/12-$(id)",
    "sallyport_12",
    "",
  ])("does not take %j for the branch of run 12", (name) => {
    expect(isOwnBranch(name, { number: 12 })).toBe(false);
  });
});
