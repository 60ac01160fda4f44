import type { RunRequest } from "../core/run.ts";
import type { Settings } from "../config/settings.ts";
import type { Tick } from "../store/schedules.ts";

const LONGEST_TITLE = 80;

/** A schedule's occurrence as the request for a run: nobody asks, the default branch's configuration does. */
export function scheduledRequest({ id, key, repository, cron, task }: Tick): RunRequest {
  const [line = ""] = task.split("\n", 1);
  return {
    trigger: "task",
    deliveryId: `schedule:${id}`,
    repository,
    thread: { kind: "none", number: 0 },
    slot: `task:${key}`,
    actor: { id: 0, login: "schedule", isBot: true },
    source: { kind: "schedule", id: 0 },
    title: line.slice(0, LONGEST_TITLE).toWellFormed(),
    body: "",
    text: task,
    unasked: true,
    quiet: true,
    schedule: { cron },
  };
}

/** Whether the configuration still has the schedule that made this request. */
export function isScheduled({ schedule, text }: RunRequest, { schedules }: Pick<Settings, "schedules">): boolean {
  return schedules.some(({ cron, task }) => cron === schedule?.cron && task === text);
}
