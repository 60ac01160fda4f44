import picomatch from "picomatch";

/** What the operator says of the tools of one kind of job: glob patterns on their names. */
export interface ToolPolicy {
  /** All when left out. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** A person must agree to each call. */
  readonly approve?: readonly string[] | undefined;
}

/** Whether a tool is offered at all. What is denied is, whatever allows it. */
export function isAllowed(name: string, { allow, deny = [] }: ToolPolicy): boolean {
  return (allow === undefined || matches(name, allow)) && !matches(name, deny);
}

export function needsApproval(name: string, { approve = [] }: ToolPolicy): boolean {
  return matches(name, approve);
}

function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => picomatch.isMatch(name, pattern));
}
