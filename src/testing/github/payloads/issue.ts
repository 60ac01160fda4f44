import type { Issue, IssueComment, Label, ReactionTarget, Reaction, Repository, World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { associationOf } from "../access/roles.ts";
import { userPayload } from "./account.ts";
import { appPayload } from "./app.ts";

export function labelPayload(world: World, repository: Repository, name: string) {
  const known: Label = repository.labels.get(name.toLowerCase()) ?? { id: 1, name, color: "ededed", description: "" };
  return {
    id: known.id,
    node_id: nodeId("Label", known.id),
    url: apiUrl(world, repository, `/labels/${encodeURIComponent(known.name)}`),
    name: known.name,
    color: known.color,
    default: false,
    description: known.description,
  };
}

export function issuePayload(world: World, repository: Repository, issue: Issue) {
  const { number } = issue;
  const url = apiUrl(world, repository, `/issues/${number}`);
  const isPull = repository.pulls.has(number);
  const assignees = issue.assignees.map((login) => userPayload(world, login));
  return {
    id: issue.id,
    node_id: nodeId("Issue", issue.id),
    number,
    url,
    repository_url: apiUrl(world, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: webUrl(world, repository, `/${isPull ? "pull" : "issues"}/${number}`),
    title: issue.title,
    body: issue.body,
    user: userPayload(world, issue.user),
    labels: issue.labels.map((name) => labelPayload(world, repository, name)),
    state: issue.state,
    state_reason: null,
    locked: issue.locked,
    active_lock_reason: null,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: [...repository.comments.values()].filter((comment) => comment.number === number).length,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: associationOf(repository, issue.user),
    performed_via_github_app: issue.user === world.app.botLogin ? appPayload(world) : null,
    reactions: reactionRollup(repository, "issue", number, url),
    ...(isPull ? { draft: repository.pulls.get(number)?.draft ?? false, pull_request: pullLinks(world, repository, number) } : {}),
  };
}

function pullLinks(world: World, repository: Repository, number: number) {
  const html = webUrl(world, repository, `/pull/${number}`);
  const url = apiUrl(world, repository, `/pulls/${number}`);
  return { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch`, merged_at: null };
}

export function commentPayload(world: World, repository: Repository, comment: IssueComment) {
  const url = apiUrl(world, repository, `/issues/comments/${comment.id}`);
  const isPull = repository.pulls.has(comment.number);
  return {
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    url,
    html_url: webUrl(world, repository, `/${isPull ? "pull" : "issues"}/${comment.number}#issuecomment-${comment.id}`),
    issue_url: apiUrl(world, repository, `/issues/${comment.number}`),
    body: comment.body,
    user: userPayload(world, comment.user),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(repository, comment.user),
    performed_via_github_app: comment.viaApp ? appPayload(world) : null,
    reactions: reactionRollup(repository, "issue-comment", comment.id, url),
  };
}

const CONTENTS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;

/** Whether GitHub knows this reaction. */
export function isReaction(content: string): boolean {
  return (CONTENTS as readonly string[]).includes(content);
}

export function reactionRollup(repository: Repository, target: ReactionTarget, targetId: number, url: string) {
  const here = repository.reactions.filter((reaction) => reaction.target === target && reaction.targetId === targetId);
  const counts = CONTENTS.map((content) => [content, here.filter((reaction) => reaction.content === content).length]);
  return { url: `${url}/reactions`, total_count: here.length, ...(Object.fromEntries(counts) as Record<string, number>) };
}

export function reactionPayload(world: World, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId("Reaction", reaction.id),
    user: userPayload(world, reaction.user),
    content: reaction.content,
    created_at: reaction.createdAt,
  };
}
