import type { AssistantMessage, OpaqueState, ToolCall } from "../core/conversation.ts";
import { readArguments } from "../model/arguments.ts";
import type { BrokenCall, ModelAnswer } from "../model/model.ts";

/*
 * A resumed run knows an answer only by its journalled message, so everything that decides what happens next stands in the message itself:
 * a refusal and a cut as words that the model and people read too, a call that must not run by arguments that are no JSON object.
 */
const REFUSED = "[refused] ";
const CUT = "[cut off at the output limit]";
const WITHHELD = "[withheld by the provider's content filter]";
const INCOMPLETE = " [incomplete]";

/** Most calls of one answer. */
const MOST_CALLS = 256;

export type AnswerKind = "calls" | "text" | "empty" | "refused" | "cut" | "withheld";

/** What a journalled message asks for. */
export function kindOf({ text, calls }: AssistantMessage): AnswerKind {
  if (calls.length > 0) return "calls";
  if (text.startsWith(REFUSED)) return "refused";
  if (text.endsWith(CUT)) return "cut";
  if (text.endsWith(WITHHELD)) return "withheld";
  return text.trim() === "" ? "empty" : "text";
}

/** A refusal in the model's or the provider's own words. */
export const refusalOf = ({ text }: AssistantMessage): string => text.slice(REFUSED.length).trim();

export interface RecordedAnswer {
  readonly message: AssistantMessage;
  /** Why the broken calls among the message's are not run, by call id. */
  readonly broken: ReadonlyMap<string, string>;
}

/** An answer as the journal takes it. `taken` holds the call ids of the whole history; a call whose id is among them is renamed. */
export function recordAnswer(answer: ModelAnswer, taken: ReadonlySet<string>): RecordedAnswer {
  if (answer.refusal !== undefined) return plain(`${REFUSED}${answer.refusal}`);
  if (answer.calls.length + answer.broken.length === 0) {
    const mark = answer.cut === "length" ? CUT : answer.cut === "content-filter" ? WITHHELD : undefined;
    return plain(mark === undefined ? answer.text : `${answer.text}\n${mark}`.trimStart());
  }
  const used = new Set(taken);
  const broken = new Map<string, string>();
  const made = inOrder(answer);
  const calls = made.slice(0, MOST_CALLS + 1).map(({ call, why }, at): ToolCall => {
    const id = freshId(call.id, used);
    const dropped = `an answer may hold at most ${MOST_CALLS} calls; this one and ${made.length - MOST_CALLS - 1} after it were dropped`;
    const reason = at < MOST_CALLS ? why : dropped;
    if (reason === undefined) return storableCall({ ...call, id });
    broken.set(id, reason);
    const raw = readArguments(call.arguments).ok ? `${call.arguments}${INCOMPLETE}` : call.arguments;
    return storableCall({ ...call, id, arguments: raw });
  });
  const opaque = broken.size === 0 ? answer.opaque : undefined;
  const message: AssistantMessage = { role: "assistant", text: storable(answer.text), calls };
  return { message: opaque === undefined ? message : { ...message, opaque: storableOpaque(opaque) }, broken };
}

/** All calls as the model made them, one after the other: what a later call is about may hang on an earlier one. */
function inOrder({ calls, broken }: ModelAnswer): readonly { readonly call: ToolCall; readonly why?: string }[] {
  const made: { readonly call: ToolCall; readonly why?: string }[] = calls.map((call) => ({ call }));
  const rank = ({ at = Number.POSITIVE_INFINITY }: BrokenCall): number => at;
  for (const one of broken.toSorted((a, b) => rank(a) - rank(b)))
    made.splice(Math.min(rank(one), made.length), 0, { call: one.call, why: one.why });
  return made;
}

/** The answer of a turn that had no tools: its words alone. */
export function recordConclusion({ text, refusal }: ModelAnswer): AssistantMessage {
  return { role: "assistant", text: storable(text || (refusal ?? "")), calls: [] };
}

/** Why a call cannot run, judged by what the journal holds of it. */
export function whyUnreadable({ arguments: raw }: ToolCall): string {
  if (raw.endsWith(INCOMPLETE)) return "the answer was cut off before the call was complete; send the whole call again";
  const read = readArguments(raw);
  return read.ok ? "" : `${read.why}; send the whole call again with arguments that are one JSON object`;
}

const plain = (text: string): RecordedAnswer => ({ message: { role: "assistant", text: storable(text), calls: [] }, broken: new Map() });

/** Text as every database and every server takes it: without halves of surrogate pairs and without NUL. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\uFFFD");

function storableOpaque(opaque: OpaqueState): OpaqueState {
  const inside = (_key: string, value: unknown): unknown => (typeof value === "string" ? storable(value) : value);
  return JSON.parse(JSON.stringify(opaque), inside) as OpaqueState;
}

const storableCall = ({ id, name, arguments: raw }: ToolCall): ToolCall => ({ id, name: storable(name), arguments: storable(raw) });

function freshId(id: string, used: Set<string>): string {
  const wish = storable(id) || "call";
  let fresh = wish;
  for (let again = 2; used.has(fresh); again++) fresh = `${wish}-${again}`;
  used.add(fresh);
  return fresh;
}
