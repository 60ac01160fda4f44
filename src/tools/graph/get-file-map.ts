import { z } from "zod";
import { failed } from "../../core/result.ts";
import { fileMapOf } from "../../graph/query/file-map.ts";
import { showFileMap } from "../../graph/show/show-files.ts";
import { whyNoTarget } from "../../graph/show/words.ts";
import { defineTool } from "../define-tool.ts";
import { pathText } from "../tool-arguments.ts";
import { answered, graphPath, withGraph } from "./ask-graph.ts";

export const getFileMap = defineTool({
  name: "cp_get_file_map",
  description:
    "The source files at or below a path, each with its language and what it declares with line numbers, by the code graph of the workspace as it stands. Where there are very many, folders with their numbers.",
  effect: "read",
  parameters: z.object({ path: pathText("A folder or file, relative to the repository root. Default: everything.").optional() }),
  handler: ({ path = "" }, context) =>
    withGraph(context, (asked) => {
      const place = graphPath(asked, path);
      if (!place.ok) return place.result;
      const map = fileMapOf(asked, place.path);
      return map.status === "found" ? answered(showFileMap(map)) : failed(whyNoTarget(map));
    }),
});
