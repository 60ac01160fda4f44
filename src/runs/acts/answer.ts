import { storeApprovals, type StoredApprovals } from "../../store/approvals.ts";
import { waitingRuns } from "../../store/gate-checks.ts";
import { conversationKey, readRun } from "../../store/runs.ts";
import { codeSpan } from "../../text/code-span.ts";
import { failed, type Act, type ActContext } from "./act.ts";
import { usageOf } from "./help.ts";
import { whyNotAnswer } from "./may-answer.ts";
import { recordAnswer } from "./record-answer.ts";

export const approve: Act = (context, id) => answer(context, "approved", id);
export const deny: Act = (context, id) => answer(context, "denied", id);

/** Answers a run's question. What comes of it is said in that run's own comment; why nothing comes of it, here. */
async function answer(context: ActContext, kind: "approved" | "denied", said: string | undefined) {
  const { database, thread, request, handle } = context;
  const approvals = storeApprovals(database);
  const say = usageOf(kind === "approved" ? "approve" : "deny", handle);
  const waiting = await waitingHere(context, approvals);
  if (said === undefined) return failed(`Say ${say}, and nothing else. ${waiting}`);
  // ASCII alone is folded: other letters that lower-case to these are look-alikes.
  const id = said.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const name = codeSpan(id, 60);
  const stored = await approvals.byId(id);
  const about = stored === undefined ? undefined : await readRun(database, stored.run);
  // Questions of other repositories are nobody's business here.
  if (stored === undefined || about === undefined || about.request.repository.id !== request.repository.id)
    return failed(`There is no approval ${name}. ${waiting}`);
  if (conversationKey(about.request) !== thread) return failed(`${name} was asked on #${about.request.thread.number}: answer it there.`);
  if (stored.voided !== undefined) return failed(`${name} counts no more: the run has asked about something else since. ${waiting}`);
  const why = await whyNotAnswer(context, { about, stored });
  const answered = await recordAnswer(context, { about, stored, kind, by: request.actor }, why);
  if (answered.status === "refused") return failed(answered.why);
  if (answered.status === "unanswerable") return failed(`${name} cannot be answered: ${answered.why}. ${waiting}`);
  return { do: "nothing-more" } as const;
}

async function waitingHere({ database, request, run }: ActContext, approvals: StoredApprovals): Promise<string> {
  const here = { repositoryId: request.repository.id, number: request.thread.number, before: run.id };
  const waits = await waitingRuns(database, here);
  const ids = (await Promise.all(waits.map((id) => approvals.waiting(id)))).flat().map(({ id }) => codeSpan(id));
  return ids.length === 0 ? "Nothing on this thread waits for an answer." : `Waiting on this thread: ${ids.join(", ")}.`;
}
