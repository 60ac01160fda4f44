import type { RunRequest } from "../core/run.ts";
import type { Settings } from "./settings.ts";

/** Why a run of its kind is not wanted, or not now; undefined where it is. `now`: for tests. */
export function whyNotOfItsKind(
  { trigger, unasked, ci }: Pick<RunRequest, "trigger" | "unasked" | "ci">,
  { ci: failed, triggers, quiet_hours }: Pick<Settings, "ci" | "triggers" | "quiet_hours">,
  now: Date = new Date(),
): string | undefined {
  if (ci !== undefined && failed.mode === "off") return "failed CI is not looked at";
  if (trigger === "triage" && triggers.issues === "mention") return "the issue does not mention the bot, and new issues are not looked at";
  const isAsked = unasked !== true && ci === undefined && trigger !== "task";
  if (!isAsked && quiet_hours !== undefined && isQuiet(quiet_hours, now))
    return `it is quiet from ${quiet_hours.from} to ${quiet_hours.to}`;
  return undefined;
}

/** Whether the time of the day lies between the two, over midnight too. What is no time zone is UTC. */
export function isQuiet({ from, to, timezone = "UTC" }: NonNullable<Settings["quiet_hours"]>, now: Date): boolean {
  const time = clockIn(timezone, now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

function clockIn(timeZone: string, now: Date): string {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(now);
  } catch {
    return clockIn("UTC", now);
  }
}
