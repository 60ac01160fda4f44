import { APIError, type OpenAI } from "openai";
import { Stream } from "openai/streaming";
import type { Usage } from "../core/conversation.ts";
import { charactersOf, type Draft } from "./answer.ts";
import { addPiece, type CallPiece } from "./call-assembly.ts";
import { Interrupted } from "./errors.ts";

/** Longest answer that is taken, in characters. */
const LONGEST_ANSWER = 4_000_000;

/** A chunk or a plain completion, as far as it is read. Nothing of it is certain to be there. */
interface Piece {
  readonly model?: unknown;
  readonly error?: unknown;
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
}

export interface Reading {
  /** Whose log the library writes to. */
  readonly client: OpenAI;
  /** Aborting it ends the reading; it is aborted when the reading ends early. */
  readonly controller: AbortController;
  /** Called with each sign of life. */
  readonly alive: () => void;
  /** Called once, when the answer has ended and only its usage may still come. */
  readonly finished: () => void;
}

/**
 * Reads one response to its end, streamed or plain (some servers do not stream although asked to).
 * @throws {Interrupted} when it ends without having said that it is complete; the provider's error when it sends one inside.
 */
export async function readResponse(response: Response, reading: Reading): Promise<Draft> {
  const draft: Draft = { text: "", refusal: "", finish: "", usage: undefined, model: "", calls: [] };
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html/i.test(type)) throw new Interrupted("unreadable", "it sent a web page");
  if (/json/i.test(type) && !/ndjson|event-stream/i.test(type)) {
    addPlain(draft, await response.text());
  } else {
    await readStream(draft, response, reading);
  }
  // A usage without a finish reason also marks the end, since it is the last thing sent; for a text that is enough, for a call it is not.
  const ended = draft.finish !== "" || (draft.usage !== undefined && draft.text !== "" && draft.calls.length === 0);
  if (!ended) throw new Interrupted("cut", charactersOf(draft) === 0 ? "it ended without any content" : "it was cut off before its end");
  return draft;
}

async function readStream(draft: Draft, response: Response, { client, controller, alive, finished }: Reading): Promise<void> {
  try {
    for await (const piece of Stream.fromSSEResponse<Piece | null>(response, controller, client)) {
      const before = draft.finish;
      addPiecesOf(draft, piece);
      if (charactersOf(draft) > LONGEST_ANSWER) throw new Interrupted("unreadable", `it is longer than ${LONGEST_ANSWER} characters`);
      if (draft.finish === "") alive();
      else if (before === "") finished();
    }
  } catch (error) {
    if (error instanceof APIError || error instanceof Interrupted) throw error;
    // Once the answer has ended, what happens to its connection does not matter.
    if (draft.finish === "") throw new Interrupted("cut", "the connection broke off in the middle of the answer");
  }
}

function addPlain(draft: Draft, body: string): void {
  let piece: Piece | null;
  try {
    piece = JSON.parse(body) as Piece | null;
  } catch {
    throw new Interrupted("unreadable", body.trim() === "" ? "its answer is empty" : "its answer is not valid JSON");
  }
  if (typeof piece !== "object") throw new Interrupted("unreadable", "its answer is not a JSON object");
  if (piece?.error) throw new APIError(undefined, piece.error, undefined, undefined);
  addPiecesOf(draft, piece);
}

function addPiecesOf(draft: Draft, piece: Piece | null): void {
  if (typeof piece !== "object" || piece === null) return;
  if (typeof piece.model === "string" && piece.model !== "") draft.model = piece.model;
  draft.usage = usageOf(piece.usage) ?? draft.usage;
  const choice = Array.isArray(piece.choices) ? (piece.choices as readonly (Choice | null)[])[0] : undefined;
  if (!choice || (typeof choice.index === "number" && choice.index !== 0)) return;
  const delta = choice.delta ?? choice.message;
  draft.text += textOf(delta?.content);
  draft.refusal += textOf(delta?.refusal);
  if (Array.isArray(delta?.tool_calls))
    for (const call of delta.tool_calls as readonly (CallPiece | null)[]) if (call) addPiece(draft.calls, call);
  if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") draft.finish = worse(draft.finish, choice.finish_reason);
}

/** Where a server gives two reasons, the one that says less is complete holds. */
function worse(before: string, after: string): string {
  return before === "" || before === "stop" || before === "tool_calls" ? after : before;
}

/** Content is a text or, with some servers, a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly { readonly text?: unknown }[]).map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}

function usageOf(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const told = value as Record<string, unknown>;
  const details = (told["prompt_tokens_details"] ?? {}) as Record<string, unknown>;
  const output = count(told["completion_tokens"]) ?? 0;
  const input = count(told["prompt_tokens"]) ?? Math.max(0, (count(told["total_tokens"]) ?? 0) - output);
  if (input + output === 0) return undefined;
  const cached = count(details["cached_tokens"]) ?? count(told["prompt_cache_hit_tokens"]) ?? 0;
  return { input, output, cached: Math.min(cached, input) };
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
}
