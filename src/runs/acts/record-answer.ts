import type { Actor } from "../../core/run.ts";
import { answerApproval } from "../../gate/approvals.ts";
import { storeApprovals, type StoredApproval } from "../../store/approvals.ts";
import { appendAudit } from "../../store/audit.ts";
import type { StoredRun } from "../../store/runs.ts";
import type { ActContext } from "./act.ts";

/** An answer to a run's question, and whose it is. */
export interface GivenAnswer {
  readonly about: StoredRun;
  readonly stored: StoredApproval;
  readonly kind: "approved" | "denied";
  readonly by: Pick<Actor, "id" | "login">;
  /** Where it was given, when that was not in a comment. */
  readonly via?: "dashboard";
}

/** What became of it; `why` is for whoever answered. */
export type RecordedAnswer = { readonly status: "answered" } | { readonly status: "refused" | "unanswerable"; readonly why: string };

/**
 * Writes an answer down, in the audit log too: the one way in which a question is answered, wherever that was said. `whyNot` is why this
 * person may not, and leaves the question as it was. The same answer of the same person a second time changes nothing more.
 */
export async function recordAnswer(
  { database, extensions, log }: Pick<ActContext, "database" | "extensions" | "log">,
  { about, stored, kind, by, via }: GivenAnswer,
  whyNot: string | undefined,
): Promise<RecordedAnswer> {
  const approvals = storeApprovals(database);
  const { id } = stored;
  if (stored.voided !== undefined) return { status: "unanswerable", why: "the run has asked about something else since" };
  const answered = await answerApproval(approvals, { id, kind, by }, () => whyNot === undefined);
  if (answered.status === "not-allowed") return { status: "refused", why: whyNot ?? "You may not answer this." };
  // A second try after a crash finds its own answer.
  if (answered.status === "unanswerable" && !isOwn(await approvals.byId(id), kind, by.id)) return answered;
  const audited = { kind: "answer", run: stored.run, approval: id, answer: kind, by: by.login, byId: by.id };
  await appendAudit(database, via === undefined ? audited : { ...audited, via });
  const { owner, name } = about.request.repository;
  const run = { id: stored.run, repository: { owner, name }, trigger: about.request.trigger };
  extensions?.emit("approval.answered", { run, id, approved: kind === "approved", by: by.login });
  log.info({ approval: id, kind, about: stored.run, ...(via === undefined ? {} : { via }) }, "an approval was answered");
  return { status: "answered" };
}

function isOwn(stored: StoredApproval | undefined, kind: "approved" | "denied", by: number): boolean {
  return stored?.answer?.kind === kind && stored.answer.by.id === by;
}
