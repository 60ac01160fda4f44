import picomatch from "picomatch";
import { MCP_PREFIX } from "../../extensions/mcp/tool-name.ts";

/** What the operator says of the tools of one kind of job: glob patterns on their names. */
export interface ToolPolicy {
  /** All when left out. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** A person must agree to each call. */
  readonly approve?: readonly string[] | undefined;
}

/**
 * Whether a tool is offered at all. What is denied is, whatever allows it. Tools of MCP servers can act outside of the gate: they are offered only
 * where a pattern says so, of those that are allowed or of those that a person must approve.
 */
export function isAllowed(name: string, { allow, deny = [], approve = [] }: ToolPolicy): boolean {
  const unsaid = !name.startsWith(MCP_PREFIX) || matches(name, approve);
  return (allow === undefined ? unsaid : matches(name, allow)) && !matches(name, deny);
}

export function needsApproval(name: string, { approve = [] }: ToolPolicy): boolean {
  return matches(name, approve);
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => picomatch.isMatch(name, pattern));
}
