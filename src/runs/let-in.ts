import { earlierLooks } from "../store/gate-checks.ts";
import { isMuted, isThreadBusy } from "../store/threads.ts";
import { threadKey } from "../store/runs.ts";
import type { Database } from "../store/sql.ts";
import { otherReviews, overtakeReviews } from "../store/reviews.ts";
import { sayQueued } from "./last-words.ts";
import type { RunRequest } from "../core/run.ts";
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
  const isMade = request.trigger === "gate" ? isJudged : isOvertaken;
  if (database !== undefined && (await isMade(context, database, thread))) return "drop";
  const answer = await authorize(context, dependencies);
  if (answer === "go" && database !== undefined && (await isThreadBusy(database, thread, run.id))) await sayQueued(context, dependencies);
  return answer;
}

/**
 * Whether a review that nobody asked for need not be made: its head was reviewed or is being read, or a newer one came. Else it is the newest,
 * and the older ones are ended.
 */
async function isOvertaken({ run, request, log }: RunContext, database: Database, thread: string): Promise<boolean> {
  const { unasked, pull } = request;
  if (unasked !== true || pull === undefined) return false;
  const others = await otherReviews(database, thread, run.id);
  const newer = others.find(({ isNewer, isAsked, state }) => isNewer && !isAsked && ALIVE.has(state));
  const same = others.find(({ isNewer, state, head }) => !isNewer && head === pull.headSha && (ALIVE.has(state) || state === "done"));
  const why = newer === undefined ? (same === undefined ? undefined : "this head is reviewed already") : "a newer head came";
  if (why !== undefined) {
    log.info({ head: pull.headSha, why }, "a review is not made");
    return true;
  }
  const overtaken = await overtakeReviews(database, { thread, run: run.id, head: pull.headSha });
  if (overtaken.length > 0) log.info({ overtaken, head: pull.headSha }, "older reviews were overtaken");
  return false;
}

/** Whether the gate has looked, or is looking, at this head against this base: several events may name it. */
async function isJudged({ run, request, log }: RunContext, database: Database, slot: string): Promise<boolean> {
  const { unasked, pull } = request;
  if (unasked !== true || pull === undefined) return false;
  const same = (await earlierLooks(database, slot, run.id)).find(
    ({ state, number, baseRef }) => number === pull.number && baseRef === pull.baseRef && state !== "failed" && state !== "cancelled",
  );
  if (same !== undefined) log.info({ head: pull.headSha, by: same.id }, "this head is judged already");
  return same !== undefined;
}

/** The review that the event of a request calls for as well; undefined where it calls for none. */
export function insteadOf(asked: RunRequest): RunRequest | undefined {
  const { orReview, command: _, ...request } = asked;
  if (orReview === undefined) return undefined;
  return { ...request, ...orReview, trigger: "review", text: "", unasked: true, quiet: true };
}

const ALIVE: ReadonlySet<string> = new Set(["queued", "working"]);
