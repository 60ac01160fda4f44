import { z } from "zod";
import { callersOf } from "../../graph/query/calls.ts";
import { showCallers } from "../../graph/show/show-calls.ts";
import { defineTool } from "../define-tool.ts";
import { answered, depthNumber, fileText, symbolText, withTarget } from "./ask-graph.ts";

export const getCallers = defineTool({
  name: "cp_get_callers",
  description:
    "Who calls a symbol, by the code graph of the workspace as it stands: file, line, the calling symbol and how sure that is. Callers of a method include calls through its interfaces and bases; callers of a class are those of its constructor.",
  effect: "read",
  parameters: z.object({ symbol: symbolText, file: fileText, depth: depthNumber("How many steps back to follow. Default: 1.") }),
  handler: ({ symbol, file, depth }, context) =>
    withTarget(context, { symbol, file }, (asked, target) => answered(showCallers(callersOf(asked, target, { depth })))),
});
