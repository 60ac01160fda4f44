import { z } from "zod";
import { failed } from "../../core/result.ts";
import { moduleSummaryOf } from "../../graph/query/module-summary.ts";
import { showModuleSummary } from "../../graph/show/show-files.ts";
import { whyNoTarget } from "../../graph/show/words.ts";
import { defineTool } from "../define-tool.ts";
import { pathText } from "../tool-arguments.ts";
import { answered, graphPath, withGraph } from "./ask-graph.ts";

export const getModuleSummary = defineTool({
  name: "cp_get_module_summary",
  description:
    "What one file is for, by the code graph of the workspace as it stands: what it exports and declares and by how many that is used, what it imports, who imports it, the tests that reach it, and what of it could not be parsed or resolved.",
  effect: "read",
  parameters: z.object({ file: pathText("The file, relative to the repository root.") }),
  handler: ({ file }, context) =>
    withGraph(context, (asked) => {
      const place = graphPath(asked, file);
      if (!place.ok) return place.result;
      const summary = moduleSummaryOf(asked, place.path);
      return summary.status === "found" ? answered(showModuleSummary(summary)) : failed(whyNoTarget(summary));
    }),
});
