import { z } from "zod";

/*
 * The few fields of each event that are read, as strict as the product needs them and as lax as GitHub is with the rest.
 * Deleted accounts, empty texts and deleted forks arrive as null. Source: https://docs.github.com/webhooks/webhook-events-and-payloads
 */

const id = z.int().positive();
/** A text that may be missing. Half surrogate pairs, which JSON can carry, would make later requests malformed. */
const words = z
  .string()
  .nullish()
  .transform((text) => (text ?? "").toWellFormed());
const sha = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

const user = z.object({ id, login: z.string().min(1), type: z.string().nullish() });
export type User = z.infer<typeof user>;

const app = z.object({ id: z.int() }).nullish();

const envelope = z.object({
  action: z.string(),
  installation: z.object({ id }),
  repository: z.object({
    id,
    name: z.string().min(1),
    owner: z.object({ login: z.string().min(1) }),
    private: z.boolean(),
    default_branch: z.string().min(1),
    archived: z.boolean().nullish(),
  }),
  sender: user.nullish(),
});

const issue = z.object({
  number: id,
  title: words,
  body: words,
  user: user.nullish(),
  pull_request: z.object({}).nullish(),
  performed_via_github_app: app,
});

const end = z.object({ ref: z.string().min(1), sha, repo: z.object({ id }).nullish() });
const pullRequest = z.object({
  number: id,
  title: words,
  body: words,
  user: user.nullish(),
  head: end,
  base: end,
  draft: z.boolean().nullish(),
  state: z.string().nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
});
export type PullRequest = z.infer<typeof pullRequest>;

const comment = z.object({ id, body: words, user: user.nullish(), performed_via_github_app: app, in_reply_to_id: id.nullish() });

export const issueCommentEvent = envelope.extend({ issue, comment });
export const reviewCommentEvent = envelope.extend({ pull_request: pullRequest, comment });
export const reviewEvent = envelope.extend({ pull_request: pullRequest, review: z.object({ id, body: words, user: user.nullish() }) });
export const issueEvent = envelope.extend({ issue });
export const issueLabelEvent = envelope.extend({ issue, label: z.object({ name: z.string() }).nullish() });
export const issueAssignEvent = envelope.extend({ issue, assignee: user.nullish() });
export const pullRequestEvent = envelope.extend({ pull_request: pullRequest });
export const pullRequestLabelEvent = pullRequestEvent.extend({ label: z.object({ name: z.string() }).nullish() });
export const pullRequestEditEvent = pullRequestEvent.extend({ changes: z.object({ base: z.object({}).nullish() }).nullish() });
const checked = z.object({
  head_sha: sha,
  app: z.object({ id: z.int() }).nullish(),
  pull_requests: z.array(z.object({ number: id, head: z.object({ sha }) })),
});
export const checkRunEvent = envelope.extend({ check_run: checked.extend({ name: z.string(), external_id: z.string().nullish() }) });
export const checkSuiteEvent = envelope.extend({ check_suite: checked });
export const mergeGroupEvent = envelope.extend({ merge_group: z.object({ head_sha: sha }) });

const failedRun = z.object({
  id,
  name: words,
  path: words,
  head_branch: words,
  head_sha: sha,
  run_attempt: id.nullish(),
  conclusion: z.string().nullish(),
  actor: user.nullish(),
  triggering_actor: user.nullish(),
  head_repository: z.object({ id, owner: z.object({ login: z.string().min(1) }) }).nullish(),
});
export const workflowRunEvent = envelope.extend({ workflow_run: failedRun });
const names = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);
/** Alone among the events it has no action. */
export const pushEvent = envelope.omit({ action: true }).extend({
  ref: z.string(),
  commits: z
    .array(z.object({ added: names, modified: names, removed: names }))
    .nullish()
    .transform((list) => list ?? []),
});
export const repositoryEvent = envelope;
export type Envelope = z.infer<typeof envelope>;
