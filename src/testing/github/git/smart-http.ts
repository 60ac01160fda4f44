import type { IncomingMessage, ServerResponse } from "node:http";
import { admit, canSee } from "../access/admit.ts";
import type { Caller } from "../access/authenticate.ts";
import { ApiError } from "../api-error.ts";
import type { RecordedRequest } from "../record.ts";
import { branches } from "../seed/repositories.ts";
import type { Repository, World } from "../state.ts";
import { announcePush } from "../webhooks/announce.ts";
import { serveGit } from "./http-backend.ts";

/** A request of git's smart HTTP. */
export interface GitRequest {
  readonly service: "fetch" | "push";
  readonly fullName: string;
  /** What follows the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly rest: string;
  readonly query: string;
}

export function gitRequestOf(method: string, url: URL): GitRequest | undefined {
  const [, owner, name, rest] = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-(?:upload|receive)-pack)$/.exec(url.pathname) ?? [];
  if (owner === undefined || name === undefined || rest === undefined) return undefined;
  if ((rest === "/info/refs") !== (method === "GET")) return undefined;
  const pushes = rest === "/git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  return { service: pushes ? "push" : "fetch", fullName: `${owner}/${name}`, rest, query: url.search.slice(1) };
}

export interface Admitted {
  readonly git: GitRequest;
  readonly caller: Caller;
  readonly record: RecordedRequest;
}

/** Serves git: public repositories to all, private ones and pushes only with a token that may. */
export async function handleGit(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  { git, caller, record }: Admitted,
): Promise<void> {
  const repository = world.repositories.get(git.fullName.toLowerCase());
  const refused = refusalOf(repository, caller, git.service);
  if (refused || !repository) {
    record.status = refused?.status ?? 404;
    response.writeHead(record.status, record.status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {});
    response.end(refused?.message ?? "Repository not found.");
    return;
  }
  record.status = await serveGit(request, response, {
    root: world.directory,
    path: `/${repository.owner}/${repository.name}.git${git.rest}`,
    query: git.query,
    login: "login" in caller ? caller.login : "",
    start: world.start,
  });
  if (git.service !== "push" || git.rest === "/info/refs") return;
  const login = "login" in caller ? caller.login : repository.owner;
  for (const branch of branches(world, repository)) announcePush(world, repository, branch, login);
}

function refusalOf(
  repository: Repository | undefined,
  caller: Caller,
  service: GitRequest["service"],
): { status: number; message: string } | undefined {
  if (caller.kind === "refused" || caller.kind === "app") return { status: 401, message: "Invalid username or token." };
  if (caller.kind === "none" && (!repository || repository.isPrivate || service === "push")) {
    return { status: 401, message: "Authentication required." };
  }
  if (!repository || !canSee(repository, caller)) return { status: 404, message: "Repository not found." };
  try {
    admit(repository, caller, { anyOf: ["contents"], level: service === "push" ? "write" : "read" });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return { status: 403, message: error.message };
    throw error;
  }
}
