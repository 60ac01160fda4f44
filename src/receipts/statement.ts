import { createHash } from "node:crypto";
import type { Usage } from "../core/conversation.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Severity } from "../core/result.ts";
import type { Pin, RunEnd, RunRequest } from "../core/run.ts";

/** Source: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
/** What the predicate below is; docs/receipts.md describes it. */
export const PREDICATE_TYPE = "https://github.com/sallyport/sallyport/receipt/v1";
/** Names in one list of a receipt; the rest is counted. */
const MOST_PATHS = 200;
const MOST_FINDINGS = 100;

/** What the run vouches for: a commit and the tree that it must have. */
export interface Subject {
  readonly name: string;
  readonly digest: { readonly gitCommit: string } | { readonly gitTree: string };
}

/** What a receipt says of one decision of the gate. Rules are those of the product's version unless an extension brought them. */
export interface ReceiptDecision {
  readonly operation: string;
  readonly verdict: "allow" | "ask" | "block";
  readonly approval?: string;
  readonly findings: readonly { readonly rule: string; readonly severity: Severity; readonly path?: string; readonly line?: number }[];
  readonly findingsLeftOut: number;
}

export interface Receipt {
  readonly product: { readonly name: "sallyport"; readonly version: string };
  readonly run: { readonly id: string; readonly kind: string; readonly end: RunEnd };
  readonly repository: { readonly id: number; readonly name: string };
  /** 0 for a run without a thread. */
  readonly thread: number;
  readonly pullRequest?: number;
  readonly trigger: { readonly source: string; readonly id: number; readonly delivery: string };
  readonly actor: { readonly id: number; readonly login: string; readonly isBot: boolean };
  /** The commit that was worked on, and the branch it goes to. */
  readonly base?: { readonly commit: string; readonly ref: string };
  /** Set where the work was replayed on another commit than it was made on. */
  readonly replayedOnto?: string;
  readonly models: readonly string[];
  /** SHA-256 of the system prompt, hex; absent where no model was asked. */
  readonly promptSha256?: string;
  readonly read: { readonly files: readonly string[]; readonly filesLeftOut: number; readonly unread: readonly string[] };
  readonly gate: {
    /** SHA-256 of the policy as it held for the run, hex. */
    readonly policySha256?: string;
    readonly rules: readonly { readonly name: string; readonly version: string }[];
    readonly decisions: readonly ReceiptDecision[];
  };
  readonly approvals: readonly { readonly id: string; readonly by: string; readonly answer: "approved" | "denied" }[];
  /** How the repository's tests ended last; absent where none were run. */
  readonly tests?: ReceiptTests;
  readonly usage: Usage & { readonly answers: number; readonly usd?: number };
}

export interface ReceiptTests {
  readonly command: string;
  readonly ended: string;
  /** The work has changed since. */
  readonly isOutdated: boolean;
}

export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: Receipt;
}

/** What a receipt is made of: the run, its journal, and what is known beside it. */
export interface ReceiptFacts {
  readonly runId: string;
  readonly request: RunRequest;
  readonly pin: Pin | undefined;
  readonly end: RunEnd;
  readonly entries: readonly JournalEntry[];
  readonly unread: readonly string[];
  readonly tests?: ReceiptTests;
  readonly version: string;
  /** The rules that the gate has, each with the version of what brought it. */
  readonly rules: readonly { readonly name: string; readonly version: string }[];
}

/**
 * The statement of a run that has published a commit, read a pull request or judged one; undefined for one that has nothing to vouch for. Made of the journal
 * alone, so that a run that is taken up again makes the same one.
 */
export function statementOf(facts: ReceiptFacts): Statement | undefined {
  const { runId, request, pin, entries } = facts;
  const published = last(entries, "published");
  const isReview = request.trigger === "review" || outcomesOf(entries).includes("review");
  const isJudgement = request.trigger === "gate" && entries.some((entry) => entry.kind === "decision" && entry.operation === "commit");
  const commit = published?.commit ?? (isReview || isJudgement ? pin?.commit : undefined);
  if (commit === undefined) return undefined;
  const { repository } = request;
  const name = `${repository.owner}/${repository.name}`;
  const tree = published?.replayed?.tree ?? published?.tree;
  const pull = published?.pull ?? pin?.pull?.number;
  const prompt = systemPrompt(entries);
  const policy = policyOf(entries);
  return {
    _type: STATEMENT_TYPE,
    subject: [
      { name: `${name} commit`, digest: { gitCommit: commit } },
      ...(tree === undefined ? [] : [{ name: `${name} tree`, digest: { gitTree: tree } }]),
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      product: { name: "sallyport", version: facts.version },
      run: { id: runId, kind: request.trigger, end: facts.end },
      repository: { id: repository.id, name },
      thread: request.thread.number,
      ...(pull === undefined ? {} : { pullRequest: pull }),
      trigger: { source: request.source.kind, id: request.source.id, delivery: request.deliveryId },
      actor: { id: request.actor.id, login: request.actor.login, isBot: request.actor.isBot },
      ...(pin === undefined ? {} : { base: { commit: pin.commit, ref: pin.base.ref } }),
      ...(published?.replayed === undefined ? {} : { replayedOnto: published.replayed.onto }),
      models: [...new Set(answersOf(entries).map(({ model }) => model))],
      ...(prompt === undefined ? {} : { promptSha256: sha256(prompt) }),
      read: { ...filesRead(entries), unread: facts.unread.slice(0, MOST_PATHS) },
      gate: {
        ...(policy === undefined ? {} : { policySha256: sha256(policy) }),
        rules: facts.rules,
        decisions: decisionsOf(entries),
      },
      approvals: approvalsOf(entries),
      ...(facts.tests === undefined ? {} : { tests: facts.tests }),
      usage: usageOf(entries),
    },
  };
}

type Entry<K extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: K }>;

function last<K extends JournalEntry["kind"]>(entries: readonly JournalEntry[], kind: K): Entry<K> | undefined {
  return entries.findLast((entry): entry is Entry<K> => entry.kind === kind);
}

/** Rows with those of what ran inside calls. */
function flat(entries: readonly JournalEntry[]) {
  return entries.map((entry) => (entry.kind === "nested" ? entry.entry : entry));
}

function outcomesOf(entries: readonly JournalEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === "outcome" ? [entry.outcome.operation] : []));
}

type Answer = Pick<Entry<"turn">, "model" | "usage" | "usd">;

/** All answers of models: turns and summaries. */
function answersOf(entries: readonly JournalEntry[]): readonly Answer[] {
  return flat(entries).flatMap((entry): readonly Answer[] => {
    if (entry.kind === "turn") return [entry];
    return entry.kind === "compacted" && entry.summary !== undefined ? [entry.summary] : [];
  });
}

function usageOf(entries: readonly JournalEntry[]): Receipt["usage"] {
  const answers = answersOf(entries);
  const sum = (of: (usage: Usage) => number): number => answers.reduce((total, { usage }) => total + of(usage), 0);
  const priced = answers.every(({ usd }) => usd !== undefined);
  const usd = answers.reduce((total, answer) => total + (answer.usd ?? 0), 0);
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cached: sum(({ cached }) => cached),
    answers: answers.length,
    ...(priced && answers.length > 0 ? { usd } : {}),
  };
}

function systemPrompt(entries: readonly JournalEntry[]): string | undefined {
  return last(entries, "opening")?.messages.flatMap((message) => (message.role === "system" ? [message.text] : []))[0];
}

function policyOf(entries: readonly JournalEntry[]): string | undefined {
  const { gate } = (last(entries, "settings")?.settings ?? {}) as { readonly gate?: unknown };
  return gate === undefined ? undefined : JSON.stringify(gate);
}

/** Files that a tool showed, by the calls that were answered. */
function filesRead(entries: readonly JournalEntry[]): Pick<Receipt["read"], "files" | "filesLeftOut"> {
  const all = flat(entries);
  const shown = new Set(all.flatMap((entry) => (entry.kind === "tool-result" && entry.result.status === "ok" ? [entry.callId] : [])));
  const paths = all.flatMap((entry) => {
    if (entry.kind !== "turn") return [];
    return entry.message.calls.flatMap(({ id, name, arguments: text }) => (name === "read_file" && shown.has(id) ? pathIn(text) : []));
  });
  const files = [...new Set(paths)].toSorted();
  return { files: files.slice(0, MOST_PATHS), filesLeftOut: Math.max(0, files.length - MOST_PATHS) };
}

function pathIn(text: string): readonly string[] {
  try {
    const { path } = JSON.parse(text) as { readonly path?: unknown };
    return typeof path === "string" ? [path] : [];
  } catch {
    return [];
  }
}

/** What the run tells of itself is no work that it vouches for. */
const VOUCHED = new Set<string>(["open-pull-request", "commit", "review", "resolve-thread", "open-issue", "label", "rerun-workflow"]);

function decisionsOf(entries: readonly JournalEntry[]): readonly ReceiptDecision[] {
  return entries.flatMap((entry): readonly ReceiptDecision[] => {
    if (entry.kind !== "decision" || !VOUCHED.has(entry.operation)) return [];
    const { verdict, findings, approval } = entry.decision;
    const told = findings.slice(0, MOST_FINDINGS).map(({ rule, severity, where }) => ({
      rule,
      severity,
      ...(where === undefined ? {} : { path: where.path, ...(where.line === undefined ? {} : { line: where.line }) }),
    }));
    return [
      {
        operation: entry.operation,
        verdict,
        ...(approval === undefined ? {} : { approval }),
        findings: told,
        findingsLeftOut: findings.length - told.length,
      },
    ];
  });
}

function approvalsOf(entries: readonly JournalEntry[]): Receipt["approvals"] {
  return entries.flatMap((entry): Receipt["approvals"] => {
    if (entry.kind === "approved") return [{ id: entry.approval, by: entry.by, answer: "approved" }];
    if (entry.kind === "answered") return [{ id: entry.approval, by: entry.by, answer: entry.isApproved ? "approved" : "denied" }];
    return [];
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
