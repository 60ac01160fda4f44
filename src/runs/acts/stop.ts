import { stopThread } from "../../store/endings.ts";
import { done, type Act } from "./act.ts";

/** Ends the thread's runs, at work, queued or waiting; their own comments say so. */
export const stop: Act = async ({ database, thread, run, request, log }) => {
  const stopped = await stopThread(database, { thread, before: run.id, by: request.actor.login });
  log.info({ stopped: stopped.map(({ id }) => id) }, "runs were stopped");
  return stopped.length > 0 ? { do: "nothing-more" } : done("There is nothing to stop: no run is at work or waits on this thread.");
};
