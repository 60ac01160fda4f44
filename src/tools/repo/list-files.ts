import { z } from "zod";
import { failed, ok } from "../../core/result.ts";
import type { WorkspaceEntry } from "../../workspace/workspace.ts";
import { keepLines } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { pathText } from "../tool-arguments.ts";
import { searchRoot, whyNoFile } from "./find-target.ts";

const DEFAULT_DEPTH = 2;
const DEEPEST = 20;

export const listFiles = defineTool({
  name: "list_files",
  description:
    "Lists the files and folders below a folder of the repository, sorted, folders with a final slash. What the repository ignores is left out.",
  effect: "read",
  parameters: z.object({
    path: pathText("The folder, relative to the repository root. Default: the root.").optional(),
    depth: z
      .int()
      .min(1)
      .max(DEEPEST)
      .optional()
      .describe(`How many folders deep, 1 being the folder's own entries. Default: ${DEFAULT_DEPTH}.`),
  }),
  async handler({ path, depth = DEFAULT_DEPTH }, { workspace }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    if (root.path !== "") {
      const there = await workspace.read(root.path);
      if (there.status === "file") return failed(`${showPath(there.path)} is a file; read_file shows it.`);
      if (there.status !== "folder") return failed(whyNoFile(root.path, there).replace(/^There is no file/, "There is no folder"));
    }
    const entries = await workspace.list(root.path, depth);
    if (entries.length === 0) return ok("(no files)");
    const kept = keepLines(entries.map((entry) => `${showEntry(entry)}\n`).join(""));
    const rest =
      kept.shown < kept.total
        ? `[the first ${kept.shown} of ${kept.total} entries; name a folder or a smaller depth to see the others]`
        : "";
    return ok(`${kept.text}${rest}`.trimEnd());
  },
});

function showEntry({ path, kind }: WorkspaceEntry): string {
  if (kind === "folder") return `${showPath(path)}/`;
  return kind === "link" ? `${showPath(path)} (a link, not followed)` : showPath(path);
}
