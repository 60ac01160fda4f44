import { z } from "zod";
import { failed } from "../../core/result.ts";
import { dependenciesOf } from "../../graph/query/dependencies.ts";
import { findFile } from "../../graph/query/find-target.ts";
import { showDependencies } from "../../graph/show/show-files.ts";
import { whyNoTarget } from "../../graph/show/words.ts";
import { defineTool } from "../define-tool.ts";
import { pathText } from "../tool-arguments.ts";
import { answered, graphPath, withGraph } from "./ask-graph.ts";

export const getDependencies = defineTool({
  name: "cp_get_dependencies",
  description:
    "How one file hangs together with others, by the code graph of the workspace as it stands: the files that it imports and uses, with what it uses of them, the files that use it, and modules outside of the repository.",
  effect: "read",
  parameters: z.object({ file: pathText("The file, relative to the repository root.") }),
  handler: ({ file }, context) =>
    withGraph(context, (asked) => {
      const place = graphPath(asked, file);
      if (!place.ok) return place.result;
      const found = findFile(asked, place.path);
      return found.status === "found" ? answered(showDependencies(dependenciesOf(asked, found.file))) : failed(whyNoTarget(found));
    }),
});
