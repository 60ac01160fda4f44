import { APIError, type OpenAI } from "openai";
import { Stream } from "openai/streaming";
import type { Draft } from "./answer.ts";
import { Interrupted } from "./errors.ts";

/** Longest answer that is taken, in characters. */
const LONGEST_ANSWER = 4_000_000;

/** What one wire makes of the pieces of an answer. */
export interface Assembly {
  /** Takes an event of a stream, or a whole plain answer; nothing of it is certain to be there. */
  add(piece: unknown): void;
  /** `finished`: the answer has ended and only its usage may still come. `complete`: nothing more comes. */
  readonly state: "open" | "finished" | "complete";
  /** Characters that the model wrote so far. */
  size(): number;
  /** @throws {Interrupted} when the answer has not said that it is complete. */
  draft(): Draft;
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
 * Reads one response to its end, streamed or plain: some servers do not stream although asked to, and some name the wrong type.
 * @throws {Interrupted} when it ends without having said that it is complete; the provider's error when it sends one inside.
 */
export async function readResponse(response: Response, assembly: Assembly, reading: Reading): Promise<Draft> {
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/html/i.test(type)) throw new Interrupted("unreadable", "it sent a web page");
  if (/json/i.test(type) && !/ndjson|event-stream/i.test(type)) {
    addPlain(assembly, await bodyOf(response));
    return assembly.draft();
  }
  const { head, whole } = await peek(response);
  if (head.startsWith("<")) throw new Interrupted("unreadable", "it sent a web page");
  if (head.startsWith("{")) addPlain(assembly, await bodyOf(whole));
  else await readStream(assembly, whole, reading);
  return assembly.draft();
}

const LOST = "the connection broke off in the middle of the answer";

async function bodyOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw new Interrupted("cut", LOST);
  }
}

/** How the body begins, and a response that still has all of it. */
async function peek(response: Response): Promise<{ readonly head: string; readonly whole: Response }> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { head: "", whole: response };
  const first = await reader.read().catch(() => {
    throw new Interrupted("cut", LOST);
  });
  if (first.done) return { head: "", whole: new Response(null) };
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(first.value),
    async pull(stream) {
      const next = await reader.read();
      if (next.done) stream.close();
      else stream.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { head: new TextDecoder().decode(first.value).trimStart(), whole: new Response(body) };
}

async function readStream(assembly: Assembly, response: Response, { client, controller, alive, finished }: Reading): Promise<void> {
  if (response.body === null) return;
  try {
    for await (const piece of Stream.fromSSEResponse<unknown>(response, controller, client)) {
      const before = assembly.state;
      assembly.add(piece);
      if (assembly.size() > LONGEST_ANSWER) throw new Interrupted("unreadable", `it is longer than ${LONGEST_ANSWER} characters`);
      if (assembly.state === "complete") return;
      if (assembly.state === "open") alive();
      else if (before === "open") finished();
    }
  } catch (error) {
    if (error instanceof APIError || error instanceof Interrupted) throw error;
    // Once the answer has ended, what happens to its connection does not matter.
    if (assembly.state === "open") throw new Interrupted("cut", LOST);
  }
}

function addPlain(assembly: Assembly, body: string): void {
  let piece: unknown;
  try {
    piece = JSON.parse(body);
  } catch {
    throw new Interrupted("unreadable", body.trim() === "" ? "its answer is empty" : "its answer is not valid JSON");
  }
  if (typeof piece !== "object" || piece === null) throw new Interrupted("unreadable", "its answer is not a JSON object");
  const { error, object } = piece as { readonly error?: unknown; readonly object?: unknown };
  if (error) throw new APIError(undefined, typeof error === "object" ? error : { message: error }, undefined, undefined);
  // vLLM's older way of saying it.
  if (object === "error") throw new APIError(undefined, piece, undefined, undefined);
  assembly.add(piece);
}
