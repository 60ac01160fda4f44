import type { z } from "zod";
import type { Ignored, RunRequest } from "../core/run.ts";
import { ignored, pinOf, pointedAt, sameName, spoken, type Context, type Identity } from "./accept.ts";
import { failedCi } from "./ci.ts";
import { pushed, renamed } from "./settings-change.ts";
import { gateAgain, gateEdited, gateMergeGroup, gateUnasked } from "./gate.ts";
import { newIssue } from "./triage.ts";
import {
  checkRunEvent,
  checkSuiteEvent,
  issueAssignEvent,
  issueCommentEvent,
  issueEvent,
  issueLabelEvent,
  mergeGroupEvent,
  pullRequestEditEvent,
  pullRequestEvent,
  pullRequestLabelEvent,
  reviewCommentEvent,
  pushEvent,
  repositoryEvent,
  reviewEvent,
  workflowRunEvent,
} from "./payload.ts";
import { mergeGroupMade, reviewAgain, reviewLabelled, reviewUnasked } from "./review.ts";

export type { Identity } from "./accept.ts";

/**
 * Turns a webhook into the request for a run, or into the reason why it starts none. The payload is hostile and may be incomplete. Nothing is
 * looked up here: whether the repository's settings mean such a request, and whether the actor may ask at all, is asked when it is accepted.
 */
export function toRunRequest(event: string, deliveryId: string, payload: unknown, identity: Identity): RunRequest | Ignored {
  const reader = READERS.get(`${event}.${actionOf(payload)}`);
  if (reader === undefined) return ignored(`${event}.${actionOf(payload)} starts nothing`);
  return reader(payload, { deliveryId, identity });
}

/**
 * The gate's own look at a pull request, which the same webhook asks for beside all else; undefined where it asks for none. Whether the
 * repository wants it is asked when it is accepted.
 */
export function toGateRequest(event: string, deliveryId: string, payload: unknown, identity: Identity): RunRequest | undefined {
  const made = GATE_READERS.get(`${event}.${actionOf(payload)}`)?.(payload, { deliveryId, identity });
  return made === undefined || "ignored" in made ? undefined : made;
}

/** Whether an event of this kind can start a run at all: all others need no look at who the bot is. */
export function isHeard(event: string, payload: unknown): boolean {
  const name = `${event}.${actionOf(payload)}`;
  return READERS.has(name) || GATE_READERS.has(name);
}

/** The events that are listened to, by GitHub's names: what the App's manifest asks for. */
export function heardEvents(): ReadonlySet<string> {
  return new Set([...READERS.keys()].map((key) => key.split(".", 1)[0] ?? ""));
}

type Reader = (payload: unknown, context: Context) => RunRequest | Ignored;

function actionOf(payload: unknown): string {
  const action: unknown = typeof payload === "object" && payload !== null && "action" in payload ? payload.action : undefined;
  return typeof action === "string" ? action : "";
}

/** Reads an event by its schema; one that does not fit is said with the first field that is wrong, never with its value. */
function reading<S extends z.ZodType>(schema: S, read: (payload: z.infer<S>, context: Context) => RunRequest | Ignored): Reader {
  return (payload, context) => {
    const parsed = schema.safeParse(payload);
    if (parsed.success) return read(parsed.data, context);
    const [issue] = parsed.error.issues;
    return ignored(`the payload is incomplete: ${issue?.path.join(".") ?? "it"} is not as GitHub describes it`);
  };
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    "issue_comment.created",
    reading(issueCommentEvent, (payload, context) => {
      const { issue, comment } = payload;
      return spoken(payload, context, {
        author: comment.user,
        via: comment.performed_via_github_app?.id,
        words: comment.body,
        source: { kind: "issue-comment", id: comment.id },
        thread: { kind: issue.pull_request ? "pull-request" : "issue", number: issue.number },
        about: issue,
      });
    }),
  ],
  [
    "pull_request_review_comment.created",
    reading(reviewCommentEvent, (payload, context) => {
      const { pull_request: pull, comment } = payload;
      return spoken(payload, context, {
        author: comment.user,
        via: comment.performed_via_github_app?.id,
        words: comment.body,
        source: { kind: "review-comment", id: comment.id },
        thread: { kind: "pull-request", number: pull.number, reviewCommentId: comment.in_reply_to_id ?? comment.id },
        about: pull,
        pull: pinOf(pull, payload, context),
      });
    }),
  ],
  [
    "pull_request_review.submitted",
    reading(reviewEvent, (payload, context) => {
      const { pull_request: pull, review } = payload;
      return spoken(payload, context, {
        author: review.user,
        words: review.body,
        source: { kind: "review", id: review.id },
        thread: { kind: "pull-request", number: pull.number },
        about: pull,
        pull: pinOf(pull, payload, context),
      });
    }),
  ],
  [
    "issues.opened",
    reading(issueEvent, (payload, context) => {
      const { issue } = payload;
      const said = spoken(payload, context, {
        author: issue.user,
        via: issue.performed_via_github_app?.id,
        words: issue.body,
        source: { kind: "issue", id: issue.number },
        thread: { kind: "issue", number: issue.number },
        about: issue,
      });
      return "ignored" in said ? newIssue(payload, context) : said;
    }),
  ],
  [
    "pull_request.opened",
    reading(pullRequestEvent, (payload, context) => {
      const { pull_request: pull } = payload;
      const said = spoken(payload, context, {
        author: pull.user,
        words: pull.body,
        source: { kind: "pull-request", id: pull.number },
        thread: { kind: "pull-request", number: pull.number },
        about: pull,
        pull: pinOf(pull, payload, context),
      });
      const review = reviewUnasked(payload, context);
      if ("ignored" in said || "ignored" in review) return "ignored" in said ? review : said;
      const { byBot, labels } = review;
      return { ...said, orReview: { ...(byBot === undefined ? {} : { byBot }), ...(labels === undefined ? {} : { labels }) } };
    }),
  ],
  ["pull_request.reopened", reading(pullRequestEvent, reviewUnasked)],
  ["pull_request.ready_for_review", reading(pullRequestEvent, reviewUnasked)],
  ["pull_request.synchronize", reading(pullRequestEvent, reviewUnasked)],
  ["pull_request.labeled", reading(pullRequestLabelEvent, reviewLabelled)],
  ["workflow_run.completed", reading(workflowRunEvent, failedCi)],
  ["push.", reading(pushEvent, pushed)],
  ["repository.renamed", reading(repositoryEvent, renamed)],
  ["repository.transferred", reading(repositoryEvent, renamed)],
  ["check_run.rerequested", reading(checkRunEvent, reviewAgain)],
  ["check_suite.rerequested", reading(checkSuiteEvent, reviewAgain)],
  ["merge_group.checks_requested", reading(mergeGroupEvent, mergeGroupMade)],
  [
    "issues.labeled",
    reading(issueLabelEvent, (payload, context) => {
      const name = payload.label?.name;
      return name === undefined ? ignored("the label is gone") : pointedAt(payload, context, { by: "label", name });
    }),
  ],
  [
    "issues.assigned",
    reading(issueAssignEvent, (payload, context) => {
      const name = payload.assignee?.login;
      if (name === undefined) return ignored("the assignee is gone");
      return pointedAt(payload, context, sameName(name, context.identity.botLogin) ? undefined : { by: "assignee", name });
    }),
  ],
]);

const GATE_READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["pull_request.opened", reading(pullRequestEvent, gateUnasked)],
  ["pull_request.reopened", reading(pullRequestEvent, gateUnasked)],
  ["pull_request.ready_for_review", reading(pullRequestEvent, gateUnasked)],
  ["pull_request.synchronize", reading(pullRequestEvent, gateUnasked)],
  ["pull_request.edited", reading(pullRequestEditEvent, gateEdited)],
  ["check_run.rerequested", reading(checkRunEvent, gateAgain)],
  ["check_suite.rerequested", reading(checkSuiteEvent, gateAgain)],
  ["merge_group.checks_requested", reading(mergeGroupEvent, gateMergeGroup)],
]);
