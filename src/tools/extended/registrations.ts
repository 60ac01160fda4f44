import { failed, type ToolResult } from "../../core/result.ts";
import { isResult } from "../../extensions/read-result.ts";
import { schemaOf } from "../../extensions/registration.ts";
import type { ToolHandler, ToolRegistration } from "../../extensions/api.ts";
import { checkArguments } from "../tool-arguments.ts";
import type { Tool, WriteContext } from "../tool.ts";
import { grantOf } from "./context.ts";

/** By whom built-in tools are owned. */
const HOUSE = "sallyport";

/** Built-in tools by the handlers that stand for them. */
const builtIn = new WeakMap<ToolHandler, Tool>();

/** The tool of ours that a registration still is; undefined for one of an extension. */
export function builtInOf({ handler }: Pick<ToolRegistration, "handler">): Tool | undefined {
  return builtIn.get(handler);
}

/** A built-in tool in the form that hooks work with. */
export function registrationOfTool(tool: Tool): ToolRegistration {
  const { name, description, parameters, effect, priority, spillAfterChars } = tool;
  const handler: ToolHandler = (args, context) => asGranted(tool, context, (granted) => tool.call(args, granted));
  builtIn.set(handler, tool);
  return Object.freeze({
    name,
    description,
    parameters,
    effect,
    priority,
    ...(spillAfterChars === undefined ? {} : { spillAfterChars }),
    owner: HOUSE,
    handler,
  });
}

/** What every way to a tool's own handler goes through, the one of a deriver that calls it too: arguments are checked, and so is the result. */
export function guarded(tool: ToolRegistration): ToolHandler {
  if (builtInOf(tool) !== undefined) return tool.handler;
  return (args, context) =>
    asGranted(tool, context, async () => {
      const why = whyWrong(tool, args);
      if (why !== undefined) return failed(why);
      const result: unknown = await tool.handler(args, context);
      return isResult(result) ? result : failed("The tool answered something that is not a result.");
    });
}

/** Why arguments cannot be taken by a tool. */
export function whyWrong(tool: ToolRegistration, args: unknown): string | undefined {
  const own = builtInOf(tool);
  if (own !== undefined) return own.whyWrong?.(args);
  const checked = checkArguments(schemaOf(tool.parameters), tool.name, args);
  return checked.ok ? undefined : checked.why;
}

/** A call within the call that the context was made for, and no more than that one may do. */
function asGranted(
  { name, effect }: Pick<ToolRegistration, "name" | "effect">,
  context: { readonly signal?: AbortSignal },
  call: (granted: WriteContext) => Promise<ToolResult>,
): Promise<ToolResult> {
  const grant = grantOf(context);
  if (grant === undefined) return Promise.resolve(failed(`${name} can only be called within a call, with the context of that call.`));
  if (effect === "write" && grant.effect === "read") return Promise.resolve(failed(`${name} writes, so a tool that reads cannot call it.`));
  const { signal } = context;
  const own = grant.context;
  return call(signal === undefined || signal === own.signal ? own : { ...own, signal: AbortSignal.any([own.signal, signal]) });
}
