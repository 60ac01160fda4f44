import { createHash } from "node:crypto";
import type { ToolCall } from "../core/conversation.ts";
import type { ToolResult } from "../core/result.ts";
import { readArguments } from "../model/arguments.ts";
import type { PastTurn } from "./history.ts";
import { splitSpilled } from "./spill.ts";

/** The same call with the same result: warned about from this time on … */
const WARNED = 3;
/** … and the run's end at this one, when nothing else was called in between … */
const FATAL = 5;
/** … or at this one, whatever was: reading a few files again in turn is no circle yet, doing so for ever is one. */
const FATAL_IN_ALL = 10;
const MARK = "\n\n[repeated] ";

/** How often a call had one result since the last progress: in all, and without another call in between. */
interface Count {
  readonly inAll: number;
  readonly inARow: number;
}

type IsWrite = (tool: string) => boolean;

/** Counts what came of which call, to notice a run in circles. */
export interface RepetitionGuard {
  /** Says so in the result when this call had this result before. */
  warn(turns: readonly PastTurn[], call: ToolCall, result: ToolResult): ToolResult;
  /** The tool of a call in the last turn that had the same result too often; the run ends then. */
  stuckOn(turns: readonly PastTurn[]): string | undefined;
}

/**
 * A write that succeeded and was not made before is progress: what comes after it may well be the same call again (the tests, the file), so
 * counting starts anew.
 */
export function createRepetitionGuard(isWrite: IsWrite): RepetitionGuard {
  // Results are large and looked at after each call: each is turned into its key once.
  const keys = new WeakMap<ToolResult, string>();

  function keyOf(call: ToolCall, result: ToolResult): string {
    const known = keys.get(result);
    if (known !== undefined) return known;
    const read = readArguments(call.arguments);
    const { body, line } = splitSpilled(result.text);
    const warned = body.lastIndexOf(MARK);
    const text = warned < 0 ? body : body.slice(0, warned);
    const what = JSON.stringify([call.name, read.ok ? inOrder(read.args) : call.arguments, result.status, text + line]);
    const key = createHash("sha256").update(what).digest("base64");
    keys.set(result, key);
    return key;
  }

  function count(turns: readonly PastTurn[]): (key: string) => Count {
    const seen = new Set<string>();
    let counts = new Map<string, number>();
    let inARow: { readonly key: string; readonly times: number } | undefined;
    for (const { message, results } of turns) {
      for (const call of message.calls) {
        const result = results.get(call.id);
        if (result === undefined) continue;
        const key = keyOf(call, result);
        if (result.status === "ok" && isWrite(call.name) && !seen.has(key)) counts = new Map();
        seen.add(key);
        counts.set(key, (counts.get(key) ?? 0) + 1);
        inARow = { key, times: inARow?.key === key ? inARow.times + 1 : 1 };
      }
    }
    return (key) => ({ inAll: counts.get(key) ?? 0, inARow: inARow?.key === key ? inARow.times : 0 });
  }

  return {
    warn(turns, call, result) {
      const times = count(turns)(keyOf(call, result)).inAll + 1;
      if (times < WARNED) return result;
      const warning = `This same call had this same result ${times} times. Do something else: the ${FATAL}th time in a row ends the run.`;
      const { body, line } = splitSpilled(result.text);
      return { ...result, text: `${body}${MARK}${warning}${line}` };
    },
    stuckOn(turns) {
      const last = turns.at(-1);
      if (last === undefined) return undefined;
      const times = count(turns);
      return last.message.calls.find((call) => {
        const result = last.results.get(call.id);
        if (result === undefined) return false;
        const { inAll, inARow } = times(keyOf(call, result));
        return inARow >= FATAL || inAll >= FATAL_IN_ALL;
      })?.name;
    },
  };
}

/** The same value with its keys sorted: their order says nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, inOrder(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
