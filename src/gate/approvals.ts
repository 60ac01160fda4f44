import type { Decision, Finding } from "../core/result.ts";
import type { Actor, RunView } from "../core/run.ts";
import type { Awaitable } from "./judged.ts";

/** A question about one operation of one run, as the gate sees it. */
export interface Approval {
  /** Short, and can be spoken. */
  readonly id: string;
  readonly expires: Date;
  readonly answer?: { readonly kind: "approved" | "denied"; readonly by: Pick<Actor, "id" | "login"> };
}

/** Where questions and answers are kept. What has expired is as though it had never been. */
export interface ApprovalStore<A extends Approval = Approval> {
  /** The live one for exactly this operation: its digest is that of the whole change set and all texts. */
  find(key: { readonly run: string; readonly digest: string }): Promise<A | undefined>;
  request(wish: {
    readonly run: string;
    readonly digest: string;
    readonly operation: string;
    readonly findings: readonly Finding[];
    readonly hours: number;
  }): Promise<A>;
  byId(id: string): Promise<A | undefined>;
  /** Undefined when there is nothing to answer any more. */
  answer(id: string, kind: "approved" | "denied", by: Pick<Actor, "id" | "login">): Promise<A | undefined>;
}

/** What a decision that asks came to once people were looked up, and the approval that it hangs on. */
export interface Settled {
  readonly decision: Decision;
  readonly approval: string;
}

/**
 * Turns a decision that asks into one that is answered: allowed with a live approval for exactly this operation, blocked where somebody has
 * denied it, else waiting, by an id under which people can answer. Nothing but the findings that ask is changed.
 */
export async function settleAsk(
  decision: Decision,
  { run, digest, operation }: { readonly run: RunView; readonly digest: string; readonly operation: string },
  { approvals, hours }: { readonly approvals: ApprovalStore; readonly hours: number },
): Promise<Settled> {
  const key = { run: run.id, digest };
  const asking = decision.findings.filter(({ severity }) => severity === "ask");
  const approval = (await approvals.find(key)) ?? (await approvals.request({ ...key, operation, findings: asking, hours }));
  const { id, expires, answer } = approval;
  const told = (severity: Finding["severity"], say: (why: string) => string): readonly Finding[] =>
    decision.findings.map((finding) => (finding.severity === "ask" ? { ...finding, severity, why: say(finding.why) } : finding));
  if (answer?.kind === "approved") {
    return {
      approval: id,
      decision: { verdict: "allow", findings: told("warn", (why) => `${why} (approved by ${answer.by.login}, ${id})`) },
    };
  }
  if (answer?.kind === "denied") {
    return { approval: id, decision: { verdict: "block", findings: told("block", (why) => `${answer.by.login} denied ${id}: ${why}`) } };
  }
  const until = `${expires.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return { approval: id, decision: { verdict: "ask", findings: told("ask", (why) => `waits for approval ${id} until ${until}: ${why}`) } };
}

/** What a finding says without the question that people were asked about it: the same each time that it is asked. */
export function withoutQuestion(why: string): string {
  return why.replace(/^waits for approval [a-z]{5}-[a-z]{5} until [-\d]{10} [:\d]{5} UTC: /, "");
}

/** What became of an answer. `unanswerable`: there is no such question, it was answered before, or its time is over. */
export type Answered<A extends Approval> =
  | { readonly status: "answered"; readonly approval: A }
  | { readonly status: "not-allowed"; readonly approval: A }
  | { readonly status: "unanswerable"; readonly why: string };

/**
 * Answers a question. Who may is for the caller to say, who knows the repository's permissions, teams and code owners; it is asked before
 * anything is written, and an error is a no.
 */
export async function answerApproval<A extends Approval>(
  approvals: ApprovalStore<A>,
  { id, kind, by }: { readonly id: string; readonly kind: "approved" | "denied"; readonly by: Pick<Actor, "id" | "login"> },
  mayAnswer: (approval: A) => Awaitable<boolean>,
): Promise<Answered<A>> {
  const approval = await approvals.byId(id);
  if (approval === undefined) return { status: "unanswerable", why: `there is no approval ${id}` };
  if (!(await mayAnswer(approval))) return { status: "not-allowed", approval };
  const answered = await approvals.answer(id, kind, by);
  if (answered !== undefined) return { status: "answered", approval: answered };
  const { answer } = (await approvals.byId(id)) ?? approval;
  return { status: "unanswerable", why: answer === undefined ? `${id} has expired` : `${answer.by.login} ${answer.kind} ${id} before` };
}
