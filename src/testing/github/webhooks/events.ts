import type { CheckRun, Issue, IssueComment, Pull, Repository, Review, ReviewComment, WorkflowRun, World } from "../state.ts";
import { repositoryOf } from "../state.ts";
import { nodeId } from "../urls.ts";
import { addUser } from "../seed/accounts.ts";
import { accountOf, userPayload } from "../payloads/account.ts";
import { checkRunPayload } from "../payloads/check-run.ts";
import { commentPayload, issuePayload, labelPayload } from "../payloads/issue.ts";
import { pullPayload } from "../payloads/pull.ts";
import { repositoryPayload } from "../payloads/repository.ts";
import { reviewCommentPayload, reviewPayload } from "../payloads/review.ts";
import { workflowPayload, workflowRunPayload } from "../payloads/workflow-run.ts";

/** A webhook before it is signed: the event's name as the header has it, and the body. */
export interface WebhookEvent {
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What may differ from the usual: who did it (by default the author), and more fields, which win. */
export interface EventOptions {
  readonly action?: string;
  readonly sender?: string | null;
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface EventParts extends EventOptions {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function event(world: World, named: string | Repository, { name, action, sender, fields, extra }: EventParts): WebhookEvent {
  const repository = repositoryOf(world, named);
  if (sender) addUser(world, sender);
  const owner = accountOf(world, repository.owner);
  const organization = { login: owner.login, id: owner.id, node_id: nodeId("Organization", owner.id) };
  return {
    name,
    payload: {
      action,
      ...fields,
      repository: repositoryPayload(world, repository),
      ...(owner.type === "Organization" ? { organization } : {}),
      sender: userPayload(world, sender ?? "ghost"),
      installation: { id: world.app.installationId, node_id: nodeId("IntegrationInstallation", world.app.installationId) },
      ...extra,
    },
  };
}

/** `issue_comment`: created, edited or deleted; also for comments on pull requests. */
export function issueCommentEvent(
  world: World,
  named: string | Repository,
  comment: IssueComment,
  options: EventOptions = {},
): WebhookEvent {
  const repository = repositoryOf(world, named);
  const issue = repository.issues.get(comment.number);
  if (!issue) throw new Error(`${repository.fullName} has no issue or pull request ${comment.number}.`);
  const fields = { issue: issuePayload(world, repository, issue), comment: commentPayload(world, repository, comment) };
  return event(world, repository, { name: "issue_comment", action: "created", sender: comment.user, ...options, fields });
}

/** `issues`: opened, edited, closed, reopened. */
export function issueEvent(world: World, named: string | Repository, issue: Issue, options: EventOptions = {}): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = { issue: issuePayload(world, repository, issue) };
  return event(world, repository, { name: "issues", action: "opened", sender: issue.user, ...options, fields });
}

/** `issues.labeled` by somebody; the label is added when the issue has it not. */
export function issueLabeledEvent(world: World, named: string | Repository, issue: Issue, label: string, sender: string): WebhookEvent {
  const repository = repositoryOf(world, named);
  if (!issue.labels.includes(label)) issue.labels.push(label);
  const extra = { label: labelPayload(world, repository, label) };
  return issueEvent(world, repository, issue, { action: "labeled", sender, extra });
}

/** `issues.assigned` by somebody; the assignee is added when the issue has it not. */
export function issueAssignedEvent(world: World, named: string | Repository, issue: Issue, assignee: string, sender: string): WebhookEvent {
  addUser(world, assignee);
  if (!issue.assignees.includes(assignee)) issue.assignees.push(assignee);
  return issueEvent(world, named, issue, { action: "assigned", sender, extra: { assignee: userPayload(world, assignee) } });
}

/** `pull_request`: opened, reopened, synchronize, ready_for_review, closed, edited. */
export function pullRequestEvent(world: World, named: string | Repository, pull: Pull, options: EventOptions = {}): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = { number: pull.number, pull_request: pullPayload(world, repository, pull) };
  return event(world, repository, { name: "pull_request", action: "opened", sender: pull.user, ...options, fields });
}

/** `pull_request_review_comment`: created or edited. */
export function reviewCommentEvent(
  world: World,
  named: string | Repository,
  comment: ReviewComment,
  options: EventOptions = {},
): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = {
    pull_request: pullPayload(world, repository, pullOf(repository, comment.number)),
    comment: reviewCommentPayload(world, repository, comment),
  };
  const name = "pull_request_review_comment";
  return event(world, repository, { name, action: "created", sender: comment.user, ...options, fields });
}

/** `pull_request_review`: submitted. Its state is in lower case here, unlike in the API. */
export function reviewEvent(world: World, named: string | Repository, review: Review, options: EventOptions = {}): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = {
    pull_request: pullPayload(world, repository, pullOf(repository, review.number)),
    review: { ...reviewPayload(world, repository, review), state: review.state.toLowerCase() },
  };
  return event(world, repository, { name: "pull_request_review", action: "submitted", sender: review.user, ...options, fields });
}

/** `check_run`: created, completed, or rerequested by somebody. */
export function checkRunEvent(world: World, named: string | Repository, run: CheckRun, options: EventOptions = {}): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = { check_run: checkRunPayload(world, repository, run) };
  return event(world, repository, { name: "check_run", action: "completed", sender: world.app.botLogin, ...options, fields });
}

/** `workflow_run`: completed, requested or in_progress. */
export function workflowRunEvent(world: World, named: string | Repository, run: WorkflowRun, options: EventOptions = {}): WebhookEvent {
  const repository = repositoryOf(world, named);
  const fields = { workflow_run: workflowRunPayload(world, repository, run), workflow: workflowPayload(world, repository, run) };
  return event(world, repository, { name: "workflow_run", action: "completed", sender: run.triggeringActor, ...options, fields });
}

function pullOf(repository: Repository, number: number): Pull {
  const pull = repository.pulls.get(number);
  if (!pull) throw new Error(`${repository.fullName} has no pull request ${number}.`);
  return pull;
}
