import type { RunRequest } from "../core/run.ts";
import { whyNotOfItsKind } from "./meant-kinds.ts";
import type { Settings } from "./settings.ts";

/** What of the settings decides whether a request is meant for the bot. */
export type MeaningSettings = Pick<
  Settings,
  "enabled" | "label" | "bots" | "assignee" | "ignored_authors" | "review" | "ci" | "triggers" | "quiet_hours" | "gate_check"
>;

/**
 * Why a request starts nothing by the settings of its repository; undefined when it does. Asked when the request is accepted, since a webhook
 * is answered before anything can be read.
 */
export function whyNotMeant(
  request: Pick<RunRequest, "trigger" | "ci" | "actor" | "pointed" | "unasked" | "byBot" | "labels" | "mergeGroup">,
  settings: MeaningSettings,
): string | undefined {
  const { actor, pointed, unasked } = request;
  if (settings.enabled === false) return "the repository has it switched off";
  const people = request.ci?.people ?? [actor];
  const bot = unasked ? undefined : people.find(({ id, isBot }) => isBot && !settings.bots.includes(id));
  if (bot !== undefined) return `${bot.login} is a bot that is not listed under bots`;
  // It speaks in its check alone: whoever made the change, and whenever.
  if (request.trigger === "gate") return settings.gate_check.enabled ? undefined : "the gate does not check pull requests here";
  const ignored = people.find((one) => settings.ignored_authors.some((login) => sameWord(login, one.login)));
  if (ignored !== undefined) return `${ignored.login} is one of the ignored authors`;
  const why = whyNotOfItsKind(request, settings);
  if (why !== undefined || request.trigger === "triage" || request.trigger === "task") return why;
  if (unasked) return whyNotReviewed(request, settings.review);
  if (pointed?.by === "label" && !sameWord(pointed.name, settings.label)) return `the label is not ${settings.label}`;
  if (pointed?.by === "assignee" && !sameWord(pointed.name, settings.assignee)) return "the assignee is somebody else";
  return undefined;
}

/** Why a pull request is not reviewed although nobody asked for it. */
function whyNotReviewed(
  { byBot, pointed, labels = [], mergeGroup }: Pick<RunRequest, "byBot" | "pointed" | "labels" | "mergeGroup">,
  { enabled, bots, label }: Settings["review"],
): string | undefined {
  if (!enabled) return "reviews that nobody asks for are switched off";
  if (mergeGroup !== undefined) return undefined;
  if (byBot && !bots) return "other bots' pull requests are reviewed only with review.bots";
  if (pointed !== undefined && (label === undefined || !sameWord(pointed.name, label))) return "the label is not review.label";
  if (label !== undefined && ![...labels, pointed?.name ?? ""].some((one) => sameWord(one, label)))
    return `it does not bear the label ${label}`;
  return undefined;
}

/** Logins and labels compare without regard to case. */
function sameWord(one: string, other: string | undefined): boolean {
  return one.trim().toLowerCase() === other?.trim().toLowerCase();
}
