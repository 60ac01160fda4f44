import type { ToolCall } from "../core/conversation.ts";
import { AttemptError, messageOf } from "../core/errors.ts";
import type { Journal } from "../core/journal.ts";
import { failed, type ToolResult } from "../core/result.ts";
import { readArguments } from "../model/arguments.ts";
import { nearest } from "../text/nearest.ts";
import type { Tool, WriteContext } from "../tools/tool.ts";
import { orAbandon } from "./abandon.ts";
import { storable, whyUnreadable } from "./recorded-answer.ts";
import { type Bounded, spill } from "./spill.ts";

export interface Execution {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that exist and are not offered in this run, by name: why, as a sentence. */
  readonly withheld: ReadonlyMap<string, string>;
  readonly contextFor: (callId: string) => WriteContext;
  readonly mask: (text: string) => string;
  /** The rows of the run, among which spilled results are counted. */
  readonly journal: Pick<Journal, "entries">;
  /** Aborts the call; a handler that ignores it is abandoned after `graceMs`. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
}

export interface Executed {
  readonly result: ToolResult;
  /** The whole text, where `result` shows its ends. */
  readonly spilled?: Bounded["spilled"];
  /** The workspace has, or may have, been changed. */
  readonly changed: boolean;
  /** The handler had not come back when its signal aborted. */
  readonly abandoned: boolean;
}

/** Where a call stands among others: made by another one, or making some itself. */
export type Nesting = Pick<WriteContext, "parentCallId" | "nested">;

/**
 * Runs one call, as the only way to a tool: the model's own calls, a script's and a subagent's all come here. Prepare, execute, finalise.
 * Whatever fails becomes an error result that the model can act on.
 * `why` says what is known to be wrong with the call; it is not run then.
 * @throws {AttemptError} when another worker has taken the run, or its journal cannot be written.
 */
export async function executeCall(call: ToolCall, why: string | undefined, execution: Execution, nesting: Nesting = {}): Promise<Executed> {
  const prepared = prepare(call, why, execution);
  if (!prepared.ready) return { ...finalise(prepared.result, execution), changed: false, abandoned: false };
  let changed = false;
  try {
    const given = { ...execution.contextFor(call.id), ...nesting };
    const context = watched(given, execution.signal, () => {
      changed = true;
    });
    const settled = await orAbandon(prepared.tool.call(prepared.args, context), execution.signal, execution.graceMs);
    if (!settled.done) return { result: failed(`${call.name} was stopped before it had finished.`), changed, abandoned: true };
    return { ...finalise(settled.value, execution, prepared.tool.spillAfterChars), changed, abandoned: false };
  } catch (error) {
    if (error instanceof AttemptError) throw error;
    return { ...finalise(failed(messageOf(error)), execution), changed, abandoned: false };
  }
}

type Prepared =
  | { readonly ready: true; readonly tool: Tool; readonly args: unknown }
  | { readonly ready: false; readonly result: ToolResult };

function prepare(call: ToolCall, why: string | undefined, { tools, withheld }: Pick<Execution, "tools" | "withheld">): Prepared {
  const refuse = (text: string): Prepared => ({ ready: false, result: failed(text) });
  if (why !== undefined) return refuse(`This call was not run: ${why}.`);
  const read = readArguments(call.arguments);
  if (!read.ok) return refuse(`This call was not run: ${whyUnreadable(call)}.`);
  const tool = tools.get(call.name);
  if (tool !== undefined) return { ready: true, tool, args: read.args };
  const names = [...tools.keys()];
  const reason = withheld.get(call.name);
  if (reason !== undefined) return refuse(`${call.name} is not offered here: ${reason} The tools are: ${names.join(", ")}.`);
  const meant = nearest(call.name, names);
  return refuse(
    `There is no tool ${JSON.stringify(call.name.slice(0, 100))}.${meant === undefined ? "" : ` Did you mean ${meant}?`} The tools are: ${names.join(", ")}.`,
  );
}

/** Masked first, then spilled: what is stored whole is free of secrets too. */
function finalise(value: ToolResult, { mask, journal }: Pick<Execution, "mask" | "journal">, after?: number) {
  const { status, text: whole } = isResult(value) ? value : failed("The tool answered something that is not a result.");
  const { text, spilled } = spill(storable(mask(whole)), { after, journal });
  const result: ToolResult = { status, text };
  return { result, ...(spilled === undefined ? {} : { spilled }) };
}

function isResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { status, text } = value as Partial<ToolResult>;
  return typeof text === "string" && (status === "ok" || status === "error" || status === "blocked");
}

/** The tool's context, which tells when the workspace is written or a command runs that can write. */
function watched(context: WriteContext, signal: AbortSignal, onChange: () => void): WriteContext {
  const { sandbox } = context;
  return {
    ...context,
    signal,
    async write(path, bytes) {
      const decision = await context.write(path, bytes);
      if (decision.verdict === "allow") onChange();
      return decision;
    },
    ...(sandbox === undefined
      ? {}
      : {
          sandbox: {
            ...sandbox,
            run(command) {
              onChange();
              return sandbox.run(command);
            },
          },
        }),
  };
}
