import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { ConfigurationError } from "../core/errors.ts";
import { type Logger, silent } from "../core/log.ts";
import { judgeDraft } from "./answer.ts";
import { Interrupted, ModelError } from "./errors.ts";
import { type Endpoint, judgeFailure } from "./failure.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";
import { type Failure, RETRY, type RetryOptions, withRetries } from "./retry.ts";
import { readResponse } from "./stream.ts";
import { toChatMessages, toChatTools } from "./wire.ts";

export interface ChatModelOptions {
  /** Default: OpenAI's own. */
  readonly baseUrl?: string;
  /** Without one no authorization is sent. */
  readonly apiKey?: string;
  readonly model: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Longest silence of the server, in milliseconds: before its answer and between its pieces. Default: five minutes. */
  readonly timeoutMs?: number;
  /** How long a stream that has finished may stay open for its usage, in milliseconds. Default: five seconds. */
  readonly lingerMs?: number;
  readonly retry?: Partial<RetryOptions>;
  readonly log?: Logger;
}

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/**
 * A model behind an OpenAI-compatible server, over streamed chat completions. Temporary failures are retried here; the library's own
 * retries are off.
 * @throws {ConfigurationError} when the base URL is none.
 */
export function createChatModel(options: ChatModelOptions): Model {
  const { model, apiKey, timeoutMs = 300_000, lingerMs = 5000, log = silent } = options;
  const baseURL = options.baseUrl || DEFAULT_BASE_URL;
  const endpoint: Endpoint = { origin: originOf(baseURL), model, ...(apiKey ? { apiKey } : {}) };
  const retry = { ...RETRY, ...options.retry };
  const client = new OpenAI({
    baseURL,
    // The library insists on a key; without one of ours the header is taken off again.
    apiKey: apiKey || "none",
    ...(apiKey ? {} : { defaultHeaders: { Authorization: null } }),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: "off",
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });

  async function attempt(body: ChatCompletionCreateParamsStreaming, sent: number, signal: AbortSignal): Promise<ModelAnswer> {
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
      const response = await client.chat.completions.create(body, { signal: controller.signal }).asResponse();
      restart(silence, timeoutMs);
      const draft = await readResponse(response, {
        client,
        controller,
        alive: () => restart(silence, timeoutMs),
        finished: () => restart(() => controller.abort(), lingerMs),
      });
      return judgeDraft(draft, sent, model);
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

  // Some servers know no usage in streams and refuse to be asked for it; they are asked once.
  let takesStreamOptions = true;

  return {
    name: model,
    async complete(request) {
      const send = (): Promise<ModelAnswer> => {
        const body = bodyOf(model, request, takesStreamOptions);
        const sent = JSON.stringify(body).length;
        const judge = (thrown: unknown): Failure => judgeFailure(thrown, endpoint, Date.now());
        return withRetries(() => attempt(body, sent, request.signal), judge, { retry, signal: request.signal, log });
      };
      try {
        return await send();
      } catch (error) {
        if (!takesStreamOptions || !(error instanceof ModelError && /stream_options|include_usage/.test(error.message))) throw error;
        takesStreamOptions = false;
        return send();
      }
    },
  };
}

function bodyOf(model: string, { messages, tools }: ModelRequest, takesStreamOptions: boolean): ChatCompletionCreateParamsStreaming {
  return {
    model,
    // An empty list of tools is refused by some servers.
    ...(tools.length === 0 ? {} : { tools: toChatTools(tools) }),
    messages: toChatMessages(messages),
    stream: true,
    ...(takesStreamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

function originOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new ConfigurationError(`OPENAI_BASE_URL is not a URL: ${JSON.stringify(baseUrl.slice(0, 100).replace(/[^/]*@/, "…@"))}`, {
      code: "bad-base-url",
      hint: "It looks like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.",
    });
  }
  return new URL(baseUrl).origin;
}
