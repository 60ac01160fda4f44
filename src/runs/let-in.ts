import { isMuted, isThreadBusy } from "../store/threads.ts";
import { threadKey } from "../store/runs.ts";
import { sayQueued } from "./last-words.ts";
import { authorize } from "./phases/authorize.ts";
import type { RunContext, RunDependencies } from "./run-context.ts";

/**
 * The first step of a run: on a thread where the bot is to be silent only commands count; who has to wait for another run of the thread is
 * told so.
 */
export async function letIn(context: RunContext, dependencies: RunDependencies): Promise<"go" | "drop"> {
  const { run, request, log } = context;
  const { database } = dependencies;
  const thread = threadKey(request);
  if (database !== undefined && request.command === undefined && (await isMuted(database, thread))) {
    log.info({ number: request.thread.number }, "the thread is muted");
    return "drop";
  }
  const answer = await authorize(context, dependencies);
  if (answer === "go" && database !== undefined && (await isThreadBusy(database, thread, run.id))) await sayQueued(context, dependencies);
  return answer;
}
