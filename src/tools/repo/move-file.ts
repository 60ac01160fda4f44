import { z } from "zod";
import { judgePath } from "../../core/repository-path.ts";
import { type ToolResult, failed } from "../../core/result.ts";
import type { FileRead } from "../../workspace/workspace.ts";
import { decisionResult } from "../decision-result.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { pathText } from "../tool-arguments.ts";
import type { WriteContext } from "../tool.ts";
import { canonicalPath, changeTarget } from "./find-target.ts";

export const moveFile = defineTool({
  name: "move_file",
  description:
    "Moves or renames one file of the repository; makes the folders it needs, keeps the mode, never overwrites. References to it in other files are not changed.",
  effect: "write",
  parameters: z.object({
    from: pathText("The file, relative to the repository root."),
    to: pathText("Its new path, relative to the repository root. Nothing may stand there."),
  }),
  async handler({ from, to: raw }, context) {
    const target = await changeTarget(context.workspace, from);
    if (!target.ok) return target.result;
    const to = canonicalPath(raw);
    if (judgePath(to).ok) {
      const there = await context.workspace.read(to);
      if (there.status === "file")
        return failed(`${showPath(there.path)} exists already; move_file never overwrites. Delete it first, or choose another name.`);
      if (there.status === "folder") return failed(`${showPath(to)} is a folder; name the file in it.`);
    }
    return moveThroughDoor(target.file, to, context);
  },
});

/** A move is an addition and a deletion, and the inner door judges both; when it refuses the second, the first is undone. */
async function moveThroughDoor(file: FileRead & { readonly status: "file" }, to: string, context: WriteContext): Promise<ToolResult> {
  const { workspace } = context;
  const added = await context.write(to, file.bytes);
  if (added.verdict !== "allow") return decisionResult(added, "");
  if (file.executable) {
    // A new file is not executable: the judged one gives way to the old one itself, and a plain copy stays to be judged and deleted.
    await workspace.remove(to);
    await workspace.move(file.path, to);
    await workspace.write(file.path, file.bytes);
  }
  const removed = await context.write(file.path, undefined);
  if (removed.verdict === "allow") {
    const findings = [...added.findings, ...removed.findings];
    return decisionResult({ verdict: "allow", findings }, `Moved ${showPath(file.path)} to ${showPath(to)}.`);
  }
  if (file.executable) {
    await workspace.remove(file.path);
    await workspace.move(to, file.path);
  } else {
    await workspace.remove(to);
  }
  return decisionResult(removed, "");
}
