import { createHash } from "node:crypto";
import { ModelError, type ModelErrorCode, ReplayError } from "./errors.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";

/** One request and what came of it. Plain JSON; the request is known by its digest alone, so a record holds no more than answers. */
export interface RecordedExchange {
  /** SHA-256 of the request's messages and tools. */
  readonly request: string;
  /** Messages in it, for people who look for the first difference. */
  readonly messages: number;
  readonly answer?: ModelAnswer;
  readonly error?: { readonly code: ModelErrorCode; readonly message: string; readonly hint?: string };
}

/**
 * A model that writes down each exchange before its answer counts: one line of JSON without its line feed. What ends a request from outside
 * (its signal) is not written.
 */
export function recordingModel(model: Model, write: (line: string) => void | Promise<void>): Model {
  const keep = async (request: ModelRequest, came: Pick<RecordedExchange, "answer" | "error">): Promise<void> => {
    const exchange: RecordedExchange = { request: digestOf(request), messages: request.messages.length, ...came };
    await write(JSON.stringify(exchange));
  };
  return {
    ...model,
    async complete(request) {
      try {
        const answer = await model.complete(request);
        await keep(request, { answer });
        return answer;
      } catch (error) {
        if (error instanceof ModelError) {
          const { code, message, hint } = error;
          await keep(request, { error: { code: code as ModelErrorCode, message, ...(hint === undefined ? {} : { hint }) } });
        }
        throw error;
      }
    },
  };
}

/**
 * A model that answers from a record, in its order. A request that is not the recorded one ends in an error that says where.
 * @param lines as {@link recordingModel} wrote them; empty ones are passed over
 * @throws {ReplayError} for a line that is no exchange.
 */
export function replayRecord(lines: readonly string[], name = "recorded"): Model {
  const exchanges = lines.filter((line) => line.trim() !== "").map(readExchange);
  let at = 0;
  return {
    name,
    complete(request) {
      const exchange = exchanges[at];
      if (exchange === undefined)
        return Promise.reject(new ReplayError(`the record ends after ${exchanges.length} requests, and there is one more`));
      if (exchange.request !== digestOf(request)) {
        const sizes = `it has ${request.messages.length} messages, the recorded one ${exchange.messages}`;
        return Promise.reject(new ReplayError(`request ${at + 1} is not the recorded one: ${sizes}`));
      }
      at++;
      const { answer, error } = exchange;
      if (answer !== undefined) return Promise.resolve(answer);
      return Promise.reject(new ModelError(error?.code ?? "model-unreachable", error?.message ?? "no answer was recorded", error));
    },
  };
}

function digestOf({ messages, tools }: ModelRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([messages, tools]))
    .digest("hex");
}

function readExchange(line: string, at: number): RecordedExchange {
  try {
    const exchange = JSON.parse(line) as Partial<RecordedExchange> | null;
    if (typeof exchange?.request === "string" && (exchange.answer !== undefined || exchange.error !== undefined)) {
      return exchange as RecordedExchange;
    }
  } catch {
    // Told below.
  }
  throw new ReplayError(`line ${at + 1} of the record is no exchange with a model`);
}
