import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authenticate } from "./access/authenticate.ts";
import { dispatch } from "./dispatch.ts";
import { strikingFault, type FaultResponse } from "./faults.ts";
import { gitRequestOf, handleGit } from "./git/smart-http.ts";
import type { RecordedRequest } from "./record.ts";
import type { Answer } from "./route.ts";
import type { World } from "./state.ts";

/** An idle connection that closes just as it is used again would look like a fault of the client. */
const KEEP_ALIVE_MS = 120_000;
const HOURLY_LIMIT = 5000;

/** Serves the world on a free port of the loopback interface; sets its origin. */
export async function listen(world: World): Promise<Server> {
  const server = createServer((request, response) => {
    handle(world, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(error instanceof Error ? error.stack : String(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

/** Ends the server and every connection that is still open. */
export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", world.origin);
  const caller = authenticate(world, request.headers.authorization);
  const git = gitRequestOf(request.method ?? "GET", url);
  const raw = git ? Buffer.alloc(0) : await readBody(request);
  const path = apiPath(url.pathname);
  const record: RecordedRequest = {
    at: Date.now(),
    method: request.method ?? "GET",
    path: decoded(path ?? url.pathname),
    query: Object.fromEntries(url.searchParams),
    body: parsed(raw),
    auth: caller.kind,
    login: "login" in caller ? caller.login : undefined,
    authorization: request.headers.authorization,
    accept: request.headers.accept ?? "",
    host: request.headers.host,
    status: 0,
    ...(git ? { git: git.service } : {}),
  };
  world.requests.push(record);
  const fault = strikingFault(world.faults, record);
  // What git answers cannot be held back once it streams, so there a fault always strikes before.
  if (fault && (fault.after !== true || git)) {
    record.faulted = true;
    await fault.run?.(record);
    return answerFault(world, request, response, record, fault.respond);
  }
  if (git) return handleGit(world, request, response, { git, caller, record });
  const answer = dispatch(world, { path, caller, request: record });
  if (!fault) return send(world, response, record, unlessKnown(request, answer));
  record.faulted = true;
  await fault.run?.(record);
  return answerFault(world, request, response, record, fault.respond);
}

/** What a conditional request asks for that has not changed is not sent again, and does not count. Source: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate */
function unlessKnown({ method, headers }: IncomingMessage, answer: Answer): Answer {
  if (method !== "GET" || answer.status !== 200 || typeof answer.body !== "object" || Buffer.isBuffer(answer.body)) return answer;
  const etag = `W/"${createHash("sha256").update(JSON.stringify(answer.body)).digest("hex")}"`;
  if (headers["if-none-match"] === etag) return { status: 304, body: undefined, headers: { etag } };
  return { ...answer, headers: { ...answer.headers, etag } };
}

function answerFault(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  record: RecordedRequest,
  respond: FaultResponse,
): void {
  if (respond === "hang") {
    record.status = 0;
    return;
  }
  if (respond === "reset") {
    record.status = -1;
    request.socket.resetAndDestroy();
    return;
  }
  const { status, headers, body = { message: "Server Error" } } = respond;
  send(world, response, record, { status, body, ...(headers ? { headers } : {}) });
}

function send(world: World, response: ServerResponse, record: RecordedRequest, { status, body, headers }: Answer): void {
  record.status = status;
  if (response.destroyed || response.writableEnded) return;
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  const used = world.requests.filter(({ authorization, status: had }) => authorization === record.authorization && had !== 304).length;
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8" }),
    "x-github-request-id": String(world.requests.length),
    "x-ratelimit-limit": String(HOURLY_LIMIT),
    "x-ratelimit-remaining": String(Math.max(0, HOURLY_LIMIT - used)),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
    "x-ratelimit-resource": record.path === "/graphql" ? "graphql" : "core",
    ...headers,
  });
  response.end(isText ? body : body === undefined ? undefined : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An enterprise server has its API under these two addresses, and pages everywhere else. */
function apiPath(pathname: string): string | undefined {
  if (pathname === "/api/graphql") return "/graphql";
  return /^\/api\/v3(?=\/|$)/.test(pathname) ? pathname.slice("/api/v3".length) || "/" : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function parsed(raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  const text = raw.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
