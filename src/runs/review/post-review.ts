import { createHash } from "node:crypto";
import type { Comment, Operation, Review } from "../../core/operation.ts";
import type { Decision, Finding } from "../../core/result.ts";
import type { PullPin } from "../../core/run.ts";
import { GitHubError } from "../../github/errors.ts";
import { ownComments } from "../../github/thread-comments.ts";
import type { Markers } from "../../github/marker.ts";
import { ownReviews, type OwnReview } from "../../github/review.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import { placeReview, type PlacedReview } from "../../review/place/render.ts";
import type { Remark } from "../../review/remark.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import type { ReviewSubmitted, ReviewWish } from "../../tools/tool.ts";
import type { RunContext } from "../run-context.ts";
import { pendingKey, type Submission } from "../submit.ts";
import { isWorthAnotherTry } from "../worth-another-try.ts";
import { madeBefore } from "./made-before.ts";
import { allInBody, linksTo, reviewText, type ReviewWords } from "./review-text.ts";

/** Bytes of one remark on lines. */
const LONGEST_REMARK = 60_000;
/** How a comment begins in which remarks stand that GitHub took in no review. */
const NO_REVIEW = "GitHub took no review of";
/** What stands in place of a remark of which nothing is left to be shown: GitHub takes none without text, nor any other beside it. */
const EMPTY = "(What this remark says was taken out, since it is nothing that people would see.)";
const NOTHING_HELD: Decision = { verdict: "allow", findings: [] };

export interface PostOptions {
  readonly pull: PullPin;
  readonly markers: Markers;
  /** The whole difference of the pull request: what remarks can stand on. */
  readonly difference: () => Promise<readonly DiffFile[]>;
  /** Whether nothing can have been said of the pull request before. */
  readonly isFirst: () => boolean;
  /** Where GitHub shows pages, without a final slash. */
  readonly webUrl: string;
}

/** How a run's calls post reviews. */
export function reviewer(context: RunContext, options: PostOptions): (callId: string, wish: ReviewWish) => Promise<ReviewSubmitted> {
  return (callId, wish) => postReview(context, callId, wish, options);
}

/**
 * Posts one review on the commit that was read, as a comment whatever the verdict: what was remarked before is left out, what stands on no
 * line of the difference goes to the body. When GitHub refuses it for good, its remarks are said in one body, and where that is refused too,
 * in a comment on the thread: none is lost.
 * @throws {GitHubError} where another try may mend it.
 */
async function postReview(context: RunContext, callId: string, wish: ReviewWish, options: PostOptions): Promise<ReviewSubmitted> {
  const { request, session } = context;
  const { repository } = request;
  const { pull } = options;
  if (wish.number !== pull.number) {
    return { status: "failed", why: `This run is about #${pull.number}; no other pull request can be reviewed in it.` };
  }
  const files = await options.difference();
  const reviews = await ownReviews(session, repository, pull.number);
  // The model chooses the ids of its calls: whatever they spell, they name nothing else of the run.
  const key = `review-${createHash("sha256").update(callId).digest("hex").slice(0, 16)}`;
  const remarks = wish.comments.map(remarkOf);
  const fresh = await freshOnes(context, { key, remarks, files, reviews, options });
  const repeated = remarks.length - fresh.length;
  if (fresh.length === 0 && remarks.length > 0) {
    return { status: "done", as: "nothing", decision: NOTHING_HELD, placed: { onLines: 0, inBody: 0, repeated } };
  }
  const placed = placeReview(fresh, { files, linkTo: linksTo(options.webUrl, repository, pull) });
  await clearPending(context, pull.number, reviews);
  const written = [wish.body, ...wish.comments.flatMap(({ body, suggestion }) => [body, suggestion ?? ""])].filter((text) => text !== "");
  const made = await tryAll(placed, { context, options, key, written, words: wish.body, verdict: wish.event });
  if (made.status !== "done") return made;
  return { ...made, placed: { onLines: placed.comments.length, inBody: placed.inBody.length, repeated } };
}

/** The remarks that were not made before. What an earlier attempt of this very call posted is not "before": the call is answered as it was. */
async function freshOnes(
  context: RunContext,
  {
    key,
    remarks,
    files,
    reviews,
    options: { markers, pull, isFirst },
  }: {
    readonly key: string;
    readonly remarks: readonly Remark[];
    readonly files: readonly DiffFile[];
    readonly reviews: readonly OwnReview[];
    readonly options: PostOptions;
  },
): Promise<readonly Remark[]> {
  const isOwn = ({ body }: Pick<OwnReview, "body">): boolean => {
    const mark = markers.read(body);
    return mark?.run === context.run.id && [key, `${key}-plain`, `${key}-comment`].includes(mark.key ?? "");
  };
  const thread = { kind: "pull-request", number: pull.number } as const;
  const said = isFirst() ? [] : await ownComments(context.session, context.request.repository, thread);
  const instead = said.filter(({ body }) => body.startsWith(NO_REVIEW));
  if ([...reviews, ...instead].some(isOwn)) return remarks;
  const isKnown = await madeBefore(context, { number: pull.number, files, reviews, instead: instead.map(({ body }) => body) });
  return remarks.filter((remark) => !isKnown(remark));
}

/** GitHub takes no review beside one of the same author that was begun and never submitted. */
async function clearPending({ submit, request }: RunContext, number: number, reviews: readonly OwnReview[]): Promise<void> {
  const { repository } = request;
  for (const { id, state } of reviews) {
    if (state !== "PENDING") continue;
    await submit({ kind: "delete-pending-review", repository, number, reviewId: id }, { key: pendingKey(id) });
  }
}

interface Frame {
  readonly context: RunContext;
  readonly options: PostOptions;
  readonly key: string;
  readonly written: readonly string[];
  readonly words: string;
  readonly verdict: ReviewWish["event"];
}

type Made = Omit<Extract<ReviewSubmitted, { status: "done" }>, "placed"> | Exclude<ReviewSubmitted, { status: "done" }>;

/** As a review; without places, where it is them that GitHub may have refused; as a comment. */
async function tryAll(placed: PlacedReview, frame: Frame): Promise<Made> {
  const { log } = frame.context;
  try {
    return await postAs("review", placed, frame);
  } catch (error) {
    if (!isFinal(error)) throw error;
    log.warn({ code: error.code, why: error.message }, "GitHub refused the review");
    // A commit that is no part of the pull request any more is refused whatever stands in the review.
    const isPermitted = error.code !== "missing-permission";
    if (isPermitted && placed.comments.length > 0 && !/commit/i.test(error.message)) {
      try {
        return await postAs("review", allInBody(placed), { ...frame, key: `${frame.key}-plain` });
      } catch (again) {
        if (!isFinal(again)) throw again;
        log.warn({ code: again.code, why: again.message }, "GitHub refused the review without places as well");
      }
    }
  }
  try {
    return await postAs("comment", allInBody(placed), { ...frame, key: `${frame.key}-comment` });
  } catch (error) {
    if (!isFinal(error)) throw error;
    log.warn({ code: error.code, why: error.message }, "GitHub takes no comment either");
    return { status: "failed", why: `${error.message} The remarks are kept in the check run.` };
  }
}

/** What no other try of the same can mend. */
function isFinal(error: unknown): error is GitHubError {
  return error instanceof GitHubError && !isWorthAnotherTry(error);
}

async function postAs(as: "review" | "comment", placed: PlacedReview, frame: Frame): Promise<Made> {
  const { context, key } = frame;
  const operationOf = as === "review" ? reviewOf : commentOf;
  const annotate = (_: Operation, findings: readonly Finding[]): Operation => operationOf(placed, frame, findings);
  return answer(await context.submit(operationOf(placed, frame, []), { key, annotate }), as);
}

function answer(submission: Submission, as: "review" | "comment"): Made {
  if (submission.status === "refused") return submission;
  const { outcome, decision } = submission;
  const { id, url } = outcome;
  return { status: "done", as, decision, ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
}

function reviewOf(placed: PlacedReview, frame: Frame, warnings: readonly Finding[]): Review {
  const { context, options, written } = frame;
  const comments = placed.comments.map(({ path, line, side, startLine, body }) => ({
    path,
    line,
    side,
    ...(startLine === undefined ? {} : { startLine }),
    body: cleanAndBound(body, context.outgoing, LONGEST_REMARK, "the rest of the remark").text.trim() || EMPTY,
  }));
  return {
    kind: "review",
    repository: context.request.repository,
    number: options.pull.number,
    commitId: options.pull.headSha,
    body: marked({ ...frame, inBody: placed.inBody }, frame, warnings),
    comments,
    written,
  };
}

function commentOf(placed: PlacedReview, frame: Frame, warnings: readonly Finding[]): Comment {
  const { context, options, written } = frame;
  const { number, headSha } = options.pull;
  const lead = `${NO_REVIEW} ${headSha.slice(0, 10)}; its remarks:`;
  return {
    kind: "comment",
    repository: context.request.repository,
    thread: { kind: "pull-request", number },
    body: marked({ ...frame, lead, inBody: placed.inBody }, frame, warnings),
    written,
  };
}

/** With the mark of the run, by which a lost one is found again. */
function marked(words: ReviewWords, { context, options, key }: Frame, warnings: readonly Finding[]): string {
  const shown = reviewText(words, warnings, context.outgoing);
  const mark = options.markers.stamp({ run: context.run.id, state: "done", key });
  return shown === "" ? mark : `${shown}\n\n${mark}`;
}

/** A remark as the tool takes it, as the reviewer means it. */
export function remarkOf({ path, line, side, start_line: startLine, body, suggestion }: ReviewWish["comments"][number]): Remark {
  return {
    path,
    line,
    body,
    ...(side === undefined ? {} : { side }),
    ...(startLine === undefined ? {} : { startLine }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
