import { z } from "zod";
import { impactOf } from "../../graph/query/impact.ts";
import { showImpact } from "../../graph/show/show-impact.ts";
import { defineTool } from "../define-tool.ts";
import { answered, depthNumber, fileText, symbolText, withTarget } from "./ask-graph.ts";

export const getImpact = defineTool({
  name: "cp_get_impact",
  description:
    "What a change of a symbol can touch, by the code graph of the workspace as it stands: who calls, names, inherits or overrides it (values, JSX and decorators count, and calls through interfaces and bases), directly and through others, the tests that reach it, the exported symbols, and how severe that is and why. A path as the symbol asks about the whole file.",
  effect: "read",
  parameters: z.object({
    symbol: symbolText,
    file: fileText,
    depth: depthNumber("How many steps to follow. Default: as far as it goes."),
  }),
  handler: ({ symbol, file, depth }, context) =>
    withTarget(context, { symbol, file }, (asked, target) => answered(showImpact(impactOf(asked, target, { depth })))),
});
