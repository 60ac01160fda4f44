import type { Reaction } from "../core/operation.ts";
import { repositoryPath } from "./repository-url.ts";
import { send } from "./send.ts";
import type { SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

const PLACES = { issue: "issues", "issue-comment": "issues/comments", "review-comment": "pulls/comments" } as const;

/** The one step of a reaction. GitHub keeps one of each kind per login, so it is simply sent again when in doubt. */
export function reactionStep({ repository, target, content, kind }: Reaction, key: string, options: SendOptions): WriteStep {
  return {
    key,
    operation: kind,
    find: () => Promise.resolve(undefined),
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, `${PLACES[target.kind]}/${target.id}/reactions`), body: { content } },
        {
          doing: `react to ${target.kind} ${target.id} of ${repository.owner}/${repository.name}`,
          accept: (data) =>
            typeof data === "object" && data !== null && "id" in data && typeof data.id === "number"
              ? { operation: kind, id: data.id }
              : undefined,
        },
        options,
      ),
  };
}
