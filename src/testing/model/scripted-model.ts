import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerChat } from "./answer-chat.ts";
import { answerResponses } from "./answer-responses.ts";
import { fieldsOf } from "./content.ts";
import { readRequest, type ModelRequest } from "./request.ts";
import { problemIn } from "./strictness.ts";
import type { Turn } from "./turn.ts";

/** Answers each request, from what it holds; `step` counts the answered ones from 0. Undefined: it was not expected. */
export type Script = (request: ModelRequest, step: number) => Turn | undefined | Promise<Turn | undefined>;

/** A model that plays a script: an OpenAI-compatible server on the loopback interface. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>/v1`, for `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** Every request that could be read, refused ones included, in the order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** What was wrong with requests, and which came unexpected. */
  readonly problems: readonly string[];
  /** Throws when a request was wrong or unexpected, or when a step of a list was never asked for. */
  assertDone(): void;
  /** Ends the server; afterwards the same as `assertDone`. */
  finish(): Promise<void>;
  /** Ends the server, whatever was asked. */
  stop(): Promise<void>;
}

interface State {
  readonly script: readonly Turn[] | Script;
  readonly requests: ModelRequest[];
  readonly problems: string[];
  readonly issued: Set<string>;
  step: number;
}

/**
 * Starts a model that answers with the turns of a list, one a request, or with what a function makes of each request.
 * It is as strict as the strictest servers in use: a request that one of them would refuse is answered with 400 and kept in `problems`,
 * and so is a request beyond the last step.
 */
export async function startScriptedModel(script: readonly Turn[] | Script): Promise<ScriptedModel> {
  const state: State = { script, requests: [], problems: [], issued: new Set(), step: 0 };
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => {
      state.problems.push(`the script failed: ${String(error)}`);
      refuse(response, `the script failed: ${String(error)}`);
    });
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: state.requests,
    problems: state.problems,
    assertDone: () => assertDone(state),
    async finish() {
      await stop();
      assertDone(state);
    },
    stop,
  };
}

/**
 * Answers by how many calls the conversation holds already, and with the last turn from then on: such a model can be asked again after
 * a restart, and by several conversations at once. Each turn but the last makes exactly one call.
 */
export function resumable(turns: readonly Turn[]): Script {
  return ({ messages }) => {
    const made = messages.reduce((sum, { calls }) => sum + calls.length, 0);
    return turns[Math.min(made, turns.length - 1)];
  };
}

function assertDone({ script, problems, step }: State): void {
  const unused = typeof script === "function" ? [] : script.slice(step).map((turn) => `never asked for: ${JSON.stringify(turn)}`);
  const all = [...problems, ...unused];
  if (all.length > 0) throw new Error(`The scripted model is not content:\n- ${all.join("\n- ")}`);
}

const APIS: ReadonlyMap<string, ModelRequest["api"]> = new Map([
  ["/v1/chat/completions", "chat"],
  ["/v1/responses", "responses"],
]);

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://model").pathname;
  if (request.method === "GET" && path === "/v1/models") return sendModels(response);
  const body = await readJson(request);
  const api = APIS.get(path);
  if (request.method !== "POST" || api === undefined) return complain(state, response, `${request.method} ${path} is not served`);
  const received = readRequest(fieldsOf(body), request.headers.authorization, api);
  const number = state.requests.push(received);
  const problem = problemIn(received, state.issued);
  if (problem !== undefined) return complain(state, response, `request ${number}: ${problem}`);
  const turn = typeof state.script === "function" ? await state.script(received, state.step) : state.script[state.step];
  if (!turn) return complain(state, response, `request ${number} was not expected; its last message: ${received.last.slice(0, 200)}`);
  state.step += 1;
  for (const { id } of turn.calls ?? []) if (id !== undefined) state.issued.add(id);
  if (turn.reasoning !== undefined) state.issued.add(turn.reasoning);
  return play(response, received, turn, state.step);
}

async function play(response: ServerResponse, request: ModelRequest, turn: Turn, step: number): Promise<void> {
  if (turn.delayMs !== undefined) await sleep(turn.delayMs);
  if (turn.hang === true) return;
  if ((turn.status === undefined || turn.status === 200) && turn.body === undefined)
    return (request.api === "chat" ? answerChat : answerResponses)(response, request, turn, step);
  const body = turn.body ?? { error: { message: "scripted failure", type: "server_error", param: null, code: null } };
  response.writeHead(turn.status ?? 200, { "content-type": "application/json", ...turn.headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function complain(state: State, response: ServerResponse, problem: string): void {
  state.problems.push(problem);
  refuse(response, problem);
}

function refuse(response: ServerResponse, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: "messages", code: null } }));
}

function sendModels(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data: [{ id: "scripted", object: "model", created: 0, owned_by: "sallyport" }] }));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
