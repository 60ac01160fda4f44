import { createHash } from "node:crypto";
import type { Comment, Operation, Review } from "../../core/operation.ts";
import type { Finding } from "../../core/result.ts";
import type { PullPin } from "../../core/run.ts";
import { GitHubError } from "../../github/errors.ts";
import type { Markers } from "../../github/marker.ts";
import { ownReviews } from "../../github/review.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import type { Span } from "../../review/place/lines.ts";
import { placeReview, type PlacedReview } from "../../review/place/render.ts";
import type { Remark } from "../../review/remark.ts";
import { boundText } from "../../text/bound.ts";
import { cleanAndBound } from "../../text/outgoing/bound-clean.ts";
import { cleanOutgoing } from "../../text/outgoing/clean.ts";
import type { ReviewSubmitted, ReviewWish } from "../../tools/tool.ts";
import { renderGate } from "../report.ts";
import type { RunContext } from "../run-context.ts";
import { pendingKey, type Submission } from "../submit.ts";
import { isWorthAnotherTry } from "../worth-another-try.ts";
import { madeBefore } from "./made-before.ts";

/** GitHub takes 65,536 characters of a body; the marker and what the gate warns of come on top. Bytes. */
const LONGEST_BODY = 56_000;
const LONGEST_REMARK = 60_000;
const LONGEST_WARNING = 4_000;

export interface PostOptions {
  readonly pull: PullPin;
  readonly markers: Markers;
  /** The whole difference of the pull request: what remarks can stand on. */
  readonly difference: () => Promise<readonly DiffFile[]>;
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
  const { request, run, session, submit } = context;
  const { repository } = request;
  const { pull, markers } = options;
  if (wish.number !== pull.number) {
    return { status: "failed", why: `This run is about #${pull.number}; no other pull request can be reviewed in it.` };
  }
  const files = await options.difference();
  const reviews = await ownReviews(session, repository, pull.number);
  const key = `review-${createHash("sha256").update(callId).digest("hex").slice(0, 16)}`;
  const isOwn = ({ body }: { readonly body: string }): boolean => {
    const mark = markers.read(body);
    return mark?.run === run.id && mark.key === key;
  };
  // What an earlier attempt of this very call posted is not "made before": the call is answered as it was.
  const isKnown = await madeBefore(context, { number: pull.number, files, reviews });
  const wasPosted = reviews.some(isOwn);
  const remarks = wish.comments.map(remarkOf);
  const fresh = wasPosted ? remarks : remarks.filter((remark) => !isKnown(remark));
  const repeated = remarks.length - fresh.length;
  if (fresh.length === 0 && remarks.length > 0) {
    return { status: "failed", why: `All of it was remarked on #${pull.number} before, so nothing was posted: a remark is made once.` };
  }
  const linkTo = linker(options.webUrl, context, options.pull);
  const placed = placeReview(fresh, { files, linkTo });
  const written = [wish.body, ...wish.comments.flatMap(({ body, suggestion }) => [body, suggestion ?? ""])].filter((text) => text !== "");
  for (const { id, state } of reviews) {
    if (state !== "PENDING") continue;
    await submit({ kind: "delete-pending-review", repository, number: pull.number, reviewId: id }, { key: pendingKey(id) });
  }
  const frame = { context, options, key, written, verdict: wish.event };
  const made = await tryAll(placed, wish.body, frame);
  if (made.status !== "done") return made;
  return { ...made, placed: { onLines: placed.comments.length, inBody: placed.inBody.length, repeated } };
}

interface Frame {
  readonly context: RunContext;
  readonly options: PostOptions;
  readonly key: string;
  readonly written: readonly string[];
  readonly verdict: ReviewWish["event"];
}

type Made = Omit<Extract<ReviewSubmitted, { status: "done" }>, "placed"> | Exclude<ReviewSubmitted, { status: "done" }>;

async function tryAll(placed: PlacedReview, words: string, frame: Frame): Promise<Made> {
  const { context, options, key } = frame;
  const whole = reviewOf(placed, words, frame);
  try {
    return answer(await context.submit(whole, { key, annotate: annotateReview(whole, frame) }), "review");
  } catch (error) {
    if (!isFinal(error)) throw error;
    context.log.warn({ code: error.code, why: error.message }, "GitHub refused the review");
    if (placed.comments.length > 0 && !/commit/i.test(error.message)) {
      try {
        const plain = reviewOf(allInBody(placed), words, frame);
        return answer(await context.submit(plain, { key: `${key}-plain`, annotate: annotateReview(plain, frame) }), "review");
      } catch (again) {
        if (!isFinal(again)) throw again;
        context.log.warn({ code: again.code, why: again.message }, "GitHub refused the review without places as well");
      }
    }
    const { repository } = context.request;
    const body = bodyOf(allInBody(placed), words, frame, [], `GitHub took no review of ${options.pull.headSha.slice(0, 10)}; its remarks:`);
    const comment: Comment = {
      kind: "comment",
      repository,
      thread: { kind: "pull-request", number: options.pull.number },
      body,
      written: frame.written,
    };
    return answer(await context.submit(comment, { key: `${key}-comment` }), "comment");
  }
}

/** What no other try of the same can mend. */
function isFinal(error: unknown): error is GitHubError {
  return error instanceof GitHubError && !isWorthAnotherTry(error);
}

function answer(submission: Submission, as: "review" | "comment"): Made {
  if (submission.status === "refused") return submission;
  const { outcome, decision } = submission;
  const { id, url } = outcome;
  return { status: "done", as, decision, ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
}

function reviewOf(placed: PlacedReview, words: string, frame: Frame): Review {
  const { context, options, written } = frame;
  const comments = placed.comments.map(({ path, line, side, startLine, body }) => ({
    path,
    line,
    side,
    ...(startLine === undefined ? {} : { startLine }),
    body: cleanAndBound(body, context.outgoing, LONGEST_REMARK, "the rest of the remark").text,
  }));
  return {
    kind: "review",
    repository: context.request.repository,
    number: options.pull.number,
    commitId: options.pull.headSha,
    body: bodyOf(placed, words, frame, []),
    comments,
    written,
  };
}

const VERDICTS: { readonly [event in NonNullable<ReviewWish["event"]>]: string } = {
  COMMENT: "",
  APPROVE: "Verdict: nothing stands in the way of a merge, as far as this review can tell. (The bot never approves.)",
  REQUEST_CHANGES: "Verdict: changes are requested before this is merged. (The bot says so in words only.)",
};

/** The body: the reviewer's words, the verdict in words, what stands on no line, what the gate warns of, and the mark of the run. */
function bodyOf(
  placed: PlacedReview,
  words: string,
  { context, options, key, verdict }: Frame,
  findings: readonly Finding[],
  first = "",
): string {
  const said = [first, words.trim(), verdict === undefined ? "" : VERDICTS[verdict]];
  const beside =
    placed.inBody.length === 0 ? [] : ["Remarks beside the lines of the difference:", ...placed.inBody.map(({ text }) => text)];
  const warnings = findings.length === 0 ? [] : [boundText(renderGate(findings), LONGEST_WARNING, "more findings")];
  const { text } = cleanAndBound(
    [...said, ...beside].filter((part) => part !== "").join("\n\n"),
    context.outgoing,
    LONGEST_BODY,
    "the rest of the review",
  );
  const shown = cleanOutgoing([text, ...warnings].join("\n\n"), context.outgoing).text.trim();
  const mark = options.markers.stamp({ run: context.run.id, state: "done", key });
  return shown === "" ? mark : `${shown}\n\n${mark}`;
}

function annotateReview(review: Review, { context }: Frame) {
  return (judged: Operation, findings: readonly Finding[]): Operation => {
    const told = findings.filter(({ rule }) => rule !== "output");
    if (judged.kind !== "review" || told.length === 0) return judged;
    const at = review.body.lastIndexOf("<!-- sallyport ");
    const words = review.body.slice(0, at).trim();
    const warning = boundText(renderGate(told), LONGEST_WARNING, "more findings");
    const shown = cleanOutgoing([words, warning].filter((part) => part !== "").join("\n\n"), context.outgoing).text;
    return { ...judged, body: `${shown}\n\n${review.body.slice(at)}` };
  };
}

/** The same remarks without places on lines, each with its place in words. */
function allInBody({ comments, inBody }: PlacedReview): PlacedReview {
  const moved = comments.map(({ path, line, startLine, body }) => {
    const lines = startLine === undefined ? String(line) : `${startLine}–${line}`;
    return {
      path,
      text: `**\`${path.replaceAll("`", "'")}:${lines}\`**\n\n${body.replace(/^( {0,3}(?:`{3,}|~{3,}))suggestion\b/gm, "$1")}`,
    };
  });
  return { comments: [], inBody: [...moved, ...inBody] };
}

function remarkOf({ path, line, side, start_line: startLine, body, suggestion }: ReviewWish["comments"][number]): Remark {
  return {
    path,
    line,
    body,
    ...(side === undefined ? {} : { side }),
    ...(startLine === undefined ? {} : { startLine }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Addresses of files at the commits that were read. A path may hold anything: each segment is encoded. */
function linker(webUrl: string, { request: { repository } }: RunContext, { headSha, baseSha }: PullPin) {
  return (path: string, side: "LEFT" | "RIGHT", lines: Span | undefined): string | undefined => {
    if (path === "" || path.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) return undefined;
    const encoded = path
      .split("/")
      .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`));
    const at = lines === undefined ? "" : lines.first === lines.last ? `#L${lines.first}` : `#L${lines.first}-L${lines.last}`;
    return `${webUrl}/${repository.owner}/${repository.name}/blob/${side === "LEFT" ? baseSha : headSha}/${encoded.join("/")}${at}`;
  };
}
