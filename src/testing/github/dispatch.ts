import type { Caller } from "./access/authenticate.ts";
import { ApiError, notFound } from "./api-error.ts";
import { isFields } from "./fields.ts";
import { answerAttachment } from "./attachments.ts";
import { answerManifest } from "./manifests.ts";
import { answerGraphql } from "./graphql/graphql.ts";
import type { RecordedRequest } from "./record.ts";
import { paramsOf, type Answer } from "./route.ts";
import { answerSignIn, answerUser } from "./sign-in.ts";
import { ROUTES } from "./routes/routes.ts";
import type { World } from "./state.ts";

export interface Dispatched {
  /** Still encoded, without `/api/v3`; undefined for what is not the API's. */
  readonly path: string | undefined;
  readonly caller: Caller;
  readonly request: RecordedRequest;
}

/** Answers a request of the API: finds its route, lets it in, carries it out. Errors of the API become answers. */
export function dispatch(world: World, dispatched: Dispatched): Answer {
  try {
    return route(world, dispatched);
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
}

function route(world: World, { path, caller, request }: Dispatched): Answer {
  if (path === undefined)
    return answerAttachment(world, caller, request) ?? answerManifest(world, request) ?? answerSignIn(world, request) ?? unrouted(request);
  if (caller.kind === "refused") throw new ApiError(401, caller.why);
  if (typeof request.body === "string") throw new ApiError(400, "Problems parsing JSON");
  if (path === "/graphql") return answerGraphql(world, caller, request);
  if (path === "/user" && request.method === "GET") return answerUser(world, caller);
  for (const candidate of ROUTES) {
    if (candidate.method !== request.method) continue;
    const params = paramsOf(candidate, path);
    if (!params) continue;
    const body = isFields(request.body) ? request.body : {};
    const login = "login" in caller ? caller.login : "";
    return candidate.handle({ world, caller, login, params, query: request.query, body, content: request.body, request });
  }
  return unrouted(request);
}

function unrouted(request: RecordedRequest): never {
  request.unrouted = true;
  throw notFound();
}
