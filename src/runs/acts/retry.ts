import { threadRuns } from "../../store/threads.ts";
import { failed, type Act } from "./act.ts";
import { whyNoGo } from "./as-run.ts";

const UNFINISHED: readonly string[] = ["queued", "working", "waiting"];

/** Runs the thread's last request again, as a run of whoever asks for it now, on the commits as they are now. */
export const retry: Act = async (context) => {
  const { database, thread, run, request } = context;
  const [last] = await threadRuns(database, thread, run.id);
  if (last === undefined) return failed("There is nothing to retry: nobody has asked me for anything on this thread yet.");
  if (UNFINISHED.includes(last.state)) return failed(`The last run of this thread has not ended: it is ${last.state}. Stop it first.`);
  // Whoever has a plan carried out once more needs what they need who had it carried out before.
  const why = last.request.command?.name === "go" ? await whyNoGo(context) : undefined;
  if (why !== undefined) return failed(why);
  const { pull: _, ...again } = last.request;
  const { deliveryId, actor, source, command } = request;
  return { do: "run", request: { ...again, deliveryId, actor, source, command: last.request.command ?? command ?? { name: "retry" } } };
};
