import { readFileSync } from "node:fs";
import { ConfigurationError, messageOf } from "../src/core/errors.ts";
import type { RepositoryRef, RunRequest } from "../src/core/run.ts";
import { isHeard, toRunRequest, type Identity } from "../src/triggers/request.ts";
import type { Inputs } from "./inputs.ts";

type Variables = Readonly<Record<string, string | undefined>>;
type Payload = Readonly<Record<string, unknown>>;

/** The one event that this process was started for. */
export interface Event {
  readonly name: string;
  readonly payload: Payload;
  /** `owner/name` of the workflow's repository. */
  readonly repository: { readonly owner: string; readonly name: string };
  /** The workflow run, and its attempt: no other job has both. */
  readonly runId: number;
  readonly deliveryId: string;
  /** Who set the workflow off, where the event itself names nobody. */
  readonly actor: { readonly id: number; readonly login: string };
}

/** What is to be done about it. */
export type Wanted =
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "run"; readonly request: RunRequest }
  /** The request says which pull request; no run is made of it. */
  | { readonly kind: "gate"; readonly request: RunRequest }
  /** The event names neither thread nor repository as a run needs them: `taskFor` makes the request. */
  | { readonly kind: "task"; readonly prompt: string };

/** The payload of a repository's workflow has no installation: every token here is good for this repository alone. */
const NO_INSTALLATION = 1;
/** The token of a workflow writes as no App that a comment could name. */
const NO_APP = 0;
const LONGEST_TITLE = 100;
/** What a workflow may be set up for. The App hears more: it keeps things between events. */
const HEARD = ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment", "workflow_run"];
/** Events that happen at a time, or by a hand, and are about nothing. */
const ABOUT_NOTHING = ["schedule", "workflow_dispatch", "repository_dispatch"];

/** @throws {ConfigurationError} naming the variable, or the file, that is missing or malformed. */
export function readEvent(variables: Variables): Event {
  const name = required(variables, "GITHUB_EVENT_NAME");
  const [, owner = "", repository = ""] = /^([\w.-]+)\/([\w.-]+)$/.exec(required(variables, "GITHUB_REPOSITORY")) ?? [];
  if (owner === "") throw malformed("GITHUB_REPOSITORY is not of the form owner/name.");
  const run = Number(variables["GITHUB_RUN_ID"] ?? "");
  const runId = Number.isSafeInteger(run) && run > 0 ? run : 0;
  const id = Number(variables["GITHUB_ACTOR_ID"] ?? "");
  return {
    name,
    payload: readPayload(required(variables, "GITHUB_EVENT_PATH")),
    repository: { owner, name: repository },
    runId,
    deliveryId: `actions-${runId}-${variables["GITHUB_RUN_ATTEMPT"] ?? "1"}`,
    actor: { id: Number.isSafeInteger(id) && id > 0 ? id : 0, login: variables["GITHUB_ACTOR"] ?? "" },
  };
}

function readPayload(file: string): Payload {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw malformed(`The event file that GITHUB_EVENT_PATH names cannot be read: ${messageOf(error)}.`);
  }
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    throw malformed("The event file that GITHUB_EVENT_PATH names is no JSON: it is empty or cut off.");
  }
  if (isObject(payload)) return payload;
  throw malformed("The event file that GITHUB_EVENT_PATH names holds no object.");
}

function required(variables: Variables, name: string): string {
  const value = (variables[name] ?? "").trim();
  if (value !== "") return value;
  throw malformed(`The variable ${name} is not set, so the event is not known.`);
}

function malformed(message: string): ConfigurationError {
  return new ConfigurationError(message, {
    code: "bad-event",
    hint: "GitHub's runner sets it; a step that calls the bundle by hand must too.",
  });
}

/** What the mode makes of the event. Nothing is looked up here, and nothing is written. */
export function wantedOf(event: Event, { mode, prompt, name, botLogin }: Inputs): Wanted {
  const about = looked(event);
  const identity: Identity = { appSlug: name, appId: NO_APP, botLogin };
  switch (mode) {
    case "auto":
      if (!ABOUT_NOTHING.includes(about.kind)) return about.ask(identity);
      return prompt === undefined ? ignored(`${about.label} starts nothing without the input prompt`) : { kind: "task", prompt };
    case "task":
      return { kind: "task", prompt: prompt ?? "" };
    case "review":
      return reviewOf(about, identity);
    case "fix":
      return fixOf(about, identity);
    case "gate":
      return gateOf(about);
  }
}

/** An event, and what the triggers make of it, or of it with other fields. */
interface Looked {
  /** What may run with secrets on a fork's pull request has the same payload as what may not, and one name here. */
  readonly kind: string;
  readonly label: string;
  readonly action: string;
  readonly payload: Payload;
  /** It can start a run as it is. */
  readonly isHeard: boolean;
  ask(identity: Identity, over?: Payload): Wanted;
}

function looked(event: Event): Looked {
  const kind = event.name === "pull_request_target" ? "pull_request" : event.name;
  const action = typeof event.payload["action"] === "string" ? event.payload["action"] : "";
  const label = `the event ${event.name}${action === "" ? "" : ` (${action})`}`;
  return {
    kind,
    label,
    action,
    payload: event.payload,
    isHeard: HEARD.includes(kind) && isHeard(kind, event.payload),
    ask(identity, over = {}) {
      const payload = { ...event.payload, installation: { id: NO_INSTALLATION }, ...over };
      if (!HEARD.includes(kind) || !isHeard(kind, payload)) return ignored(`${label} starts nothing`);
      const request = toRunRequest(kind, event.deliveryId, payload, identity);
      return "ignored" in request ? ignored(request.ignored) : { kind: "run", request };
    },
  };
}

const ignored = (why: string): Wanted => ({ kind: "ignored", why });

/** The pull request of the event, whatever happened to it; or the one that a mention is on. */
function reviewOf(about: Looked, identity: Identity): Wanted {
  const hasNone = `mode review needs a pull request, and ${about.label} has none`;
  if (about.kind === "pull_request" && about.action !== "closed") return about.ask(identity, { action: "ready_for_review" });
  if (!about.isHeard) return ignored(hasNone);
  const wanted = about.ask(identity);
  if (wanted.kind !== "run") return about.kind === "issues" ? ignored(hasNone) : wanted;
  if (wanted.request.thread.kind !== "pull-request") return ignored(hasNone);
  const { command: _, ...request } = wanted.request;
  return { ...wanted, request: { ...request, trigger: "review" } };
}

/** A mention, failed CI, or an issue as it stands: a workflow that was set up for issues means them, as if the bot had been assigned. */
function fixOf(about: Looked, identity: Identity): Wanted {
  const hasNone = ignored(`mode fix has nothing to work on in ${about.label}`);
  const isIssue = about.kind === "issues";
  if (!isIssue && !about.isHeard) return hasNone;
  const wanted = isIssue ? about.ask(identity, { action: "assigned", assignee: { id: 1, login: identity.botLogin } }) : about.ask(identity);
  return wanted.kind === "run" && wanted.request.trigger === "review" ? hasNone : wanted;
}

/** Whoever made the pull request, and drafts too. */
function gateOf(about: Looked): Wanted {
  const pull = about.payload["pull_request"];
  if (about.kind !== "pull_request" || !isObject(pull)) return ignored(`mode gate judges pull requests, and ${about.label} has none`);
  if (about.action === "closed") return ignored("the pull request is closed");
  const nobody: Identity = { appSlug: "", appId: NO_APP, botLogin: "" };
  const wanted = about.ask(nobody, { action: "ready_for_review", pull_request: { ...pull, draft: false } });
  if (wanted.kind !== "run") return wanted;
  return { kind: "gate", request: { ...wanted.request, trigger: "gate" } };
}

/** A run for what the workflow itself asks for, on the default branch. The repository's owners wrote it, so nobody is asked for a permission. */
export function taskFor({ deliveryId, payload, actor }: Event, prompt: string, repository: RepositoryRef): RunRequest {
  const sender = isObject(payload["sender"]) ? payload["sender"] : {};
  const { id, login, type } = sender;
  const [title = ""] = prompt.split("\n", 1);
  return {
    trigger: "task",
    deliveryId,
    repository,
    thread: { kind: "none", number: 0 },
    actor: typeof id === "number" && typeof login === "string" ? { id, login, isBot: type === "Bot" } : { ...actor, isBot: false },
    source: { kind: "schedule", id: 0 },
    title: title.slice(0, LONGEST_TITLE).toWellFormed(),
    body: "",
    text: prompt.toWellFormed(),
    unasked: true,
    quiet: true,
  };
}

function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
