import { messageOf } from "../../core/errors.ts";
import type { Decision, Finding } from "../../core/result.ts";
import type { Pin } from "../../core/run.ts";
import type { RecordedRun } from "../../store/recorded.ts";
import { withoutQuestion } from "../../gate/approvals.ts";
import type { KeptBases } from "../../workspace/kept-bases.ts";
import { decided, type JudgeAgain } from "./judge-again.ts";
import { recordedChanges, submissions, type RecordedChange } from "./recorded-changes.ts";

export type Verdict = Decision["verdict"];

/** One recorded change under another policy. */
export interface Rejudged {
  readonly run: string;
  readonly repository: string;
  /** 0 without a thread. */
  readonly thread: number;
  readonly at: string;
  readonly operation: RecordedChange["operation"];
  readonly files: number;
  readonly was: Verdict;
  readonly approved: boolean;
  readonly would: Verdict;
  /** Rules that decide, then and under the other policy. */
  readonly rulesWere: readonly string[];
  readonly rulesWould: readonly string[];
  /** Findings that only the other policy, or this release, has; and those that only the recorded verdict had. */
  readonly added: readonly Finding[];
  readonly gone: readonly Finding[];
}

/** One that could not be judged. */
export interface NotJudged {
  readonly run: string;
  readonly repository: string;
  readonly was: Verdict;
  readonly why: string;
}

export interface TimeMachineReport {
  readonly changes: readonly Rejudged[];
  readonly notJudged: readonly NotJudged[];
  /** How many of those that were `was` would be `would`. */
  readonly counts: Readonly<Record<Verdict, Readonly<Record<Verdict, number>>>>;
  /** Rules whose recorded findings were taken over. */
  readonly carried: readonly string[];
}

export interface TimeMachineOptions {
  readonly runs: AsyncIterable<RecordedRun> | Iterable<RecordedRun>;
  readonly bases: KeptBases;
  readonly blobs: (runId: string, shas: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
  readonly judge: JudgeAgain;
  /** Ends it between two changes. */
  readonly signal?: AbortSignal;
}

/** Judges all changes that runs have brought to the gate once more. What cannot be judged is named, never guessed. */
export async function rejudgeRuns({ runs, bases, blobs, judge, signal }: TimeMachineOptions): Promise<TimeMachineReport> {
  const changes: Rejudged[] = [];
  const notJudged: NotJudged[] = [];
  for await (const run of runs) {
    const { repository: at, thread } = run.request;
    const repository = `${at.owner}/${at.name}`;
    const commit = pinOf(run)?.commit;
    const base = commit === undefined ? undefined : await bases(at.id, commit);
    if (base === undefined) {
      const why = commit === undefined ? "its commit is not recorded" : `commit ${commit.slice(0, 10)} is not kept on this machine`;
      for (const { was } of submissions(run.entries)) notJudged.push({ run: run.id, repository, was: decided(was.findings).verdict, why });
      continue;
    }
    for (const recorded of await recordedChanges(run.entries, base, (shas) => blobs(run.id, shas))) {
      signal?.throwIfAborted();
      const was = decided(recorded.was.findings);
      if ("why" in recorded) {
        notJudged.push({ run: run.id, repository, was: was.verdict, why: recorded.why });
        continue;
      }
      try {
        const would = await judge.change(recorded.changes, base, recorded.was);
        changes.push({
          run: run.id,
          repository,
          thread: thread.number,
          at: run.createdAt.toISOString(),
          operation: recorded.operation,
          files: recorded.changes.changes.length,
          was: was.verdict,
          approved: recorded.approved,
          would: would.verdict,
          rulesWere: deciding(was),
          rulesWould: deciding(would),
          added: beside(would, was),
          gone: beside(was, would),
        });
      } catch (error) {
        notJudged.push({ run: run.id, repository, was: was.verdict, why: messageOf(error) });
      }
    }
  }
  return { changes, notJudged, counts: countsOf(changes), carried: judge.carried };
}

/** What the run was pinned to when it was let in. */
export function pinOf({ entries }: Pick<RecordedRun, "entries">): Pin | undefined {
  const phase = entries.find((entry) => entry.kind === "phase" && entry.phase === "authorize");
  return phase?.kind === "phase" ? (phase.result as { readonly pin?: Pin }).pin : undefined;
}

/** The rules that make a verdict what it is; of one that lets through, those that warn. */
export function deciding({ verdict, findings }: Decision): readonly string[] {
  const severity = verdict === "allow" ? "warn" : verdict;
  return [...new Set(findings.filter((finding) => finding.severity === severity).map(({ rule }) => rule))];
}

/** The findings of one decision that the other has not. */
function beside({ findings }: Decision, other: Decision): readonly Finding[] {
  const known = new Set(other.findings.map(identity));
  return findings.filter((finding) => !known.has(identity(finding)));
}

/** What is to be done about it may be said in other words by another release; the question that was asked about it is none of its words. */
function identity({ rule, severity, where, why }: Finding): string {
  return JSON.stringify([rule, severity, where?.path, where?.line, withoutQuestion(why)]);
}

function countsOf(changes: readonly Rejudged[]): TimeMachineReport["counts"] {
  const of = (was: Verdict, would: Verdict): number => changes.filter((change) => change.was === was && change.would === would).length;
  const row = (was: Verdict) => ({ allow: of(was, "allow"), ask: of(was, "ask"), block: of(was, "block") });
  return { allow: row("allow"), ask: row("ask"), block: row("block") };
}
