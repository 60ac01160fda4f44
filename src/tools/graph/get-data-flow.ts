import { z } from "zod";
import { dataFlowOf } from "../../graph/query/flow/data-flow.ts";
import { showFlow } from "../../graph/show/show-flow.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import { answered, depthNumber, fileText, symbolText, withTarget } from "./ask-graph.ts";

const names = (description: string) =>
  z.array(text(200, "A name as it is written, such as db.query.").min(1)).max(50).optional().describe(description);

export const getDataFlow = defineTool({
  name: "cp_get_data_flow",
  description:
    "Where the values of a symbol come from and go to, as chains of places: a function's parameters and result, a field or a variable, through assignments, arguments, results and fields, within and across functions. Names the sources and sinks on the way.",
  effect: "read",
  parameters: z.object({
    symbol: symbolText,
    file: fileText,
    depth: depthNumber("How many functions a value is followed into, one after the other. Default: 3."),
    sources: names("Names that count as sources beside the usual ones."),
    sinks: names("Names that count as sinks beside the usual ones."),
  }),
  handler: ({ symbol, file, depth, sources, sinks }, context) =>
    withTarget(context, { symbol, file }, (asked, target) => answered(showFlow(dataFlowOf(asked, target, { depth, sources, sinks })))),
});
