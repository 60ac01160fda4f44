import { z } from "zod";
import { judgePath } from "../../core/repository-path.ts";
import { failed } from "../../core/result.ts";
import { decisionResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { pathText } from "../tool-arguments.ts";
import { canonicalPath, whyNoFile } from "./find-target.ts";

export const deleteFile = defineTool({
  name: "delete_file",
  description: "Deletes one file of the repository. A folder goes with its last file.",
  effect: "write",
  parameters: z.object({ path: pathText("The file, relative to the repository root.") }),
  async handler({ path: raw }, context) {
    const path = canonicalPath(raw);
    const there = judgePath(path).ok ? await context.workspace.read(path) : ({ status: "refused", why: "" } as const);
    if (there.status === "missing" || there.status === "folder") return failed(whyNoFile(path, there));
    // What cannot be read (a link, a path outside) is for the inner door to refuse, with its own reason.
    const target = there.status === "file" ? there.path : path;
    return decisionResult(await context.write(target, undefined), `Deleted ${showPath(target)}.`);
  },
});
