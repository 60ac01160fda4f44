import type { ToolCall } from "../../core/conversation.ts";
import type { JournalEntry } from "../../core/journal.ts";
import type { ToolResult } from "../../core/result.ts";
import type { RecordedRun } from "../../store/recorded.ts";
import type { KeptBase } from "../../workspace/kept-bases.ts";
import { type JudgeAgain } from "./judge-again.ts";
import { deciding, pinOf, rejudgeRuns, type TimeMachineOptions, type TimeMachineReport, type Verdict } from "./time-machine.ts";

/** A write of a tool into the workspace, under another policy. */
export interface RejudgedWrite {
  readonly turn: number;
  readonly tool: string;
  readonly path: string;
  readonly was: "made" | "blocked";
  readonly would: Verdict;
  readonly rules: readonly string[];
}

export interface ReplayReport extends Pick<TimeMachineReport, "changes" | "notJudged" | "carried"> {
  readonly run: string;
  /** Answers of the model that were taken as they are recorded: it was not asked. */
  readonly recordedAnswers: number;
  readonly writes: readonly RejudgedWrite[];
  /** The first turn at which a tool would have been answered otherwise: what the model would have said from there on nobody knows. */
  readonly partsAtTurn?: number;
}

/**
 * Goes through a recorded run once more under another policy, the journal being the model: each write of a tool at the inner door and each change at
 * the outer one. The answers of the model are used as they are.
 */
export async function replayRun(
  run: RecordedRun,
  { bases, blobs, judge, signal }: Omit<TimeMachineOptions, "runs">,
): Promise<ReplayReport> {
  const whole = await rejudgeRuns({ runs: [run], bases, blobs, judge, ...(signal === undefined ? {} : { signal }) });
  const commit = pinOf(run)?.commit;
  const base = commit === undefined ? undefined : await bases(run.request.repository.id, commit);
  const writes = base === undefined ? [] : await rejudgeWrites(run.entries, { base, judge, blobs: (shas) => blobs(run.id, shas), signal });
  const parting = writes.find(({ was, would }) => (was === "blocked") !== (would === "block"));
  return {
    run: run.id,
    recordedAnswers: run.entries.filter(({ kind }) => kind === "turn").length,
    writes,
    changes: whole.changes,
    notJudged: whole.notJudged,
    carried: whole.carried,
    ...(parting === undefined ? {} : { partsAtTurn: parting.turn }),
  };
}

interface Replaying {
  readonly base: KeptBase;
  readonly judge: JudgeAgain;
  readonly blobs: (shas: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;
  readonly signal: AbortSignal | undefined;
}

/** Writes of the main conversation, in their order; the workspace is followed through them and through the snapshots. */
async function rejudgeWrites(
  entries: readonly JournalEntry[],
  { base, judge, blobs, signal }: Replaying,
): Promise<readonly RejudgedWrite[]> {
  const results = new Map<string, ToolResult>();
  for (const entry of entries) if (entry.kind === "tool-result") results.set(entry.callId, entry.result);
  const standing = new Map<string, Uint8Array | undefined>();
  const at = (path: string): Promise<Uint8Array | undefined> =>
    standing.has(path) ? Promise.resolve(standing.get(path)) : base.file(path);
  const writes: RejudgedWrite[] = [];
  for (const entry of entries) {
    signal?.throwIfAborted();
    if (entry.kind === "snapshot") {
      const found = await blobs(entry.entries.flatMap(({ blob }) => blob ?? []));
      for (const { path, blob } of entry.entries) standing.set(path, blob === undefined ? undefined : found.get(blob));
    }
    if (entry.kind !== "turn") continue;
    for (const call of entry.message.calls) {
      signal?.throwIfAborted();
      const status = results.get(call.id)?.status;
      const write = status === "ok" || status === "blocked" ? await writeOf(call, at) : undefined;
      if (write === undefined) continue;
      const { path, after } = write;
      const before = await at(path);
      const decision = await judge.write(
        { kind: "workspace-write", path, ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) },
        base,
      );
      const was = status === "blocked" ? "blocked" : "made";
      writes.push({ turn: entry.turn, tool: call.name, path, was, would: decision.verdict, rules: deciding(decision) });
      if (was === "made") standing.set(path, after);
    }
  }
  return writes;
}

/** What a call would have written; undefined for calls that write nothing, and for those whose effect is not in their arguments. */
async function writeOf(
  { name, arguments: text }: ToolCall,
  at: (path: string) => Promise<Uint8Array | undefined>,
): Promise<{ readonly path: string; readonly after?: Uint8Array } | undefined> {
  const given = readArguments(text);
  const { path, content, old_string: old, new_string: fresh } = given;
  if (typeof path !== "string") return undefined;
  if (name === "write_file" && typeof content === "string") return { path, after: Buffer.from(content) };
  if (name === "delete_file") return { path };
  if (name !== "edit_file" || typeof old !== "string" || typeof fresh !== "string" || old === "") return undefined;
  const before = await at(path);
  if (before === undefined) return undefined;
  const whole = Buffer.from(before).toString("utf8");
  const parts = whole.split(old);
  if (parts.length < 2) return undefined;
  const edited = given["replace_all"] === true ? parts.join(fresh) : [parts[0] ?? "", parts.slice(1).join(old)].join(fresh);
  return { path, after: Buffer.from(edited) };
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
