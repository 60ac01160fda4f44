import { z } from "zod";
import { type ToolResult, failed, ok, renderToolResult } from "../../core/result.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import { runInIsolate } from "./isolate.ts";

const LONGEST_SCRIPT = 100_000;
/** Calls that a failure names. */
const NAMED_CALLS = 20;

export const runToolsScript = defineTool({
  name: "run_tools_script",
  description:
    'Runs JavaScript that calls the other tools, for many calls whose results need not all be read: `const text = await tools.read_file({ path: "a.ts" })`. The script is the body of an async function; what it returns is the answer, texts as they are and other values as JSON. A call answers the text that you would read; one that fails throws an Error with it. Each call is checked and judged like your own, one after the other, at most 100. There is no file system, network, process or module but `tools`, `console` and `setTimeout`; memory and time are limited.',
  effect: "write",
  replays: true,
  parameters: z.object({ script: text(LONGEST_SCRIPT, "The JavaScript: statements, with `await` and `return`.").min(1) }),
  async handler({ script }, { nested, signal }) {
    if (nested === undefined) return failed("A script cannot be run from within another call.");
    const made: string[] = [];
    try {
      const outcome = await runInIsolate({
        script,
        names: nested.names,
        signal,
        async call(name, args) {
          const result = await nested.call(name, args);
          made.push(`${name} (${result.status})`);
          return { ok: result.status === "ok", text: renderToolResult(result) };
        },
      });
      return outcome.ok ? ok(outcome.text + logOf(outcome.log)) : whyFailed(outcome.why, made, outcome.log);
    } finally {
      await nested.close();
    }
  },
});

/** What had been done by then is done: whoever reads of the failure must know. */
function whyFailed(why: string, made: readonly string[], log: string): ToolResult {
  const more = made.length > NAMED_CALLS ? ` and ${made.length - NAMED_CALLS} before them` : "";
  const calls = made.length === 0 ? "No call had ended." : `Calls that had ended: ${made.slice(-NAMED_CALLS).join(", ")}${more}.`;
  return failed(`${why}\n${calls}${logOf(log)}`);
}

function logOf(log: string): string {
  return log === "" ? "" : `\n[console]\n${log}`;
}
