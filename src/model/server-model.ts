import OpenAI from "openai";
import { type Logger, silent } from "../core/log.ts";
import { judgeDraft } from "./answer.ts";
import { apiOf } from "./api.ts";
import { type Concession, nextConcession } from "./concessions.ts";
import { connectionOf } from "./connection.ts";
import { Interrupted, ModelError } from "./errors.ts";
import { judgeFailure } from "./failure.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";
import type { ModelFacts } from "./model-facts.ts";
import { costOf } from "./prices.ts";
import { readResponse } from "./read-response.ts";
import { type Failure, RETRY, type RetryOptions, withRetries } from "./retry.ts";

export interface ServerModelOptions {
  /** Default: `chat`. */
  readonly api?: "chat" | "responses";
  /** Default: OpenAI's own. */
  readonly baseUrl?: string;
  /** Without one no authorization is sent. */
  readonly apiKey?: string;
  readonly model: string;
  /** What is known of a model, by its name. Default: nothing. */
  readonly facts?: (model: string) => ModelFacts;
  readonly fetch?: typeof globalThis.fetch;
  /** Longest silence of the server, in milliseconds: before its answer and between its pieces. Default: five minutes. */
  readonly timeoutMs?: number;
  /** How long a stream that has finished may stay open for its usage, in milliseconds. Default: five seconds. */
  readonly lingerMs?: number;
  readonly retry?: Partial<RetryOptions>;
  readonly log?: Logger;
}

const NOTHING_KNOWN = (): ModelFacts => ({});

/**
 * A model behind an OpenAI-compatible server, over streamed chat completions or responses. Temporary failures are retried here; the library's
 * own retries are off. What a server refuses although it can do without is left out from then on.
 * @throws {ConfigurationError} when the base URL is none.
 */
export function createServerModel(options: ServerModelOptions): Model {
  const { model, timeoutMs = 300_000, lingerMs = 5000, log = silent, facts = NOTHING_KNOWN } = options;
  const api = apiOf(options.api ?? "chat");
  const { endpoint, headers, baseURL } = connectionOf(options);
  const retry = { ...RETRY, ...options.retry };
  const client = new OpenAI({
    baseURL,
    // The library insists on a key; which header carries ours, if any, is decided with the connection.
    apiKey: "none",
    defaultHeaders: headers,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const opaqueOf = `${options.api ?? "chat"} ${endpoint.origin} ${model}`;
  const known = facts(model);
  const given = new Set<Concession>();

  async function attempt(body: object, sent: number, signal: AbortSignal): Promise<ModelAnswer> {
    const controller = new AbortController();
    const silence = (): void => controller.abort(new Interrupted("silent", `nothing came for ${timeoutMs / 1000} s`));
    let timer = setTimeout(silence, timeoutMs);
    const restart = (onEnd: () => void, ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(onEnd, ms);
    };
    const cancel = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const response = await client.post(api.path, { body, signal: controller.signal, stream: "stream" in body }).asResponse();
      restart(silence, timeoutMs);
      const draft = await readResponse(response, api.assembly(), {
        client,
        controller,
        alive: () => restart(silence, timeoutMs),
        finished: () => restart(() => controller.abort(), lingerMs),
      });
      return judgeDraft(draft, { sent, model, opaqueOf });
    } catch (error) {
      signal.throwIfAborted();
      const reason: unknown = controller.signal.reason;
      throw reason instanceof Interrupted ? reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      controller.abort();
    }
  }

  function send(request: ModelRequest): Promise<ModelAnswer> {
    const body = api.bodyOf(model, request, given, opaqueOf);
    const sent = JSON.stringify(body).length;
    const judge = (thrown: unknown): Failure => judgeFailure(thrown, endpoint, Date.now());
    return withRetries(() => attempt(body, sent, request.signal), judge, { retry, signal: request.signal, log, until: request.until });
  }

  return {
    name: model,
    ...(known.contextWindow === undefined ? {} : { contextWindow: known.contextWindow }),
    ...(known.price === undefined ? { unpriced: [model] } : {}),
    async complete(request) {
      for (;;) {
        try {
          const answer = await send(request);
          const price = known.price ?? facts(answer.model).price;
          return price === undefined ? answer : { ...answer, usd: costOf(answer.usage, price) };
        } catch (error) {
          const concession = error instanceof ModelError ? nextConcession(error, request, given) : undefined;
          if (concession === undefined) throw error;
          given.add(concession);
          log.info({ model, concession, why: (error as ModelError).message }, "the model's server refuses something; asking without it");
        }
      }
    },
  };
}
