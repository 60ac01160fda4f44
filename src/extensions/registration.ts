import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import type { ContextOf, Effect, JsonSchemaObject, ToolBinding, ToolRegistration, ToolSpec } from "./api.ts";
import { readToolReturn } from "./read-result.ts";

const DEFAULT_PRIORITY = 10;
const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const LONGEST_DESCRIPTION = 20_000;

/**
 * A binding as everything else works with it: what its handler answers is read, and what is wrong with it is said at once.
 * @throws {TypeError} naming the tool and what is wrong.
 */
export function registrationOf(binding: ToolBinding, owner: string): ToolRegistration {
  const why = whyNoBinding(binding);
  if (why !== undefined) throw new TypeError(why);
  const { name, description, parameters, effect, priority = DEFAULT_PRIORITY, spillAfterChars, handler } = binding;
  return Object.freeze({
    name,
    description,
    parameters,
    effect,
    priority,
    ...(spillAfterChars === undefined ? {} : { spillAfterChars }),
    owner,
    handler: async (args: Readonly<Record<string, unknown>>, context: Parameters<ToolBinding["handler"]>[1]) =>
      readToolReturn(await handler(args, context)),
  });
}

/** What is wrong with something that a filter, a deriver or an extension handed over as a tool; undefined when nothing is. */
export function whyNoBinding(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "something was given as a tool that is no object";
  const { name, description, parameters, effect, priority, spillAfterChars, handler } = value as {
    readonly [key in keyof ToolBinding]: unknown;
  };
  if (typeof name !== "string" || !TOOL_NAME.test(name)) {
    return `a tool cannot be named ${JSON.stringify(name)}: expected lower case letters, digits and underscores`;
  }
  const wrong = (what: string): string => `the tool ${name} ${what}`;
  if (typeof description !== "string" || description.trim() === "" || description.length > LONGEST_DESCRIPTION)
    return wrong("needs a description");
  if (effect !== "read" && effect !== "write") return wrong('needs an effect, "read" or "write"');
  if (priority !== undefined && !Number.isFinite(priority)) return wrong("has a priority that is no number");
  if (spillAfterChars !== undefined && !(typeof spillAfterChars === "number" && spillAfterChars >= 1))
    return wrong("has a spillAfterChars that is no positive number");
  if (typeof handler !== "function") return wrong("needs a handler");
  try {
    schemaOf(parameters as JsonSchemaObject);
    return undefined;
  } catch (error) {
    return wrong(`needs parameters that are a JSON Schema of one object: ${messageOf(error)}`);
  }
}

const schemas = new WeakMap<object, z.ZodObject>();

/** The schema that arguments are checked with. @throws {TypeError} for what is no JSON Schema of an object. */
export function schemaOf(parameters: JsonSchemaObject): z.ZodObject {
  if (typeof parameters !== "object" || parameters === null) throw new TypeError("there is none");
  const known = schemas.get(parameters);
  if (known !== undefined) return known;
  const schema = z.fromJSONSchema({ type: "object", properties: {}, ...parameters } as Parameters<typeof z.fromJSONSchema>[0]);
  if (!(schema instanceof z.ZodObject)) throw new TypeError("it describes something else");
  schemas.set(parameters, schema);
  return schema;
}

/** A typed tool in the erased form. Its zod schema checks the arguments, so defaults and transforms reach the handler. */
export function bindingOf<S extends z.ZodObject, E extends Effect>(spec: ToolSpec<S, E>): ToolBinding {
  const { name, description, parameters, effect, priority, spillAfterChars, handler } = spec;
  const { $schema: _, ...json } = z.toJSONSchema(parameters, { io: "input" });
  return {
    name,
    description,
    parameters: json as JsonSchemaObject,
    effect,
    ...(priority === undefined ? {} : { priority }),
    ...(spillAfterChars === undefined ? {} : { spillAfterChars }),
    async handler(args, context) {
      const parsed = await parameters.safeParseAsync(args);
      if (!parsed.success) {
        const wrong = parsed.error.issues.map(({ path, message }) => `${JSON.stringify(path.join("."))}: ${message}`);
        return `[error] Wrong arguments for ${name}: ${wrong.join("; ")}.`;
      }
      // What a read tool is handed has nothing that writes, whatever the erased type says.
      return handler(parsed.data, context as ContextOf<E>);
    },
  };
}
