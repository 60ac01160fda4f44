import { z } from "zod";
import { SallyportError } from "../core/errors.ts";
import { failed } from "../core/result.ts";
import { finished, outcomeOf } from "./outcome.ts";
import { checkArguments } from "./tool-arguments.ts";
import type { ContextOf, Effect, ReadContext, Tool, ToolSpec, WriteContext } from "./tool.ts";

const DEFAULT_PRIORITY = 10;
/** What the wire formats take as a function's name. */
const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

/**
 * Makes a tool of its description: JSON Schema from zod, arguments checked before the handler, every outcome a `ToolResult` of well-formed
 * text without hidden characters. Only what ends the attempt and the run's own abort are thrown on.
 * @throws {SallyportError} for a name that no API takes or an argument without a description: a programming error, at start.
 */
export function defineTool<S extends z.ZodObject, const E extends Effect>(spec: ToolSpec<S, E>): Tool {
  const schema = spec.parameters.strict();
  const parameters = jsonSchemaOf(spec.name, schema);
  return {
    name: spec.name,
    description: spec.description,
    parameters,
    effect: spec.effect,
    priority: spec.priority ?? DEFAULT_PRIORITY,
    ...(spec.spillAfterChars === undefined ? {} : { spillAfterChars: spec.spillAfterChars }),
    ...(spec.replays === undefined ? {} : { replays: spec.replays }),
    whyWrong(args) {
      const checked = checkArguments(schema, spec.name, args);
      return checked.ok ? undefined : checked.why;
    },
    async call(args, context) {
      const checked = checkArguments(schema, spec.name, args);
      if (!checked.ok) return finished(failed(checked.why));
      // The cast is what `ContextOf` says: a read tool is handed a context that has no more than it may use.
      const seen = (spec.effect === "read" ? readContext(context) : context) as ContextOf<E>;
      return outcomeOf(context, () => spec.handler(checked.value as z.output<S>, seen));
    },
  };
}

function jsonSchemaOf(tool: string, schema: z.ZodObject): Tool["parameters"] {
  if (!TOOL_NAME.test(tool)) {
    throw new SallyportError(`A tool cannot be named ${JSON.stringify(tool)}.`, {
      code: "tool-name",
      hint: "Use letters, digits and underscores.",
    });
  }
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input" });
  for (const [name, property] of Object.entries(json.properties ?? {})) {
    if (typeof property === "object" && property.description !== undefined) continue;
    throw new SallyportError(`The argument ${name} of the tool ${tool} has no description.`, { code: "tool-argument-undescribed" });
  }
  return json;
}

function readContext(context: WriteContext): ReadContext {
  const { run, callId, parentCallId, workspace, sandbox, github, usage, outputs, graph, facts, difference, research, signal } = context;
  return {
    run,
    callId,
    ...(parentCallId === undefined ? {} : { parentCallId }),
    workspace,
    github,
    ...(usage === undefined ? {} : { usage }),
    ...(difference === undefined ? {} : { difference }),
    ...(research === undefined ? {} : { research }),
    signal,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(graph === undefined ? {} : { graph }),
    ...(facts === undefined ? {} : { facts: { recall: () => facts.recall() } }),
  };
}
