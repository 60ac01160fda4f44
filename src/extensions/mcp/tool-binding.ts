import picomatch from "picomatch";
import { messageOf } from "../../core/errors.ts";
import { stripInvisible } from "../../text/hidden.ts";
import type { JsonSchemaObject, ToolBinding } from "../api.ts";
import { whyNoBinding } from "../registration.ts";
import { renderResult } from "./render-result.ts";
import type { ToolServer } from "./server.ts";
import { toolName } from "./tool-name.ts";

const LONGEST_DESCRIPTION = 2_000;
const LARGEST_SCHEMA = 32_000;
const LONGEST_NAME = 200;

/** A tool of a server as a tool of ours, or why it cannot be one, in words. */
export function bindingFor(server: ToolServer, listed: unknown): ToolBinding | string {
  const { name, description, inputSchema } = (typeof listed === "object" && listed !== null ? listed : {}) as {
    readonly [key in "name" | "description" | "inputSchema"]?: unknown;
  };
  if (typeof name !== "string" || name === "" || name.length > LONGEST_NAME) return "a tool without a name that can be used";
  const shown = toolName(server.name, name);
  let parameters: JsonSchemaObject;
  try {
    parameters = schemaFrom(inputSchema);
  } catch (error) {
    return `${shown}: ${messageOf(error)}`;
  }
  const binding: ToolBinding = {
    name: shown,
    description: describe(server.name, description),
    parameters,
    // What a server says of its own tools proves nothing; only the operator's word makes one a tool that reads.
    effect: picomatch.isMatch(name, [...server.read]) ? "read" : "write",
    async handler(args, { signal }) {
      return renderResult(await server.call(name, args, signal), { server: server.name, tool: shown });
    },
  };
  return whyNoBinding(binding) ?? binding;
}

function describe(server: string, description: unknown): string {
  const words = typeof description === "string" ? stripInvisible(description).replace(/\s+/g, " ").trim() : "";
  const said = words === "" ? "It says nothing of it" : words.slice(0, LONGEST_DESCRIPTION).toWellFormed();
  return `A tool of the server ${server}, which says of it: ${said}`;
}

/**
 * The schema without what would be run here: a pattern of a server could hold the process for as long as it likes, and the server checks its
 * arguments itself.
 */
function schemaFrom(given: unknown): JsonSchemaObject {
  const text = JSON.stringify(given ?? { type: "object" });
  if (text.length > LARGEST_SCHEMA) throw new TypeError(`its schema has more than ${LARGEST_SCHEMA} characters`);
  return JSON.parse(text, (key, value: unknown) => {
    if (key === "$schema" || key === "patternProperties" || (key === "pattern" && typeof value === "string")) return undefined;
    return typeof value === "string" ? stripInvisible(value) : value;
  }) as JsonSchemaObject;
}
