import { invalid, LONGEST_BODY, tooLong } from "../api-error.ts";
import { optionalText, optionalTexts, optionalWord } from "../fields.ts";
import { isSince, page } from "../paginate.ts";
import { issuePayload } from "../payloads/issue.ts";
import { created, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { addIssue } from "../seed/threads.ts";
import { timestamp, type Issue } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { issueEvent } from "../webhooks/events.ts";

const EITHER = ["issues", "pull_requests"];

export const ISSUE_ROUTES = [
  repositoryRoute("GET /issues", ["issues"], (call) =>
    page(call, listed(call), (issue) => issuePayload(call.world, call.repository, issue)),
  ),
  repositoryRoute("POST /issues", ["issues"], createIssue),
  repositoryRoute("GET /issues/{issue_number}", EITHER, (call) => ok(issuePayload(call.world, call.repository, issueIn(call)))),
  repositoryRoute("PATCH /issues/{issue_number}", EITHER, editIssue),
];

/** The issue or pull request that a path names. */
export function issueIn(call: RepositoryCall): Issue {
  return present(call.repository.issues.get(numberIn(call, "issue_number")));
}

/** Newest first; pull requests are issues too. */
function listed(call: RepositoryCall): Issue[] {
  const { repository, query } = call;
  const state = query["state"] ?? "open";
  const labels = (query["labels"] ?? "").split(",").filter((label) => label !== "");
  const issues = [...repository.issues.values()].filter(
    (issue) =>
      (state === "all" || issue.state === state) &&
      labels.every((label) => issue.labels.some((name) => name.toLowerCase() === label.toLowerCase())) &&
      (query["creator"] === undefined || issue.user === query["creator"]) &&
      isSince(call, issue.updatedAt),
  );
  return query["direction"] === "asc" ? issues : issues.reverse();
}

function createIssue({ world, repository, body, login }: RepositoryCall): Answer {
  const title = optionalText(body, "title");
  const text = optionalText(body, "body") ?? null;
  if (!title) throw invalid({ resource: "Issue", field: "title", code: "missing_field" });
  if ((text ?? "").length > LONGEST_BODY) throw tooLong("Issue");
  const issue = addIssue(world, repository, { title, body: text, user: login, labels: optionalTexts(body, "labels") ?? [] });
  announce(world, issueEvent(world, repository, issue));
  return created(issuePayload(world, repository, issue));
}

function editIssue(call: RepositoryCall): Answer {
  const { world, repository, body, login } = call;
  const issue = issueIn(call);
  const text = optionalText(body, "body");
  if ((text ?? "").length > LONGEST_BODY) throw tooLong("Issue");
  const state = optionalWord(body, "state", ["open", "closed"]) ?? issue.state;
  const changed = state !== issue.state;
  issue.title = optionalText(body, "title") ?? issue.title;
  issue.body = text ?? issue.body;
  issue.labels = [...(optionalTexts(body, "labels") ?? issue.labels)];
  issue.updatedAt = timestamp();
  setState(issue, state);
  const action = changed ? (state === "closed" ? "closed" : "reopened") : "edited";
  announce(world, issueEvent(world, repository, issue, { action, sender: login }));
  return ok(issuePayload(world, repository, issue));
}

export function setState(issue: Issue, state: Issue["state"]): void {
  issue.closedAt = state === "open" ? null : (issue.closedAt ?? timestamp());
  issue.state = state;
}
