import { SallyportError } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import type { Operation } from "../core/operation.ts";
import type { Decision, Finding, WriteOutcome } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import type { Annotate, Gate } from "../gate/gate.ts";
import type { GitHubSession } from "../github/client.ts";
import type { Markers } from "../github/marker.ts";
import type { Once } from "../github/step.ts";
import { perform } from "../github/writer.ts";

/** Why nothing leaves a repository that is only observed. */
const OBSERVED: Finding = {
  rule: "observe",
  severity: "block",
  why: "this repository is only observed, so nothing of it is written",
  fix: "Its owners set enabled to true in .github/sallyport.yml when they have seen enough.",
};

/** What became of an operation at the outer door and behind it. */
export type Submission =
  | { readonly status: "done"; readonly decision: Decision; readonly outcome: WriteOutcome; readonly operation: Operation }
  | { readonly status: "refused"; readonly decision: Decision };

export interface SubmitOptions {
  /**
   * Names this submission within its run for ever: a resumed run that asks again under the same key gets the same outcome. Made by us and
   * free of slashes, never by the model: what stands after the slash is the step.
   */
  readonly key: string;
  /** For writes that may be repeated and need no record, such as progress on the run's comment. */
  readonly unrecorded?: boolean;
  /** Works what the gate found into the text that people will read; what comes back is judged anew before it leaves. */
  readonly annotate?: Annotate;
  /** Gives this one submission up; the run's own signal always does. */
  readonly signal?: AbortSignal;
}

/** Brings one operation through the outer door to GitHub. @throws {GitHubError} when GitHub refuses it for good. */
export type Submit = (operation: Operation, options: SubmitOptions) => Promise<Submission>;

/** The way out of one run, and what is on it. */
export interface WayOut {
  readonly submit: Submit;
  /** The key of the recorded submission that is being judged or performed now. A run makes one at a time. */
  submitting(): string | undefined;
}

export interface SubmitDependencies {
  readonly gate: Gate;
  readonly session: GitHubSession;
  readonly journal: Journal;
  readonly once: Once;
  readonly markers: Markers;
  readonly view: RunView;
  readonly signal: AbortSignal;
  /** When the run was made: nothing of it is older. */
  readonly since: Date;
  /** Whether the run is only observed: everything is judged, and nothing but check runs leaves. */
  readonly isObserved?: () => boolean;
}

/** The key under which a submission's step stands in the journal: the operation's kind is left out, so the same branch and commit are one whoever asks. */
export function stepKey(submission: string, step: string): string {
  return `${submission}/${step.slice(step.lastIndexOf("/") + 1)}`;
}

/** The key under which an own review that was never submitted is removed. The run's scope reads the review's id from it. */
export function pendingKey(reviewId: number): string {
  return `pending-${reviewId}`;
}

/** The review that a submission removes; undefined for every other one. */
export function pendingOf(submission: string | undefined): number | undefined {
  const [, id] = /^pending-(\d{1,15})$/.exec(submission ?? "") ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The key under which the conversation of an own remark is resolved. The run's scope reads both ids from it. */
export function resolveKey(commentId: number, threadId: string): string {
  return `resolve-${commentId}-${Buffer.from(threadId).toString("base64url")}`;
}

/** The conversation that a submission resolves; undefined for every other one. */
export function resolvedOf(submission: string | undefined): { readonly commentId: number; readonly threadId: string } | undefined {
  const [, id = "", thread = ""] = /^resolve-(\d{1,15})-([\w-]{1,400})$/.exec(submission ?? "") ?? [];
  return id === "" ? undefined : { commentId: Number(id), threadId: Buffer.from(thread, "base64url").toString() };
}

/** Keeps what people were asked about, to the letter: only that can be submitted once they have approved it. */
async function noteAsked(journal: Journal, { verdict, approval }: Decision, key: string, operation: Operation): Promise<void> {
  if (verdict !== "ask" || approval === undefined) return;
  if (operation.kind === "open-pull-request" || operation.kind === "commit") {
    const { changes: _, ...asked } = operation;
    await journal.append({ kind: "asked", approval, key, operation: asked });
  } else if (operation.kind === "comment") {
    await journal.append({ kind: "asked", approval, key, operation });
  }
}

/** The one way out of a run: judge → (annotate → judge) → mint → perform, each step once in the life of the run. */
export function createSubmit(dependencies: SubmitDependencies): WayOut {
  const { gate, session, journal, once, markers, view, since, isObserved } = dependencies;
  let current: string | undefined;
  const submit: Submit = async (operation, { key, unrecorded = false, annotate, signal: own }) => {
    const signal = own === undefined ? dependencies.signal : AbortSignal.any([dependencies.signal, own]);
    signal.throwIfAborted();
    if (!unrecorded) current = key;
    let shown = operation;
    const judgement = await gate.judge(operation, view, annotate && ((judged, findings) => (shown = annotate(judged, findings))));
    if (isObserved?.() === true && operation.kind !== "check-run") {
      const { findings } = judgement.decision;
      const decision: Decision = { verdict: "block", findings: [OBSERVED, ...findings] };
      if (!unrecorded) await journal.append({ kind: "decision", operation: operation.kind, key, decision });
      return { status: "refused", decision };
    }
    const { decision } = judgement;
    if (!unrecorded) await journal.append({ kind: "decision", operation: operation.kind, key, decision });
    if (!("mint" in judgement)) {
      if (!unrecorded) await noteAsked(journal, decision, key, shown);
      return { status: "refused", decision };
    }
    if (unrecorded) await journal.assertCurrent();
    const prefixed: Once = unrecorded ? (step) => step.send() : (step) => once({ ...step, key: stepKey(key, step.key) });
    let outcome: WriteOutcome;
    try {
      const assertCurrent = (): Promise<void> => journal.assertCurrent();
      outcome = await perform(judgement.operation, {
        session,
        mint: judgement.mint,
        once: prefixed,
        assertCurrent,
        markers,
        since,
        signal,
      });
    } catch (error) {
      // That it failed is what must be told; a log that cannot take it now says so at the next decision.
      const failed = error instanceof SallyportError ? error.code : "unexpected";
      await judgement.record?.({ failed }).catch(() => undefined);
      throw error;
    }
    await judgement.record?.({ outcome });
    return { status: "done", decision, outcome, operation: judgement.operation };
  };
  return { submit, submitting: () => current };
}
