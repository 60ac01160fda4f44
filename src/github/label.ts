import type { AddLabels } from "../core/operation.ts";
import { repositoryPath } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** The one step of labelling. A label that is there stays, so it is simply sent again when in doubt. */
export function labelStep({ repository, thread, labels, kind }: AddLabels, key: string, options: SendOptions): WriteStep {
  return {
    key,
    operation: kind,
    find: () => Promise.resolve(undefined),
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, `issues/${thread.number}/labels`), body: { labels } },
        {
          doing: `label ${repository.owner}/${repository.name}#${thread.number}`,
          accept: (data) => (Array.isArray(data) ? { operation: kind } : undefined),
        },
        options,
      ),
  };
}
