import type { z } from "zod";
import type { Ignored, RunRequest } from "../core/run.ts";
import { ignored, isBotAccount, repositoryOf, type Context } from "./accept.ts";
import type { pushEvent, repositoryEvent } from "./payload.ts";

const FILE = ".github/sallyport.yml";

/** A push to the default branch that touches the configuration: what the clock starts may be another thing now. No run comes of it. */
export function pushed(payload: z.infer<typeof pushEvent>, context: Context): RunRequest | Ignored {
  const { ref, repository, commits, sender } = payload;
  if (ref !== `refs/heads/${repository.default_branch}`) return ignored("the push is not to the default branch");
  const touched = commits.some(({ added, modified, removed }) => [...added, ...modified, ...removed].includes(FILE));
  if (!touched) return ignored("the push does not touch the configuration");
  return settingsOnly({ ...payload, action: "" }, context, sender);
}

/** A repository has another name, or another owner: what is kept of it follows. */
export function renamed(payload: z.infer<typeof repositoryEvent>, context: Context): RunRequest | Ignored {
  return settingsOnly(payload, context, payload.sender);
}

function settingsOnly(
  payload: z.infer<typeof repositoryEvent>,
  { deliveryId }: Context,
  sender: z.infer<typeof repositoryEvent>["sender"],
): RunRequest | Ignored {
  if (payload.repository.archived === true) return ignored("the repository is archived");
  const actor = sender ? { id: sender.id, login: sender.login, isBot: isBotAccount(sender) } : { id: 0, login: "ghost", isBot: false };
  return {
    trigger: "task",
    deliveryId,
    repository: repositoryOf(payload),
    thread: { kind: "none", number: 0 },
    slot: "settings",
    actor,
    source: { kind: "schedule", id: 0 },
    title: "",
    body: "",
    text: "",
    unasked: true,
    quiet: true,
    settingsOnly: true,
  };
}
