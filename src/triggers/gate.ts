import type { z } from "zod";
import type { Ignored, RunRequest } from "../core/run.ts";
import { ignored, isBotAccount, pinOf, repositoryOf, type Context } from "./accept.ts";
import type { checkRunEvent, checkSuiteEvent, mergeGroupEvent, pullRequestEvent, pullRequestEditEvent } from "./payload.ts";
import { checkAgain, GHOST, mergeGroupMade } from "./review.ts";

/** The check run by which the gate speaks of everybody's pull requests. */
const GATE_CHECK = "sallyport/gate";

/**
 * A pull request that was opened, or has a new head: the gate judges it, whoever made it, the bot itself and drafts included. Nobody is asked
 * for a permission, since nothing of what is judged is carried out.
 */
export function gateUnasked(payload: z.infer<typeof pullRequestEvent>, context: Context): RunRequest | Ignored {
  const { pull_request: pull, repository, sender } = payload;
  if (repository.archived === true) return ignored("the repository is archived");
  if (pull.state === "closed") return ignored("the pull request is closed");
  const author = pull.user ?? sender ?? GHOST;
  return ofGate({
    trigger: "gate",
    deliveryId: context.deliveryId,
    repository: repositoryOf(payload),
    thread: { kind: "pull-request", number: pull.number },
    actor: { id: author.id, login: author.login, isBot: isBotAccount(author) },
    source: { kind: "pull-request", id: pull.number },
    title: pull.title,
    body: "",
    text: "",
    pull: pinOf(pull, payload, context),
    unasked: true,
    quiet: true,
  });
}

/** A pull request has got another base: the same head is another change. */
export function gateEdited(payload: z.infer<typeof pullRequestEditEvent>, context: Context): RunRequest | Ignored {
  return payload.changes?.base == null ? ignored("what was edited is no base") : gateUnasked(payload, context);
}

/** Somebody asks for the gate's check to be made again: they need the permission. */
export function gateAgain(
  payload: z.infer<typeof checkRunEvent> | z.infer<typeof checkSuiteEvent>,
  context: Context,
): RunRequest | Ignored {
  const made = checkAgain(payload, context, GATE_CHECK);
  return "ignored" in made ? made : ofGate({ ...made, trigger: "gate" });
}

/** A commit of the merge queue's: what it holds was judged on its pull requests. */
export function gateMergeGroup(payload: z.infer<typeof mergeGroupEvent>, context: Context): RunRequest | Ignored {
  const made = mergeGroupMade(payload, context);
  return "ignored" in made ? made : ofGate({ ...made, trigger: "gate" });
}

/** The delivery that makes other runs as well makes this one beside them; of one head there is one at a time, whatever pull requests have it. */
function ofGate(request: RunRequest): RunRequest {
  const head = request.pull?.headSha ?? request.onlyHead ?? request.mergeGroup?.headSha ?? "";
  return { ...request, deliveryId: `${request.deliveryId}/gate`, slot: `gate:${head}` };
}
