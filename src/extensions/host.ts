import type { Logger } from "../core/log.ts";
import { silent } from "../core/log.ts";
import { messageOf } from "../core/errors.ts";
import type { RunView } from "../core/run.ts";
import type {
  Actions,
  Entrypoint,
  Events,
  Filters,
  GateRule,
  Service,
  ToolBinding,
  ToolDeriver,
  ToolRegistration,
  ToolWrapper,
  Unsubscribe,
} from "./api.ts";
import type { Draft, Fragment, Route } from "./draft.ts";
import { createEventBus, type EventBus } from "./events.ts";
import { cannotLoad } from "./fault.ts";
import { filtered, hooksOf, told } from "./hooks.ts";
import { loadExtensions, type LoadOptions } from "./load.ts";
import { registrationOf } from "./registration.ts";
import { isOn, SERVICE_WITHIN, stopServices } from "./services.ts";
import { within } from "./within.ts";

export interface Owned<T> {
  readonly owner: string;
  readonly it: T;
}

/** All that the extensions of one process have registered, as the rest of the house asks for it. */
export interface ExtensionHost {
  /** By the order of loading; what was added on the running instance comes last. */
  tools(): readonly ToolRegistration[];
  /** Adds a tool for the conversations that begin from now on. @throws {TypeError} for one that cannot be, or whose name is taken. */
  addTool(binding: ToolBinding): Unsubscribe;
  readonly derivers: readonly Owned<ToolDeriver>[];
  readonly wrappers: readonly Owned<ToolWrapper>[];
  readonly rules: readonly GateRule[];
  readonly fragments: readonly Fragment[];
  readonly routes: readonly Owned<Route>[];
  filter<K extends keyof Filters>(
    name: K,
    value: Filters[K],
    run: RunView,
    check: (answer: unknown) => string | undefined,
  ): Promise<Filters[K]>;
  /** Never throws. */
  act<K extends keyof Actions>(name: K, valueFor: (owner: string) => Actions[K], run: RunView): Promise<void>;
  emit<K extends keyof Events>(event: K, payload: Events[K]): void;
  /** How many events observers have missed so far, by the event's name. */
  dropped(): ReadonlyMap<string, number>;
  /** Stops what was started, within 20 seconds. Never throws. */
  stop(): Promise<void>;
}

export interface HostOptions {
  readonly entrypoint: Entrypoint;
  readonly drafts: readonly Draft[];
  /** Names of tools that are there without extensions. */
  readonly builtIn: readonly string[];
  readonly mask: (text: string) => string;
  readonly log: Logger;
}

/** Loads the operator's extensions, starts their services, and answers what they registered. @throws {ConfigurationError} naming the module. */
export async function openExtensions(options: LoadOptions & { readonly mask: (text: string) => string }): Promise<ExtensionHost> {
  const { entrypoint, log, mask, tools, onError } = options;
  const loaded = await loadExtensions(options);
  const drafts: Draft[] = [];
  const started: Service[] = [];
  for (const draft of loaded) {
    const own = draft.services.filter((service) => isOn(service, entrypoint));
    const running: Service[] = [];
    try {
      for (const service of own) {
        await within(SERVICE_WITHIN, () => service.start());
        running.push(service);
      }
      started.push(...running);
      drafts.push(draft);
    } catch (error) {
      await stopServices(running, log);
      const fault = cannotLoad(draft.name, `its service did not start: ${messageOf(error)}`);
      if (onError === "stop") {
        await stopServices(started, log);
        throw fault;
      }
      log.warn({ extension: draft.name, error: fault.message }, "an extension is left out");
    }
  }
  const host = createHost({ entrypoint, drafts, builtIn: tools, mask, log });
  return { ...host, stop: () => stopServices(started, log) };
}

/** Where no extension is loaded: nothing is added, and nothing is heard. */
export function noExtensions(builtIn: readonly string[] = []): ExtensionHost {
  return createHost({ entrypoint: "app", drafts: [], builtIn, mask: (text) => text, log: silent });
}

export function createHost({ entrypoint, drafts, builtIn, mask, log }: HostOptions): ExtensionHost {
  const hooks = hooksOf(drafts);
  const bus: EventBus = createEventBus({ log, mask });
  for (const draft of drafts) {
    for (const hook of draft.hooks) {
      if (hook.of !== "event") continue;
      const { name, call } = hook;
      bus.add({ owner: draft.name, event: name as keyof Events, handler: call as never, isOn: () => draft.hooks.includes(hook) });
    }
  }
  const all = <T>(pick: (draft: Draft) => readonly T[]): readonly Owned<T>[] =>
    drafts.flatMap((draft) => pick(draft).map((it) => ({ owner: draft.name, it })));
  let added: readonly ToolRegistration[] = [];
  const tools = (): readonly ToolRegistration[] => [...drafts.flatMap((draft) => draft.tools), ...added];
  return {
    tools,
    addTool(binding) {
      const tool = registrationOf(binding, binding.owner ?? "embedder");
      if (builtIn.includes(tool.name) || tools().some(({ name }) => name === tool.name))
        throw new TypeError(`there is a tool named ${tool.name} already`);
      added = [...added, tool];
      return () => {
        added = added.filter((one) => one !== tool);
      };
    },
    derivers: all((draft) => draft.derivers),
    wrappers: all((draft) => draft.wrappers),
    rules: drafts.flatMap((draft) => draft.rules),
    fragments: drafts.flatMap((draft) => draft.fragments),
    // A worker has no dashboard, and the command line no server.
    routes: entrypoint === "app" ? all((draft) => draft.routes) : [],
    filter: (name, value, run, check) => filtered(hooks, name, value, run, check),
    act: (name, valueFor, run) => told(hooks, name, valueFor, run, log),
    emit: bus.emit,
    dropped: bus.dropped,
    stop: () => Promise.resolve(),
  };
}
