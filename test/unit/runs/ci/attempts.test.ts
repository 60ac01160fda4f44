import { describe, expect, it } from "vitest";
import type { FailedRun } from "../../../../src/core/run.ts";
import { attemptsLeft } from "../../../../src/runs/ci/attempts.ts";
import { isNamed } from "../../../../src/runs/ci/known-flaky.ts";
import type { EarlierCi } from "../../../../src/store/ci.ts";

const failed = (headSha: string, more: Partial<FailedRun> = {}): FailedRun => ({
  runId: 1,
  attempt: 1,
  workflow: "CI",
  path: ".github/workflows/ci.yml",
  branch: "feature",
  headSha,
  people: [],
  ...more,
});
const own = (headSha: string): FailedRun => failed(headSha, { isOwn: true });
const asked = (ci: FailedRun): EarlierCi => ({ id: ci.headSha, ci, asked: true, gaveUp: false });
const looked = (ci: FailedRun): EarlierCi => ({ ...asked(ci), asked: false });
const gaveUp = (ci: FailedRun): EarlierCi => ({ ...looked(ci), gaveUp: true });

describe("one more attempt at failed CI", () => {
  it.each([
    ["is made where there was none", failed("a"), [], "go"],
    ["is made at a person's commit, whatever was tried at the one before", failed("b"), [asked(failed("a")), asked(own("z"))], "go"],
    ["is made at another workflow of the same commit", failed("a", { path: "lint.yml" }), [asked(failed("a")), asked(failed("a"))], "go"],
    ["is not made a third time at one commit", failed("a"), [asked(failed("a")), asked(failed("a"))], "stop"],
    ["is made at the bot's own first answer", own("b"), [asked(failed("a"))], "go"],
    ["is not made at its second one", own("c"), [asked(own("b")), asked(failed("a"))], "stop"],
    ["does not count where no model was asked", own("c"), [looked(own("b")), asked(failed("a"))], "go"],
    ["counts with all that a person's push started", own("c"), [asked(failed("a")), asked(failed("a", { path: "lint.yml" }))], "stop"],
    ["does not count what came before that push", own("c"), [asked(failed("b")), asked(own("a")), asked(own("z"))], "go"],
    ["is not made on a branch that only the bot has pushed to", own("c"), [asked(own("b")), asked(own("a"))], "stop"],
    ["is not talked about twice", own("d"), [gaveUp(own("c")), asked(own("b")), asked(failed("a"))], "silent"],
  ] as const)("%s", (_, ci, earlier, status) => {
    expect(attemptsLeft(ci, earlier, 2).status).toBe(status);
  });
});

describe("a job is known to be flaky", () => {
  it.each([
    ["by its whole name, whatever its case", "Test", ["test"], true],
    ["not by a part of it", "test (20)", ["test"], false],
    ["by a pattern", "e2e / chrome (1/4)", ["e2e*"], true],
    ["by what stands in its middle", "e2e / chrome (1/4)", ["*chrome*4)"], true],
    ["not where parts would overlap", "aba", ["ab*ba"], false],
    ["not where the order is another one", "b a", ["*a*b*"], false],
    ["not by an empty list", "test", [], false],
    ["in time, whatever the pattern", "a".repeat(5_000), [`${"*a".repeat(90)}*b`], false],
  ] as const)("%s", (_, name, patterns, is) => {
    expect(isNamed(name, patterns)).toBe(is);
  });
});
