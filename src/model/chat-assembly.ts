import type { OpaqueState } from "../core/conversation.ts";
import { charactersOf, type Draft, emptyDraft } from "./answer.ts";
import { addPiece, type CallPiece } from "./call-assembly.ts";
import { Interrupted } from "./errors.ts";
import type { Assembly } from "./read-response.ts";
import { readUsage } from "./usage.ts";

/** A chunk or a plain completion, as far as it is read. Nothing of it is certain to be there. */
interface Piece {
  readonly model?: unknown;
  readonly usage?: unknown;
  readonly choices?: readonly (Choice | null)[] | null;
}
interface Choice {
  readonly index?: unknown;
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly finish_reason?: unknown;
}
interface Delta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning_details?: unknown;
}

/** Puts a chat completion together. Source: https://platform.openai.com/docs/api-reference/chat-streaming */
export function chatAssembly(): Assembly {
  const draft = emptyDraft();
  const thought: Thought = { content: "", details: [] };
  return {
    add: (piece) => addPieceOf(draft, thought, piece as Piece | null),
    get state() {
      return draft.finish === "" ? "open" : "finished";
    },
    size: () => charactersOf(draft),
    draft() {
      // A usage without a finish reason also marks the end, since it is the last thing sent; for a text that is enough, for a call it is not.
      const ended = draft.finish !== "" || (draft.usage !== undefined && draft.text !== "" && draft.calls.length === 0);
      if (!ended)
        throw new Interrupted("cut", charactersOf(draft) === 0 ? "it ended without any content" : "it was cut off before its end");
      return { ...draft, opaque: opaqueOf(draft, thought) };
    },
  };
}

/** What reasoning models behind this wire want back beside the calls that it led to: DeepSeek's and Moonshot's text, OpenRouter's details. */
interface Thought {
  content: string;
  readonly details: unknown[];
}

function addPieceOf(draft: Draft, thought: Thought, piece: Piece | null): void {
  if (typeof piece !== "object" || piece === null) return;
  if (typeof piece.model === "string" && piece.model !== "") draft.model = piece.model;
  const told = readUsage(piece.usage);
  draft.usage = told.usage ?? draft.usage;
  draft.usd = told.usd ?? draft.usd;
  const choice = Array.isArray(piece.choices) ? (piece.choices as readonly (Choice | null)[])[0] : undefined;
  if (!choice || (typeof choice.index === "number" && choice.index !== 0)) return;
  const delta = choice.delta ?? choice.message;
  draft.text += textOf(delta?.content);
  draft.refusal += textOf(delta?.refusal);
  thought.content += textOf(delta?.reasoning_content);
  if (Array.isArray(delta?.reasoning_details)) thought.details.push(...(delta.reasoning_details as unknown[]));
  if (Array.isArray(delta?.tool_calls))
    for (const call of delta.tool_calls as readonly (CallPiece | null)[]) if (call) addPiece(draft.calls, call);
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") draft.finish = worse(draft.finish, choice.finish_reason);
}

function opaqueOf({ calls }: Draft, { content, details }: Thought): OpaqueState["items"] {
  if (calls.length === 0) return [];
  const beside = {
    ...(content === "" ? {} : { reasoning_content: content }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
  return [
    ...(Object.keys(beside).length === 0 ? [] : [{ before: 0, item: beside }]),
    ...calls.flatMap(({ extra }, at) => (extra === undefined ? [] : [{ before: at + 1, item: { extra_content: extra } }])),
  ];
}

/** Where a server gives two reasons, the one that says less is complete holds. */
function worse(before: string, after: string): string {
  return before === "" || before === "stop" || before === "tool_calls" ? after : before;
}

/** Content is a text or, with some servers, a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly ({ readonly text?: unknown } | null)[])
    .map((part) => (typeof part?.text === "string" ? part.text : ""))
    .join("");
}
