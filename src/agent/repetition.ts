import type { ToolCall } from "../core/conversation.ts";
import { ok, type ToolResult } from "../core/result.ts";
import { readArguments } from "../model/arguments.ts";
import type { PastTurn } from "./history.ts";

/** The same call with the same result: warned about from this time on … */
const WARNED = 3;
/** … and the run's end at this one. */
const FATAL = 5;
const MARK = "\n\n[repeated] ";

/** Says so in the result when this call had this result before. */
export function warnOfRepetition(turns: readonly PastTurn[], call: ToolCall, result: ToolResult, isWrite: IsWrite): ToolResult {
  const times = count(turns, isWrite).of(call, result) + 1;
  if (times < WARNED) return result;
  const warning = `This same call had this same result ${times} times. Do something else: another call of the kind ends the run at the ${FATAL}th time.`;
  return { ...result, text: `${result.text}${MARK}${warning}` };
}

/** The tool of a call in the last turn that had the same result too often; the run ends then. */
export function stuckOn(turns: readonly PastTurn[], isWrite: IsWrite): string | undefined {
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  const counted = count(turns, isWrite);
  return last.message.calls.find((call) => counted.of(call, last.results.get(call.id) ?? ok("")) >= FATAL)?.name;
}

type IsWrite = (tool: string) => boolean;

/**
 * Counts what came of which call. A write that succeeded and was not made before is progress: what comes after it may well be the same call
 * again (the tests, the file), so counting starts anew.
 */
function count(turns: readonly PastTurn[], isWrite: IsWrite): { of(call: ToolCall, result: ToolResult): number } {
  const seen = new Set<string>();
  let counts = new Map<string, number>();
  for (const { message, results } of turns) {
    for (const call of message.calls) {
      const result = results.get(call.id);
      if (result === undefined) continue;
      const key = keyOf(call, result);
      if (result.status === "ok" && isWrite(call.name) && !seen.has(key)) counts = new Map();
      seen.add(key);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return { of: (call, result) => counts.get(keyOf(call, result)) ?? 0 };
}

function keyOf(call: ToolCall, { status, text }: ToolResult): string {
  const read = readArguments(call.arguments);
  const warned = text.lastIndexOf(MARK);
  return JSON.stringify([call.name, read.ok ? inOrder(read.args) : call.arguments, status, warned < 0 ? text : text.slice(0, warned)]);
}

/** The same value with its keys sorted: their order says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, inOrder(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
