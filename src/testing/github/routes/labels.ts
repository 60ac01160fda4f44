import { optionalTexts } from "../fields.ts";
import { page } from "../paginate.ts";
import { labelPayload } from "../payloads/issue.ts";
import { notFound } from "../api-error.ts";
import { ok, repositoryRoute } from "../route.ts";
import { addLabel } from "../seed/repositories.ts";
import { announce } from "../webhooks/announce.ts";
import { issueEvent, issueLabeledEvent } from "../webhooks/events.ts";
import { issueIn } from "./issues.ts";

const EITHER = ["issues", "pull_requests"];

export const LABEL_ROUTES = [
  repositoryRoute("GET /labels", EITHER, (call) =>
    page(call, [...call.repository.labels.values()], ({ name }) => labelPayload(call.world, call.repository, name)),
  ),
  repositoryRoute("GET /issues/{issue_number}/labels", EITHER, (call) =>
    page(call, issueIn(call).labels, (name) => labelPayload(call.world, call.repository, name)),
  ),
  repositoryRoute("POST /issues/{issue_number}/labels", EITHER, (call) => {
    const { world, repository, content, body, login } = call;
    const issue = issueIn(call);
    const names = optionalTexts(Array.isArray(content) ? { labels: content } : body, "labels") ?? [];
    for (const name of names) {
      // GitHub makes a label that does not exist yet.
      if (!repository.labels.has(name.toLowerCase())) addLabel(world, repository, name);
      if (!issue.labels.includes(name)) announce(world, issueLabeledEvent(world, repository, issue, name, login));
    }
    return ok(issue.labels.map((name) => labelPayload(world, repository, name)));
  }),
  repositoryRoute("DELETE /issues/{issue_number}/labels/{name}", EITHER, (call) => {
    const { world, repository, params, login } = call;
    const issue = issueIn(call);
    const name = params["name"] ?? "";
    if (!issue.labels.includes(name)) throw notFound("Label does not exist");
    issue.labels = issue.labels.filter((label) => label !== name);
    const extra = { label: labelPayload(world, repository, name) };
    announce(world, issueEvent(world, repository, issue, { action: "unlabeled", sender: login, extra }));
    return ok(issue.labels.map((label) => labelPayload(world, repository, label)));
  }),
];
