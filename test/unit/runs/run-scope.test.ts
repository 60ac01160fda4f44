import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Pin } from "../../../src/core/run.ts";
import { RUN_COMMENT } from "../../../src/runs/run-comment.ts";
import { scopeOf } from "../../../src/runs/run-scope.ts";
import { mention } from "../store/requests.ts";

const made = (key: string, id?: number): JournalEntry => ({
  kind: "outcome",
  key,
  outcome: { operation: "comment", ...(id === undefined ? {} : { id }) },
});
const pull = { number: 1, headRef: "feature", headSha: "a", baseRef: "next", baseSha: "b", sameRepository: true, ownPull: false };
const pin: Pin = { commit: "a", base: { ref: "next", sha: "b" }, pull };
const ROWS = [
  made(`${RUN_COMMENT}/comment`, 10),
  made("call-1/comment", 11),
  made("publish-0-aa/branch"),
  made("publish-0-aa/commit"),
  made("publish-0-aa/pull-request", 2),
  made("report/edit-own-comment", 10),
];

describe("the scope of a run", () => {
  test("grows with what it made: its comments it may edit, its pull requests it may speak on", () => {
    const scope = scopeOf(mention(), undefined, memoryJournal(ROWS), undefined);
    expect(scope).toMatchObject({ threads: [1, 2], ownComments: [10, 11], bases: ["trunk"], heads: [] });
    expect(scope.made).toEqual({ pullRequests: 1, comments: 1 });
  });

  test.each([
    ["the comment that is written again", "call-1", { pullRequests: 1, comments: 0 }],
    ["the pull request that is opened again", "publish-0-aa", { pullRequests: 0, comments: 1 }],
    ["nothing for another submission", "call-2", { pullRequests: 1, comments: 1 }],
    ["nothing for a key that another one begins with", "call", { pullRequests: 1, comments: 1 }],
  ])("leaves out of its counts %s", (_, submitting, expected) => {
    expect(scopeOf(mention(), undefined, memoryJournal(ROWS), submitting).made).toEqual(expected);
  });

  test("takes base and head from what was pinned, not from the event", () => {
    expect(scopeOf(mention(), pin, memoryJournal(), undefined)).toMatchObject({ bases: ["next", "trunk"], heads: ["feature"] });
  });

  test("of a fork's pull request is its thread alone", () => {
    const fork = { ...pin, pull: { ...pull, sameRepository: false } };
    const scope = scopeOf(mention(), fork, memoryJournal(), undefined);
    expect(scope).toMatchObject({ threads: [1], bases: [], heads: [] });
    expect(scope.isOwnBranch("sallyport/1-x")).toBe(false);
  });
});
