import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}
export type Reply = (response: ServerResponse, received: Received) => void;

export interface WireServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly origin: string;
  readonly received: Received[];
}

/** A model server on loopback that answers one request after another as told; an unexpected request gets a 418 that fails the test. */
export async function serveModel(...replies: readonly Reply[]): Promise<WireServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const reply = replies[received.length] ?? json({ error: { message: "an unexpected request" } }, 418);
      const one = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown> };
      received.push(one);
      reply(response, one);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** A plain JSON answer. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** A streamed answer. `end`: `done` sends the sentinel, `closed` ends without it, `reset` breaks the connection, `open` leaves it open. */
export function sse(chunks: readonly unknown[], end: "done" | "closed" | "reset" | "open" = "done"): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) response.write(`data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`);
    if (end === "done") response.end("data: [DONE]\n\n");
    else if (end === "closed") response.end();
    else if (end === "reset") setTimeout(() => response.destroy(), 10);
  };
}

export const chunk = (delta: unknown, finish_reason: string | null = null): unknown => ({ choices: [{ index: 0, delta, finish_reason }] });
export const finish = (reason = "stop"): unknown => chunk({}, reason);
export const usage = { choices: [], usage: { prompt_tokens: 11, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 7 } } };

interface CallPart {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly args?: unknown;
}
/** A chunk with pieces of calls. */
export const calls = (...parts: readonly CallPart[]): unknown =>
  chunk({ tool_calls: parts.map(({ index, id, name, args }) => ({ index, id, type: "function", function: { name, arguments: args } })) });
