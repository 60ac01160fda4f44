import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { RunView } from "../core/run.ts";
import type { Actions, Awaitable, Filters } from "./api.ts";
import type { Draft } from "./draft.ts";
import { faultOf } from "./fault.ts";
import { within } from "./within.ts";

/** Milliseconds that one filter or action may take. */
const HOOK_WITHIN = 30_000;
const DEFAULT_PRIORITY = 10;

export interface Hook {
  readonly owner: string;
  readonly call: (value: never, run: RunView) => Awaitable<unknown>;
}

/** Filters or actions of one name, in the order in which they are called. */
export type HooksOf = (kind: "filter" | "action", name: string) => readonly Hook[];

/** By ascending priority; those of one priority in the order of loading. What was taken off again is not among them. */
export function hooksOf(drafts: readonly Draft[]): HooksOf {
  return (kind, name) =>
    drafts
      .flatMap(({ name: owner, hooks }) =>
        hooks.filter((hook) => hook.of === kind && hook.name === name).map((hook) => ({ ...hook, owner })),
      )
      .toSorted((a, b) => (a.priority ?? DEFAULT_PRIORITY) - (b.priority ?? DEFAULT_PRIORITY))
      .map(({ owner, call }) => ({ owner, call: call as Hook["call"] }));
}

/**
 * The value after all filters of its name. `check` answers why a filter's answer cannot be one, in words.
 * @throws {ExtensionFault} naming the first filter that threw, hung, or answered something else.
 */
export async function filtered<K extends keyof Filters>(
  hooks: HooksOf,
  name: K,
  value: Filters[K],
  run: RunView,
  check: (answer: unknown) => string | undefined,
): Promise<Filters[K]> {
  let current = value;
  for (const { owner, call } of hooks("filter", name)) {
    const what = `The filter ${name}`;
    const answer = await within(HOOK_WITHIN, () => call(current as never, run)).catch((error: unknown) => {
      throw faultOf(owner, what, error);
    });
    const why = answer === undefined || answer === null ? "answered nothing" : check(answer);
    if (why !== undefined) throw faultOf(owner, what, why);
    current = answer as Filters[K];
  }
  return current;
}

/** Tells all actions of a name, one after the other. Never throws. `valueFor` makes what each one is handed. */
export async function told<K extends keyof Actions>(
  hooks: HooksOf,
  name: K,
  valueFor: (owner: string) => Actions[K],
  run: RunView,
  log: Logger,
): Promise<void> {
  for (const { owner, call } of hooks("action", name)) {
    try {
      await within(HOOK_WITHIN, () => call(valueFor(owner) as never, run));
    } catch (error) {
      log.warn({ extension: owner, action: name, error: messageOf(error) }, "an action of an extension failed");
    }
  }
}
