import type { ChatCompletionCreateParams } from "openai/resources/chat/completions";
import type { ResponseCreateParams } from "openai/resources/responses/responses";
import { chatAssembly } from "./chat-assembly.ts";
import { toChatMessages, toChatTools } from "./chat-wire.ts";
import type { Concession } from "./concessions.ts";
import type { ModelRequest } from "./model.ts";
import type { Assembly } from "./read-response.ts";
import { responsesAssembly } from "./responses-assembly.ts";
import { toResponsesInput, toResponsesTools } from "./responses-wire.ts";

/** One of the two wire formats: what is asked, and how its answer is put together. All the rest is the same for both. */
export interface Api {
  readonly path: string;
  bodyOf(model: string, request: ModelRequest, given: ReadonlySet<Concession>, opaqueOf: string): object;
  assembly(): Assembly;
}

export function apiOf(name: "chat" | "responses"): Api {
  return name === "chat" ? CHAT : RESPONSES;
}

const CHAT: Api = {
  path: "/chat/completions",
  bodyOf(model, { messages, tools }, given, opaqueOf): ChatCompletionCreateParams {
    return {
      model,
      // An empty list of tools is refused by some servers.
      ...(tools.length === 0 ? {} : { tools: toChatTools(tools) }),
      messages: toChatMessages(messages, carried(given, opaqueOf)),
      ...(given.has("stream") ? {} : { stream: true, ...(given.has("usage") ? {} : { stream_options: { include_usage: true } }) }),
    };
  },
  assembly: chatAssembly,
};

const RESPONSES: Api = {
  path: "/responses",
  bodyOf(model, { messages, tools }, given, opaqueOf): ResponseCreateParams {
    return {
      model,
      ...(tools.length === 0 ? {} : { tools: toResponsesTools(tools) }),
      input: toResponsesInput(messages, carried(given, opaqueOf)),
      // The conversation is the journal's and nobody else's: nothing is kept there, everything is sent each time.
      store: false,
      ...(given.has("sealed") ? {} : { include: ["reasoning.encrypted_content"] }),
      ...(given.has("stream") ? {} : { stream: true }),
    };
  },
  assembly: responsesAssembly,
};

function carried(given: ReadonlySet<Concession>, opaqueOf: string) {
  return { images: !given.has("images"), ...(given.has("opaque") ? {} : { opaqueOf }) };
}
