import { AttemptError, SallyportError, messageOf } from "../core/errors.ts";
import { type ToolResult, failed } from "../core/result.ts";
import { withoutHostPaths } from "./host-paths.ts";
import { showHidden } from "./show-hidden.ts";
import type { ReadContext } from "./tool.ts";

/** What a handler came to: whatever it throws is a result, but what ends the attempt and the run's own abort. */
export async function outcomeOf(context: ReadContext, work: () => ToolResult | Promise<ToolResult>): Promise<ToolResult> {
  try {
    return finished(await work());
  } catch (error) {
    if (error instanceof AttemptError || isAbort(error, context.signal)) throw error;
    return finished(failed(explainThrown(error, context)));
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof Error && error.name === "AbortError");
}

/** What went wrong, for the model: no stack, no path of the host. */
function explainThrown(error: unknown, context: ReadContext): string {
  const [line = ""] = messageOf(error).split("\n");
  const hint = error instanceof SallyportError && error.hint !== undefined ? ` ${error.hint}` : "";
  return withoutHostPaths(`${line || "The tool failed without a message."}${hint}`, context.workspace.directory);
}

/** A result as it may be told: well-formed, and nothing hidden in it. */
export function finished({ status, text }: ToolResult): ToolResult {
  return { status, text: showHidden(text.toWellFormed()) };
}
