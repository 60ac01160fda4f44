import type { ToolCall } from "../core/conversation.ts";
import { renderToolResult, type ToolResult } from "../core/result.ts";
import { readArguments } from "../model/arguments.ts";
import { wrapPieces } from "./envelope.ts";
import type { PastTurn } from "./history.ts";

/** What leaves a conversation, and how much may stand for it. */
export interface DigestOptions {
  /** From the first on. */
  readonly turns: readonly PastTurn[];
  /** What the loop said before the first turn. */
  readonly notes: readonly string[];
  readonly isWrite: (tool: string) => boolean;
  /** What a model said of these turns. */
  readonly summary?: string | undefined;
  /** UTF-8 bytes. */
  readonly room: number;
}

/** Characters of one line of each section. */
const LONGEST = { path: 300, verdict: 500, note: 300, tests: 2000, words: 160, argument: 80, outcome: 160 };
/** An argument longer than this is told by its length. */
const TOLD_BY_LENGTH = 200;
/** What each section may take of the room that is left when its turn comes; the list of calls, which comes last, takes the rest. */
const SHARE = 0.5;
/** What the frame around the sections takes at most. */
const FRAME = 600;

/**
 * What stands in a conversation for its first turns: which files were written, what the gate held back, what the loop said, and what each
 * call came to. A function of the turns alone. The newest of each section stay when the room is short, and what is left out is counted.
 */
export function digestOf({ turns, notes, isWrite, summary, room }: DigestOptions): string {
  const until = turns.at(-1)?.number ?? 0;
  let left = room - FRAME;
  const parts: string[] = [];
  const add = (title: string, lines: readonly string[], share = SHARE): void => {
    if (lines.length === 0) return;
    parts.push([title, ...newest(lines, Math.floor(left * share) - title.length - 1)].join("\n"));
    left -= Buffer.byteLength(parts.at(-1) ?? "") + 2;
  };
  add("Held back by the gate:", verdictsOf(turns));
  add("Files written:", filesOf(turns, isWrite));
  add("Said by the run itself:", notesOf(notes, turns));
  if (summary !== undefined && summary !== "") add("In a model's words:", [cut(summary, Math.floor((left * SHARE) / 4))]);
  add("Calls:", turns.flatMap(linesOf), 1);
  const [wrapped = ""] = wrapPieces("", [{ origin: `turns 1–${until} of this run`, trust: "run", text: parts.join("\n\n") }]);
  return `[compacted] The first ${until} turns of this conversation were taken out to make room. What they came to; call a tool again to see its result:\n${wrapped}`;
}

/** The last of the lines that fit, after a line that counts the others. */
function newest(lines: readonly string[], room: number): readonly string[] {
  const counted = `(${lines.length} earlier ones left out)`;
  const all = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  if (all <= room) return lines;
  let left = room - counted.length - 1;
  let from = lines.length;
  while (from > 0) {
    left -= Buffer.byteLength(lines[from - 1] ?? "") + 1;
    if (left < 0) break;
    from--;
  }
  return [`(${from} earlier ones left out)`, ...lines.slice(from)];
}

function filesOf(turns: readonly PastTurn[], isWrite: DigestOptions["isWrite"]): readonly string[] {
  const files = new Map<string, string>();
  for (const { message, results } of turns) {
    for (const call of message.calls) {
      if (results.get(call.id)?.status !== "ok" || !isWrite(call.name)) continue;
      const args = argumentsOf(call);
      for (const path of [args["path"], args["from"], args["to"]]) {
        if (typeof path !== "string") continue;
        // Written again, it is among the newest.
        files.delete(path);
        files.set(path, call.name);
      }
    }
  }
  return [...files].map(([path, tool]) => `- ${oneLine(path, LONGEST.path)} (${tool})`);
}

function verdictsOf(turns: readonly PastTurn[]): readonly string[] {
  const verdicts = new Set<string>();
  for (const { message, results } of turns) {
    for (const call of message.calls) {
      const result = results.get(call.id);
      if (result?.status === "blocked") verdicts.add(`- ${callOf(call)}: ${oneLine(renderToolResult(result), LONGEST.verdict)}`);
    }
  }
  return [...verdicts];
}

/** The newest word on the tests is whole, as far as it goes; older ones say how they ended. */
function notesOf(before: readonly string[], turns: readonly PastTurn[]): readonly string[] {
  const notes = [...before, ...turns.flatMap((turn) => turn.notes)];
  const tests = notes.findLastIndex((text) => text.startsWith("[auto_test] "));
  const lines = notes.map(
    (text, at) => `- ${at === tests ? cut(text, LONGEST.tests) : oneLine(text.split("\n", 1)[0] ?? "", LONGEST.note)}`,
  );
  return [...new Set(lines)];
}

function linesOf({ number, message, results }: PastTurn): readonly string[] {
  const words = message.text.trim() === "" ? [] : [`${number}. said ${JSON.stringify(oneLine(message.text, LONGEST.words))}`];
  return [...words, ...message.calls.map((call) => `${number}. ${callOf(call)}: ${outcomeOf(results.get(call.id))}`)];
}

function outcomeOf(result: ToolResult | undefined): string {
  if (result === undefined) return "not run";
  if (result.status === "ok") return `ok, ${result.text.length} characters`;
  // What the gate said stands among its verdicts.
  if (result.status === "blocked") return `[blocked] ${oneLine(result.text.split(":", 1)[0] ?? "", 40)}`;
  return oneLine(renderToolResult(result), LONGEST.outcome);
}

function callOf(call: ToolCall): string {
  const args = Object.entries(argumentsOf(call)).map(([name, value]) => `${oneLine(name, 40)}=${shown(value)}`);
  return `${oneLine(call.name, 64)}(${args.slice(0, 8).join(", ")})`;
}

function shown(value: unknown): string {
  if (typeof value === "string" && value.length > TOLD_BY_LENGTH) return `(${value.length} characters)`;
  return oneLine(JSON.stringify(value) ?? "null", LONGEST.argument);
}

function argumentsOf({ arguments: raw }: ToolCall): Readonly<Record<string, unknown>> {
  const read = readArguments(raw);
  return read.ok ? read.args : {};
}

function oneLine(text: string, longest: number): string {
  return cut(
    text
      .slice(0, longest * 2)
      .replace(/\s+/g, " ")
      .trim(),
    longest,
  );
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
