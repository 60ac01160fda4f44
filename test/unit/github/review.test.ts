import { expect, test } from "vitest";
import type { Operation, Review } from "../../../src/core/operation.ts";
import { createMarkers } from "../../../src/github/marker.ts";
import { ownReviews } from "../../../src/github/review.ts";
import { perform } from "../../../src/github/writer.ts";
import { TIP } from "./change-sets.ts";
import { fakeLedger, loopback, REPOSITORY, sessionOn, type Answer } from "./loopback.ts";

const markers = createMarkers("the key");
const mark = (run: string): string => markers.stamp({ run, state: "done", key: "review" });
const REVIEW: Review = {
  kind: "review",
  repository: REPOSITORY,
  number: 5,
  commitId: TIP,
  body: `One remark.\n\n${mark("run-1")}`,
  comments: [{ path: "a.ts", line: 3, side: "RIGHT", body: "This never ends." }],
};
const LOST: Answer = { status: 502, body: { message: "Bad Gateway" } };

interface Row {
  readonly what: string;
  readonly operation: Operation;
  /** The reviews that stand there after the write's answer was lost. */
  readonly there: readonly object[];
  readonly writes: number;
}
const review = (id: number, more: object = {}): object => {
  const user = { login: "sallyport[bot]" };
  return { id, html_url: `https://github.com/acme/app/pull/5#${id}`, body: REVIEW.body, state: "COMMENTED", commit_id: TIP, user, ...more };
};
const remove: Operation = { kind: "delete-pending-review", repository: REPOSITORY, number: 5, reviewId: 31 };

test.for<Row>([
  { what: "a review that arrived is found by its marker", operation: REVIEW, there: [review(31)], writes: 1 },
  {
    what: "the same words in somebody's review are not taken for it",
    operation: REVIEW,
    there: [review(30, { user: { login: "maria" } })],
    writes: 2,
  },
  { what: "another run's review is not taken for it", operation: REVIEW, there: [review(30, { body: mark("run-0") })], writes: 2 },
  { what: "a draft is not taken for it", operation: REVIEW, there: [review(30, { state: "PENDING" })], writes: 2 },
  { what: "a draft that is gone is not removed again", operation: remove, there: [review(30, { state: "PENDING" })], writes: 1 },
  { what: "a draft that is still there is removed again", operation: remove, there: [review(31, { state: "PENDING" })], writes: 2 },
])("when the answer is lost, $what", async ({ operation, there, writes }) => {
  let isFirst = true;
  await using github = await loopback(({ method }) => {
    if (method === "GET") return { status: 200, body: there };
    const answer = isFirst ? LOST : { status: 200, body: { id: 31, html_url: "https://github.com/acme/app/pull/5#31" } };
    isFirst = false;
    return answer;
  });
  const ledger = fakeLedger();
  const options = {
    session: sessionOn(github.baseUrl, ledger),
    mint: ledger.mint,
    markers,
    once: (step: { send(): Promise<never> }) => step.send(),
  };
  const made = await perform(operation, options as never);
  expect(made).toMatchObject({ operation: operation.kind, id: 31 });
  expect(github.lines().filter((line) => !line.startsWith("GET"))).toHaveLength(writes);
});

test("a draft that somebody removed meanwhile is as good as removed", async () => {
  await using github = await loopback(() => ({ status: 404, body: { message: "Not Found" } }));
  const ledger = fakeLedger();
  const made = await perform(remove, { session: sessionOn(github.baseUrl, ledger), mint: ledger.mint, once: (step) => step.send() });
  expect(made).toEqual({ operation: "delete-pending-review", id: 31 });
});

test("own reviews are those of the App's login, drafts among them", async () => {
  const all = [review(1), review(2, { user: { login: "maria" } }), review(3, { user: null }), review(4, { state: "PENDING", body: null })];
  await using github = await loopback(() => ({ status: 200, body: all }));
  const found = await ownReviews(sessionOn(github.baseUrl, fakeLedger()), REPOSITORY, 5);
  expect(found.map(({ id, state, body }) => [id, state, body === ""])).toEqual([
    [1, "COMMENTED", false],
    [4, "PENDING", true],
  ]);
});
