import type { IncomingMessage, ServerResponse } from "node:http";
import type { StartProcess } from "../../../processes/start-process.ts";
import { GIT_ENVIRONMENT } from "./run-git.ts";

/** How repositories are served: as GitHub's, whoever owns the folder, and any commit may be asked for by its id. */
const SERVED = {
  "safe.directory": "*",
  "http.receivepack": "true",
  "uploadpack.allowFilter": "true",
  "uploadpack.allowAnySHA1InWant": "true",
};

export interface SmartRequest {
  /** Folder that holds `owner/name.git`. */
  readonly root: string;
  /** `/owner/name.git/info/refs`, … */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** Who pushes; empty for nobody. */
  readonly login: string;
  readonly start: StartProcess;
}

/**
 * Serves one request of git's smart HTTP with `git http-backend`, a CGI program; resolves with the status once all is sent.
 * Source: https://git-scm.com/docs/git-http-backend
 */
export async function serveGit(request: IncomingMessage, response: ServerResponse, smart: SmartRequest): Promise<number> {
  const child = smart.start({ program: "git", args: ["http-backend"], cwd: smart.root, env: environmentOf(request, smart) });
  child.stderr.resume();
  let isOver = false;
  // A client that goes away early needs no more of it.
  response.on("close", () => {
    if (!isOver) child.kill();
  });
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  let status = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    if (status !== 0) {
      response.write(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) continue;
    status = sendHead(response, head.subarray(0, end).toString());
    response.write(head.subarray(end + 4));
  }
  isOver = true;
  // Without git there is no output either.
  if (status === 0) {
    status = 500;
    response.writeHead(status);
  }
  response.end();
  return status;
}

/** Turns the head of a CGI answer into HTTP's; answers the status. */
function sendHead(response: ServerResponse, head: string): number {
  let status = 200;
  for (const line of head.split("\r\n")) {
    const at = line.indexOf(":");
    const name = line.slice(0, at);
    const value = line.slice(at + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
  return status;
}

function environmentOf(request: IncomingMessage, { root, path, query, login }: SmartRequest): Record<string, string> {
  const header = (name: string): string => String(request.headers[name] ?? "");
  return {
    ...GIT_ENVIRONMENT,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: header("git-protocol"),
    ...configured(SERVED),
    REQUEST_METHOD: request.method ?? "GET",
    PATH_INFO: path,
    QUERY_STRING: query,
    CONTENT_TYPE: header("content-type"),
    HTTP_CONTENT_ENCODING: header("content-encoding"),
    ...(request.headers["content-length"] === undefined ? {} : { CONTENT_LENGTH: header("content-length") }),
    REMOTE_USER: login,
    REMOTE_ADDR: "127.0.0.1",
  };
}

/** Git's settings as environment variables. */
function configured(settings: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(settings).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(Object.keys(settings).length), ...(Object.fromEntries(pairs) as Record<string, string>) };
}
