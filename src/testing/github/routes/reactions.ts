import { ApiError } from "../api-error.ts";
import { requiredText } from "../fields.ts";
import { page } from "../paginate.ts";
import { isReaction, reactionPayload } from "../payloads/issue.ts";
import { created, numberIn, ok, present, repositoryRoute, type Route } from "../route.ts";
import { addReaction } from "../seed/reviews.ts";
import type { ReactionTarget, Repository } from "../state.ts";

const EITHER = ["issues", "pull_requests"];

export const REACTION_ROUTES = [
  ...reactionRoutes("/issues/comments/{comment_id}", "issue-comment", EITHER, ({ comments }) => comments),
  ...reactionRoutes("/pulls/comments/{comment_id}", "review-comment", ["pull_requests"], ({ reviewComments }) => reviewComments),
  ...reactionRoutes("/issues/{issue_number}", "issue", EITHER, ({ issues }) => issues),
];

function reactionRoutes(
  path: string,
  target: ReactionTarget,
  anyOf: readonly string[],
  of: (repository: Repository) => ReadonlyMap<number, unknown>,
): Route[] {
  const id = target === "issue" ? "issue_number" : "comment_id";
  return [
    repositoryRoute(`GET ${path}/reactions`, anyOf, (call) => {
      const targetId = numberIn(call, id);
      present(of(call.repository).get(targetId));
      const here = call.repository.reactions.filter((reaction) => reaction.target === target && reaction.targetId === targetId);
      return page(call, here, (reaction) => reactionPayload(call.world, reaction));
    }),
    repositoryRoute(`POST ${path}/reactions`, anyOf, (call) => {
      const { world, repository, body, login } = call;
      const targetId = numberIn(call, id);
      present(of(repository).get(targetId));
      const content = requiredText(body, "content");
      if (!isReaction(content)) throw new ApiError(422, `Invalid request.\n\n${content} is not a reaction.`);
      if (isLocked(repository, target, targetId)) throw new ApiError(403, "Unable to create reaction because issue is locked.");
      const { reaction, isNew } = addReaction(world, repository, { target, targetId, content, user: login });
      return (isNew ? created : ok)(reactionPayload(world, reaction));
    }),
  ];
}

function isLocked({ issues, comments, reviewComments }: Repository, target: ReactionTarget, id: number): boolean {
  const comment = target === "issue-comment" ? comments.get(id) : reviewComments.get(id);
  return issues.get(target === "issue" ? id : (comment?.number ?? 0))?.locked ?? false;
}
