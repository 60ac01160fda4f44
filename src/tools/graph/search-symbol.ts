import { z } from "zod";
import { searchSymbols } from "../../graph/query/search.ts";
import { showSearch } from "../../graph/show/show-search.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import { answered, withGraph } from "./ask-graph.ts";

const KINDS = ["class", "interface", "enum", "type", "function", "method", "field", "variable", "object", "namespace"] as const;

export const searchSymbol = defineTool({
  name: "cp_search_symbol",
  description:
    "Finds declarations by name in the code graph of the workspace as it stands: the whole name, its beginning, a word or a part of it, or nearly. Answers kind, file and lines, the best fit first, then what is used most.",
  effect: "read",
  parameters: z.object({
    query: text(200, "The name or a part of it; Class.method narrows to members.").min(1),
    kind: z.enum(KINDS).optional().describe("Only declarations of this kind."),
    limit: z.int().min(1).max(200).optional().describe("How many to show. Default: 20."),
  }),
  handler: ({ query, kind, limit }, context) =>
    withGraph(context, (asked) => answered(showSearch(searchSymbols(asked, { query, kind, limit })))),
});
