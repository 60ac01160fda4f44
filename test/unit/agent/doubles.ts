import type { AssistantMessage, Message, ToolCall } from "../../../src/core/conversation.ts";
import type { Journal } from "../../../src/core/journal.ts";
import { silent } from "../../../src/core/log.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import { ok, type ToolResult } from "../../../src/core/result.ts";
import { type Conversation, converse, type ConverseOptions } from "../../../src/agent/converse.ts";
import type { Model, ModelAnswer, ModelRequest } from "../../../src/model/model.ts";
import { toChatMessages } from "../../../src/model/chat-wire.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import type { Tool, WriteContext } from "../../../src/tools/tool.ts";
import { strictProblem } from "../model/strict.ts";

export const OPENING: readonly Message[] = [
  { role: "system", text: "You work." },
  { role: "user", text: "The request: fix it." },
];

/** An answer with what is given; the rest is that of an ordinary one. */
export function answer(parts: Partial<ModelAnswer> = {}): ModelAnswer {
  return { text: "", calls: [], broken: [], usage: { input: 100, output: 10, cached: 0 }, model: "scripted-1", ...parts };
}
export const say = (text: string): ModelAnswer => answer({ text });
export const call = (name: string, args: unknown = {}, id = "c1"): ToolCall => ({
  id,
  name,
  arguments: typeof args === "string" ? args : JSON.stringify(args),
});
export const callTo = (name: string, args: unknown = {}, id?: string): ModelAnswer => answer({ calls: [call(name, args, id)] });

type Scripted = ModelAnswer | Error;
/** Answers by how many turns the request already holds, as a model that is asked again after a restart would. */
export type Script = readonly Scripted[] | ((request: ModelRequest, turn: number) => Scripted | Promise<Scripted>);

export interface ModelDouble extends Model {
  readonly requests: ModelRequest[];
}

/** A model that follows its script, records what it is asked and refuses what a strict server would refuse. */
export function scripted(script: Script): ModelDouble {
  const requests: ModelRequest[] = [];
  return {
    name: "scripted",
    requests,
    async complete(request) {
      const problem = strictProblem(toChatMessages(request.messages)) ?? orderProblem(request.messages);
      if (problem !== undefined) throw new Error(`An illegal request: ${problem}`);
      requests.push(request);
      const turn = request.messages.filter(({ role }) => role === "assistant").length;
      const next = typeof script === "function" ? await script(request, turn) : script[turn];
      if (next === undefined) throw new Error(`An unexpected request for turn ${turn}.`);
      if (next instanceof Error) throw next;
      return next;
    },
  };
}

/** Each call is answered once, directly after its message. */
function orderProblem(messages: readonly Message[]): string | undefined {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.shift() !== message.callId) return `result of ${message.callId} out of turn`;
    } else {
      if (open.length > 0) return `no result for ${open[0]}`;
      if (message.role === "assistant") open = message.calls.map(({ id }) => id);
    }
  }
  return undefined;
}

type Handler = (args: Record<string, unknown>, context: WriteContext) => ToolResult | Promise<ToolResult>;

export function tool(name: string, handler: Handler = () => ok(`${name} did`), effect: Tool["effect"] = "read"): Tool {
  return {
    name,
    description: `${name} does.`,
    parameters: { type: "object" },
    effect,
    priority: 10,
    call: async (args, context) => handler(args as Record<string, unknown>, context),
  };
}

/** A tool that writes through the inner door. */
export const writer = (name = "write_file"): Tool =>
  tool(
    name,
    async ({ path }, context) => {
      const { verdict } = await context.write(String(path), new Uint8Array());
      return verdict === "allow" ? ok(`wrote ${String(path)}`) : { status: "blocked", text: "rule: no" };
    },
    "write",
  );

export const contextFor = (callId: string, parts: Partial<WriteContext> = {}): WriteContext =>
  ({
    callId,
    signal: new AbortController().signal,
    write: () => Promise.resolve({ verdict: "allow", findings: [] }),
    ...parts,
  }) as WriteContext;

export const sandbox: Sandbox = {
  backend: "bubblewrap",
  level: "strong",
  run: () => Promise.resolve({ exitCode: 0, ended: "exited", output: "", omittedBytes: 0, durationMs: 1 }),
};

/** Holds a conversation with ordinary options around the given ones. */
export function hold(options: Partial<ConverseOptions> & Pick<ConverseOptions, "model">): Promise<Conversation> {
  return converse({
    tools: [tool("look"), writer()],
    contextFor: (callId) => contextFor(callId),
    journal: memoryJournal(),
    opening: () => Promise.resolve(OPENING),
    budget: { maxTurns: 50, maxMinutes: 20, maxTokens: 2_000_000 },
    signal: new AbortController().signal,
    startedAt: Date.now(),
    log: silent,
    graceMs: 20,
    ...options,
  });
}

export const notesOf = ({ entries }: Journal): string[] => entries.flatMap((entry) => (entry.kind === "note" ? [entry.text] : []));
export const resultsOf = ({ entries }: Journal): ToolResult[] =>
  entries.flatMap((entry) => (entry.kind === "tool-result" ? [entry.result] : []));
export const messagesOf = ({ entries }: Journal): AssistantMessage[] =>
  entries.flatMap((entry) => (entry.kind === "turn" ? [entry.message] : []));
