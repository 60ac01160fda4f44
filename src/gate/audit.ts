import type { Decision, WriteOutcome } from "../core/result.ts";
import type { RunView } from "../core/run.ts";
import type { FrozenOperation } from "./freeze.ts";
import { operationDigest, targetOf } from "./operation-digest.ts";

/** One row of the audit log. It holds names, ids and digests: no text that was published, no file, no secret. */
export type AuditEntry = DecisionEntry | OutcomeEntry;

interface Audited {
  readonly run: string;
  readonly trigger: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly operation: string;
  readonly target: string;
}
/** The outer door decided about an operation: the intent of what is written afterwards. */
interface DecisionEntry extends Audited {
  readonly kind: "decision";
  readonly verdict: Decision["verdict"];
  /** Each rule that found something, with its severity, once. */
  readonly rules: readonly { readonly rule: string; readonly severity: string; readonly findings: number }[];
  /** Of the operation, to the byte; absent for one that could not be read. */
  readonly digest?: string;
  /** The approval that it waits for, or that let it through. */
  readonly approval?: string;
}
/** What became of an operation that was let through. */
interface OutcomeEntry extends Audited {
  readonly kind: "outcome";
  readonly digest: string;
  readonly outcome:
    | { readonly status: "done"; readonly id?: number; readonly sha?: string; readonly url?: string }
    | { readonly status: "failed"; readonly code: string };
}

/** Where rows go. Resolves once the row is durable. */
export interface AuditLog {
  record(entry: AuditEntry): Promise<unknown>;
}

/** The row for a decision of the outer door. */
export function decisionEntry(run: RunView, decision: Decision, frozen: FrozenOperation | undefined, approval?: string): AuditEntry {
  const rules = new Map<string, { readonly rule: string; readonly severity: string; findings: number }>();
  for (const { rule, severity } of decision.findings) {
    const key = JSON.stringify([rule, severity]);
    const known = rules.get(key) ?? { rule, severity, findings: 0 };
    known.findings += 1;
    rules.set(key, known);
  }
  return {
    kind: "decision",
    ...audited(run, frozen),
    verdict: decision.verdict,
    rules: [...rules.values()],
    ...(frozen === undefined ? {} : { digest: operationDigest(frozen) }),
    ...(approval === undefined ? {} : { approval }),
  };
}

/** How an operation ended: what GitHub made of it, or the code of the error. */
export type WriteEnd = { readonly outcome: WriteOutcome } | { readonly failed: string };

/** The row for what became of an operation. */
export function outcomeEntry(run: RunView, frozen: FrozenOperation, end: WriteEnd): AuditEntry {
  const digest = operationDigest(frozen);
  if ("failed" in end) return { kind: "outcome", ...audited(run, frozen), digest, outcome: { status: "failed", code: end.failed } };
  const { id, sha, url } = end.outcome;
  const outcome = {
    status: "done" as const,
    ...(id !== undefined && { id }),
    ...(sha !== undefined && { sha }),
    ...(url !== undefined && { url }),
  };
  return { kind: "outcome", ...audited(run, frozen), digest, outcome };
}

function audited({ id, trigger, repository }: RunView, frozen: FrozenOperation | undefined): Audited {
  return {
    run: id,
    trigger,
    repository: `${repository.owner}/${repository.name}`,
    operation: frozen?.operation.kind ?? "unreadable",
    target: frozen === undefined ? "" : targetOf(frozen.operation),
  };
}
