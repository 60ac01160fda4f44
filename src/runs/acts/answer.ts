import { answerApproval } from "../../gate/approvals.ts";
import { storeApprovals, type StoredApproval, type StoredApprovals } from "../../store/approvals.ts";
import { appendAudit } from "../../store/audit.ts";
import { readRun, threadKey } from "../../store/runs.ts";
import { threadRuns } from "../../store/threads.ts";
import { codeSpan } from "../../text/code-span.ts";
import { failed, type Act, type ActContext } from "./act.ts";
import { usageOf } from "./help.ts";
import { whyNotAnswer } from "./may-answer.ts";

export const approve: Act = (context, id) => answer(context, "approved", id);
export const deny: Act = (context, id) => answer(context, "denied", id);

/** Answers a run's question. What comes of it is said in that run's own comment; why nothing comes of it, here. */
async function answer(context: ActContext, kind: "approved" | "denied", said: string | undefined) {
  const { database, thread, request, handle, log } = context;
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
  if (threadKey(about.request) !== thread) return failed(`${name} was asked on #${about.request.thread.number}: answer it there.`);
  if (stored.voided !== undefined) return failed(`${name} counts no more: the run has asked about something else since. ${waiting}`);
  const why = await whyNotAnswer(context, { about, stored });
  const answered = await answerApproval(approvals, { id, kind, by: request.actor }, () => why === undefined);
  if (answered.status === "not-allowed") return failed(why ?? "You may not answer this.");
  // A second try after a crash finds its own answer.
  if (answered.status === "unanswerable" && !isOwn(await approvals.byId(id), kind, request.actor.id))
    return failed(`${name} cannot be answered: ${answered.why}. ${waiting}`);
  await appendAudit(database, {
    kind: "answer",
    run: stored.run,
    approval: id,
    answer: kind,
    by: request.actor.login,
    byId: request.actor.id,
  });
  const { owner, name: repository } = about.request.repository;
  const run = { id: stored.run, repository: { owner, name: repository }, trigger: about.request.trigger };
  context.extensions?.emit("approval.answered", { run, id, approved: kind === "approved", by: request.actor.login });
  log.info({ approval: id, kind, about: stored.run }, "an approval was answered");
  return { do: "nothing-more" } as const;
}

async function waitingHere({ database, thread, run }: ActContext, approvals: StoredApprovals): Promise<string> {
  const waits = (await threadRuns(database, thread, run.id)).filter(({ state }) => state === "waiting");
  const ids = (await Promise.all(waits.map(({ id }) => approvals.waiting(id)))).flat().map(({ id }) => codeSpan(id));
  return ids.length === 0 ? "Nothing on this thread waits for an answer." : `Waiting on this thread: ${ids.join(", ")}.`;
}

function isOwn(stored: StoredApproval | undefined, kind: "approved" | "denied", by: number): boolean {
  return stored?.answer?.kind === kind && stored.answer.by.id === by;
}
