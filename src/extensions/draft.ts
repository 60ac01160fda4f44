import type { z } from "zod";
import type {
  Actions,
  Awaitable,
  Bot,
  Effect,
  Entrypoint,
  Events,
  Filters,
  GateRule,
  RouteHandler,
  Service,
  ToolDeriver,
  ToolRegistration,
  ToolSpec,
  ToolWrapper,
  Unsubscribe,
  VariableName,
} from "./api.ts";
import { bindingOf, registrationOf } from "./registration.ts";

/** A path below `/x/<name>`, as it was registered. */
export interface Route {
  readonly path: `/${string}`;
  readonly handler: RouteHandler;
  /** Set for a page. */
  readonly page?: { readonly label: string; readonly icon?: string };
}

export interface Fragment {
  readonly text: string;
  readonly whenTools: readonly string[];
}

interface DraftHook {
  readonly of: "filter" | "action" | "event";
  readonly name: string;
  readonly call: (value: never, run: never) => Awaitable<unknown>;
  readonly priority?: number;
}

/** What one extension has registered. Nothing of it counts before `register` has ended well. */
export interface Draft {
  readonly name: string;
  readonly tools: ToolRegistration[];
  readonly derivers: ToolDeriver[];
  readonly wrappers: ToolWrapper[];
  readonly hooks: DraftHook[];
  readonly rules: GateRule[];
  readonly services: Service[];
  readonly routes: Route[];
  readonly fragments: Fragment[];
}

const ROUTE = /^\/[\w.~/-]*$/;
const FILTERS: readonly string[] = [
  "tools.registrations",
  "research.registrations",
  "prompt.system",
  "review.findings",
] satisfies (keyof Filters)[];
const ACTIONS: readonly string[] = ["tools.register", "research.register", "run.before", "run.after"] satisfies (keyof Actions)[];
const EVENTS: readonly string[] = [
  "run.started",
  "run.finished",
  "tool.called",
  "turn.completed",
  "approval.requested",
  "approval.answered",
  "job.changed",
  "gate.decided",
] satisfies (keyof Events)[];
const LONGEST_FRAGMENT = 20_000;
const LONGEST_LABEL = 60;

/** The `bot` that an extension is handed, and what it put there. `close` ends the time in which anything can be registered. */
export function openDraft(
  name: string,
  config: unknown,
  entrypoint: Entrypoint,
  secret: (variable: VariableName) => string,
): { readonly bot: Bot; readonly draft: Draft; close(): void } {
  const draft: Draft = { name, tools: [], derivers: [], wrappers: [], hooks: [], rules: [], services: [], routes: [], fragments: [] };
  let isOpen = true;
  const put = <T>(list: T[], item: T): Unsubscribe => {
    if (!isOpen) throw new TypeError(`${name} can register something only while its register() is at work`);
    list.push(item);
    return () => {
      const at = list.indexOf(item);
      if (at >= 0) list.splice(at, 1);
    };
  };
  const hook = (of: DraftHook["of"], known: readonly string[], event: string, call: DraftHook["call"], priority?: number): Unsubscribe => {
    if (!known.includes(event)) throw new TypeError(`there is no ${of} ${JSON.stringify(event)}: expected one of ${known.join(", ")}`);
    callable(call, `the ${of} ${event}`);
    if (priority !== undefined && !Number.isFinite(priority)) throw new TypeError(`the ${of} ${event} has a priority that is no number`);
    return put(draft.hooks, { of, name: event, call, ...(priority === undefined ? {} : { priority }) });
  };
  const route = (path: `/${string}`, handler: RouteHandler, page?: Route["page"]): void => {
    if (typeof path !== "string" || !ROUTE.test(path) || path.length > 200)
      throw new TypeError(`${JSON.stringify(path)} is no path such as /status`);
    callable(handler, `the route ${path}`);
    const plain = withoutSlash(path);
    if (draft.routes.some((one) => one.path === plain)) throw new TypeError(`the route ${path} is registered twice`);
    put(draft.routes, { path: plain, handler, ...(page === undefined ? {} : { page }) });
  };
  const bot: Bot = {
    config,
    entrypoint,
    secret,
    tool: <S extends z.ZodObject, const E extends Effect>(spec: ToolSpec<S, E>) =>
      void put(draft.tools, registrationOf(bindingOf(spec), name)),
    addTool: (binding) => void put(draft.tools, registrationOf(binding, name)),
    addToolDeriver: (derive) => void put(draft.derivers, callable(derive, "a deriver")),
    addToolWrapper: (wrap) => void put(draft.wrappers, callable(wrap, "a wrapper")),
    addFilter: (event, filter, priority) => hook("filter", FILTERS, event, filter, priority),
    addAction: (event, action, priority) => hook("action", ACTIONS, event, action, priority),
    on: (event, handler) => hook("event", EVENTS, event, handler),
    addRule(rule) {
      if (typeof rule?.name !== "string" || !/^[a-z][a-z0-9-]{0,63}$/.test(rule.name))
        throw new TypeError("a gate rule needs a name in kebab-case");
      if (!Array.isArray(rule.applies) || rule.applies.length === 0)
        throw new TypeError(`the gate rule ${rule.name} needs the operations to which it applies`);
      callable(rule.check, `the check of the gate rule ${rule.name}`);
      put(draft.rules, rule);
    },
    addService(service) {
      if (typeof service?.name !== "string" || service.name.trim() === "") throw new TypeError("a service needs a name");
      callable(service.start, `the start of the service ${service.name}`);
      callable(service.stop, `the stop of the service ${service.name}`);
      put(draft.services, service);
    },
    addRoute: (path, handler) => route(path, handler),
    addPage(path, label, handler, icon) {
      if (typeof label !== "string" || label.trim() === "" || label.length > LONGEST_LABEL)
        throw new TypeError(`the page ${path} needs a label of at most ${LONGEST_LABEL} characters`);
      route(path, handler, { label: label.trim(), ...(icon === undefined ? {} : { icon }) });
    },
    addPromptFragment(text, { whenTools = [] } = {}) {
      if (typeof text !== "string" || text.trim() === "" || text.length > LONGEST_FRAGMENT)
        throw new TypeError("a prompt fragment needs some words");
      put(draft.fragments, { text: text.trim(), whenTools: [...whenTools] });
    },
  };
  return {
    bot: Object.freeze(bot),
    draft,
    close() {
      isOpen = false;
    },
  };
}

function callable<T>(value: T, what: string): T {
  if (typeof value !== "function") throw new TypeError(`${what} is no function`);
  return value;
}

function withoutSlash(path: string): `/${string}` {
  return `/${path.replace(/^\/+|\/+$/g, "")}`;
}
