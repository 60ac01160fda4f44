import { admit } from "./access/admit.ts";
import type { Caller } from "./access/authenticate.ts";
import { ApiError, inaccessible, notFound } from "./api-error.ts";
import type { Fields } from "./fields.ts";
import type { RecordedRequest } from "./record.ts";
import type { Repository, World } from "./state.ts";

/** A request that was let in. */
export interface Call {
  readonly world: World;
  readonly caller: Caller;
  /** Login of the caller; empty for nobody. */
  readonly login: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** An empty object when there is none. */
  readonly body: Fields;
  /** The body as it was parsed: some routes take a list. */
  readonly content: unknown;
  readonly request: RecordedRequest;
}
export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

/** What is answered. `body` is sent as JSON; bytes as they are; undefined as nothing. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: string;
  /** GitHub's way of writing a path: `/repos/{owner}/{repo}/git/ref/{ref}`; `{+path}` takes slashes too. */
  readonly template: string;
  readonly pattern: RegExp;
  handle(call: Call): Answer;
}

/** A route that anyone may ask. */
export function openRoute(line: string, handle: (call: Call) => Answer): Route {
  const [method = "", template = ""] = line.split(" ");
  return { method, template, pattern: patternOf(template), handle };
}

/** A route that only the App itself may ask, with its own signed token. */
export function appRoute(line: string, handle: (call: Call) => Answer): Route {
  return openRoute(line, (call) => {
    if (call.caller.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
    return handle(call);
  });
}

/**
 * A route under `/repos/{owner}/{repo}`: 404 for what the caller may not see, 403 without one of the permissions `anyOf`
 * (write for every method but GET), 403 in an archived repository.
 */
export function repositoryRoute(line: string, anyOf: readonly string[], handle: (call: RepositoryCall) => Answer): Route {
  const [method = "", path = ""] = line.split(" ");
  return openRoute(`${method} /repos/{owner}/{repo}${path}`, (call) => {
    const repository = call.world.repositories.get(`${call.params["owner"]}/${call.params["repo"]}`.toLowerCase());
    if (!repository) throw notFound();
    if (call.caller.kind === "app") throw inaccessible();
    admit(repository, call.caller, { anyOf, level: method === "GET" ? "read" : "write" });
    return handle({ ...call, repository });
  });
}

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, body, headers };
}
export function created(body: unknown): Answer {
  return { status: 201, body };
}
export const NO_CONTENT: Answer = { status: 204 };

/** A parameter of the path as a number; 404 when it is none. */
export function numberIn(call: Call, name: string): number {
  const text = call.params[name] ?? "";
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

/** The one with this key; 404 without. */
export function present<T>(value: T | undefined, message?: string): T {
  if (value === undefined) throw notFound(message);
  return value;
}

/** The parameters of a path that a route takes, decoded; undefined when it does not fit. */
export function paramsOf(route: Route, path: string): Record<string, string> | undefined {
  const match = route.pattern.exec(path);
  if (!match) return undefined;
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function patternOf(template: string): RegExp {
  const source = template
    .replace(/[.$()|[\]\\]/g, String.raw`\$&`)
    .replace(/\{\+(\w+)\}/g, (_, name: string) => `(?<${name}>.+)`)
    .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
  return new RegExp(`^${source}$`);
}
