import type { z } from "zod";
import type { Ignored, RunRequest } from "../core/run.ts";
import { ignored, isBotAccount, pinOf, request, sameName, type Context } from "./accept.ts";
import type { checkRunEvent, checkSuiteEvent, mergeGroupEvent, pullRequestEvent, pullRequestLabelEvent } from "./payload.ts";

/** The check run by which reviews speak. */
const REVIEW_CHECK = "sallyport";
/** GitHub lets an issue bear a hundred. */
const MOST_LABELS = 100;

/**
 * A pull request that was opened, or got new commits: it is reviewed although nobody asked. Drafts are when they are ready, the bot's own
 * never, but for what people push to them.
 */
export function reviewUnasked(payload: z.infer<typeof pullRequestEvent>, context: Context): RunRequest | Ignored {
  const { pull_request: pull, action, sender } = payload;
  if (pull.draft === true) return ignored("a draft is reviewed once it is ready");
  const isOwn = sameName(pull.user?.login, context.identity.botLogin);
  if (isOwn && action !== "synchronize") return ignored("the App's own events start no review of its own pull requests");
  const made = request(
    payload,
    context,
    {
      author: sender,
      words: "",
      source: { kind: "pull-request", id: pull.number },
      thread: { kind: "pull-request", number: pull.number },
      about: pull,
      pull: pinOf(pull, payload, context),
    },
    "",
  );
  if ("ignored" in made) return made;
  const isByBot = !isOwn && pull.user !== null && pull.user !== undefined && isBotAccount(pull.user);
  const labels = (pull.labels ?? []).slice(0, MOST_LABELS).map(({ name }) => name.toWellFormed());
  return { ...made, trigger: "review", unasked: true, quiet: true, labels, ...(isByBot ? { byBot: true } : {}) };
}

/** A pull request got a label: it is reviewed where that is the one that pull requests must bear to be. */
export function reviewLabelled(payload: z.infer<typeof pullRequestLabelEvent>, context: Context): RunRequest | Ignored {
  const name = payload.label?.name.toWellFormed();
  if (name === undefined) return ignored("the label is gone");
  if (payload.pull_request.state === "closed") return ignored("the pull request is closed");
  const made = reviewUnasked(payload, context);
  return "ignored" in made ? made : { ...made, pointed: { by: "label", name } };
}

/** Somebody asks for a review to be made again: they need the permission, and are answered by the check. */
export function reviewAgain(
  payload: z.infer<typeof checkRunEvent> | z.infer<typeof checkSuiteEvent>,
  context: Context,
): RunRequest | Ignored {
  return checkAgain(payload, context, REVIEW_CHECK);
}

/** Somebody asks for a check of the bot's to be run again: a review of its head, by whatever name the check has. */
export function checkAgain(
  payload: z.infer<typeof checkRunEvent> | z.infer<typeof checkSuiteEvent>,
  context: Context,
  name: string,
): RunRequest | Ignored {
  const check = "check_run" in payload ? payload.check_run : payload.check_suite;
  if (check.app?.id !== context.identity.appId) return ignored("the check is not the App's own");
  if ("check_run" in payload && payload.check_run.name !== name) return ignored(`the check is not ${name}`);
  const number = check.pull_requests.find(({ head }) => head.sha === check.head_sha)?.number ?? numberIn(payload);
  if (number === undefined) return ignored("the check names no pull request of that head");
  const made = request(
    payload,
    context,
    {
      author: payload.sender,
      words: "",
      source: { kind: "pull-request", id: number },
      thread: { kind: "pull-request", number },
      about: { title: "", body: "" },
    },
    "",
  );
  return "ignored" in made ? made : { ...made, trigger: "review", quiet: true, onlyHead: check.head_sha };
}

/** The pull request that a check run of ours was made for: of a fork's, GitHub's event names none. */
function numberIn(payload: z.infer<typeof checkRunEvent> | z.infer<typeof checkSuiteEvent>): number | undefined {
  const id = "check_run" in payload ? payload.check_run.external_id : undefined;
  const [, number] = /^[0-9a-z]{26}\/([1-9]\d{0,9})$/.exec(id ?? "") ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The merge queue asks for the checks of a commit that it made, which may hold several pull requests. */
export function mergeGroupMade(payload: z.infer<typeof mergeGroupEvent>, context: Context): RunRequest | Ignored {
  const { head_sha: headSha } = payload.merge_group;
  const made = request(
    payload,
    context,
    {
      author: payload.sender ?? GHOST,
      words: "",
      source: { kind: "pull-request", id: 0 },
      thread: { kind: "none", number: 0 },
      about: { title: "", body: "" },
    },
    "",
  );
  return "ignored" in made ? made : { ...made, trigger: "review", unasked: true, quiet: true, mergeGroup: { headSha } };
}

/** Whom GitHub shows where there is nobody. */
export const GHOST = { id: 10137, login: "ghost", type: "User" };
