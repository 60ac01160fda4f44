import { z } from "zod";
import { failed, ok } from "../../core/result.ts";
import type { FileSearch } from "../../workspace/search/file-search.ts";
import { keepLines } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { text } from "../tool-arguments.ts";
import type { Tool } from "../tool.ts";

/** `find_files` over a search. */
export function findFiles(search: FileSearch): Tool {
  return defineTool({
    name: "find_files",
    description:
      "Finds files of the repository by a glob on their paths: * and ? stay in one folder, ** crosses folders, {a,b} is either. A pattern without a slash is looked for in every folder. What the repository ignores is left out.",
    effect: "read",
    parameters: z.object({ pattern: text(1000, "A glob such as src/**/*.ts, *.md or **/test/*.js.").min(1) }),
    async handler({ pattern }, { workspace, signal }) {
      const found = await search.files({ directory: workspace.directory, tracked: workspace.basePaths(), glob: pattern, signal });
      if (!found.ok) return failed(found.why);
      const note = found.note === undefined ? [] : [`[${found.note}]`];
      if (found.paths.length === 0) return ok([`No file matches ${JSON.stringify(pattern)}.`, ...note].join("\n"));
      const kept = keepLines(found.paths.map((path) => `${showPath(path)}\n`).join(""));
      if (kept.shown < kept.total) note.unshift(`[the first ${kept.shown} of ${kept.total} files; a narrower pattern shows the others]`);
      return ok([kept.text.trimEnd(), ...note].join("\n"));
    },
  });
}
