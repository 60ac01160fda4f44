import type { Logger } from "../../core/log.ts";
import { failed } from "../../core/result.ts";
import type { RunView } from "../../core/run.ts";
import type { Filters, ToolHandler, ToolRegistration } from "../../extensions/api.ts";
import type { ExtensionHost } from "../../extensions/host.ts";
import { isResult } from "../../extensions/read-result.ts";
import { registrationOf, whyNoBinding } from "../../extensions/registration.ts";
import { finished, outcomeOf } from "../outcome.ts";
import type { Tool } from "../tool.ts";
import { contextFor } from "./context.ts";
import { withDerived } from "./derive.ts";
import { isAllowed, needsApproval, type ToolPolicy } from "./policy.ts";
import { builtInOf, guarded, registrationOfTool, whyWrong } from "./registrations.ts";
import { approve, asCall, wrapped } from "./wrap.ts";

export interface AssembleOptions {
  /** Whose list it is: the run's own, or its research subagent's. */
  readonly of: "tools" | "research";
  readonly builtIn: readonly Tool[];
  readonly extensions: ExtensionHost;
  readonly run: RunView;
  readonly policy: ToolPolicy;
  /** What the kind of the run itself lets it have; asked of every tool, whatever made it. */
  readonly isOffered: (tool: Pick<ToolRegistration, "name" | "effect">) => boolean;
  readonly log: Logger;
}

/**
 * The tools of one conversation, in the order in which the model is told of them: built-in and registered ones → actions → filters → policy →
 * derivers → policy → wrappers.
 * @throws {ExtensionFault} naming the hook that broke its contract.
 */
export async function assembleTools({ of, builtIn, extensions, run, policy, isOffered, log }: AssembleOptions): Promise<readonly Tool[]> {
  const own = builtIn.map(registrationOfTool);
  const collected: ToolRegistration[] = [...own, ...(of === "tools" ? extensions.tools() : [])];
  await extensions.act(
    `${of}.register`,
    (owner) => ({
      add(binding) {
        const tool = registrationOf(binding, owner);
        if (collected.some(({ name }) => name === tool.name)) throw new TypeError(`there is a tool named ${tool.name} already`);
        collected.push(tool);
      },
    }),
    run,
  );
  const filtered = await extensions.filter(`${of}.registrations`, inOrder(collected), run, whyNoList);
  const mayStay = (tool: ToolRegistration): boolean => isOffered(tool) && isAllowed(tool.name, policy);
  const allowed = filtered.filter(mayStay);

  const handlers = new Map<string, ToolHandler>();
  // Also what a deriver calls passes the wrappers of the tool that it calls.
  const shown = allowed.map((tool): ToolRegistration => ({ ...tool, handler: (args, context) => handlerOf(tool.name)(args, context) }));
  const handlerOf = (name: string): ToolHandler => handlers.get(name) ?? (() => Promise.resolve(failed(`${name} cannot be called yet.`)));
  const bases = new Map(allowed.map((tool) => [tool.name, tool]));
  const list = withDerived({ derivers: extensions.derivers, tools: shown, isAllowed: mayStay, log });
  for (const tool of [...allowed, ...list.filter(({ name }) => !bases.has(name))]) {
    handlers.set(tool.name, wrapped(tool, withApproval(tool, guarded(tool), policy), extensions.wrappers));
  }
  return list.map((tool) => toolOf(bases.get(tool.name) ?? tool, handlerOf(tool.name), { extensions, run }));
}

/** The operator's own question comes last: wrappers may refuse, or change, a call before people are bothered with it. */
function withApproval({ name }: ToolRegistration, next: ToolHandler, policy: ToolPolicy): ToolHandler {
  if (!needsApproval(name, policy)) return next;
  return async (args, context) =>
    (await approve({ tool: name, detail: JSON.stringify(args) }))
      ? next(args, context)
      : failed(`${name} was not run: nobody who may has agreed to it.`);
}

/** A tool as the loop calls it. */
function toolOf(tool: ToolRegistration, handler: ToolHandler, { extensions, run }: Pick<AssembleOptions, "extensions" | "run">): Tool {
  const { name, description, parameters, effect, priority, spillAfterChars } = tool;
  const replays = builtInOf(tool)?.replays;
  return {
    name,
    description,
    parameters,
    effect,
    priority,
    ...(spillAfterChars === undefined ? {} : { spillAfterChars }),
    ...(replays === undefined ? {} : { replays }),
    async call(args, context) {
      const why = whyWrong(tool, args);
      const started = performance.now();
      const result =
        why === undefined
          ? await outcomeOf(context, () =>
              asCall(context, async () => {
                const answer: unknown = await handler(args as Readonly<Record<string, unknown>>, contextFor(context, effect));
                return isResult(answer) ? answer : failed(`A wrapper of ${name} answered something that is not a result.`);
              }),
            )
          : finished(failed(why));
      extensions.emit("tool.called", { run, tool: name, status: result.status, ms: Math.round(performance.now() - started) });
      return result;
    },
  };
}

function inOrder(tools: readonly ToolRegistration[]): readonly ToolRegistration[] {
  return tools.toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
}

function whyNoList(answer: unknown): string | undefined {
  if (!Array.isArray(answer)) return "answered something that is no list of tools";
  const list = answer as Filters["tools.registrations"];
  const wrong = list.map(whyNoBinding).find((why) => why !== undefined);
  if (wrong !== undefined) return `answered a list in which ${wrong}`;
  const twice = list.find(({ name }, index) => list.findIndex((one) => one.name === name) !== index);
  return twice === undefined ? undefined : `answered a list with two tools named ${twice.name}`;
}
