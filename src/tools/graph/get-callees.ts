import { z } from "zod";
import { calleesOf } from "../../graph/query/calls.ts";
import { showCallees } from "../../graph/show/show-calls.ts";
import { defineTool } from "../define-tool.ts";
import { answered, depthNumber, fileText, symbolText, withTarget } from "./ask-graph.ts";

export const getCallees = defineTool({
  name: "cp_get_callees",
  description:
    "What a symbol calls, by the code graph of the workspace as it stands: the place of the call, what is called, where that is declared and how sure that is. Of an interface's or a base's method, what may run in its place is named too.",
  effect: "read",
  parameters: z.object({ symbol: symbolText, file: fileText, depth: depthNumber("How many steps on to follow. Default: 1.") }),
  handler: ({ symbol, file, depth }, context) =>
    withTarget(context, { symbol, file }, (asked, target) => answered(showCallees(calleesOf(asked, target, { depth })))),
});
