import { z } from "zod";
import { type ToolResult, failed, ok } from "../../core/result.ts";
import type { FileSearch, FoundFile, TextFound } from "../../workspace/search/file-search.ts";
import { SHOWN_BYTES } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { pathText, text } from "../tool-arguments.ts";
import type { Tool } from "../tool.ts";
import { searchRoot, whyNoFile } from "./find-target.ts";

const DEFAULT_LIMIT = 100;
/** How many binary files an answer names. */
const NAMED_BINARIES = 5;

/** `grep` over a search. */
export function grep(search: FileSearch): Tool {
  return defineTool({
    name: "grep",
    description:
      "Searches the repository's text files for a regular expression (Rust's syntax, as in ripgrep: no look-around, no back-references; within one line). Answers the matching lines with their numbers, by file. Ignored and binary files are left out.",
    effect: "read",
    parameters: z.object({
      pattern: text(2000, "The regular expression; escape ( [ { . * + ? with a backslash to search for them.").min(1),
      path: pathText("A folder or file to search in, relative to the repository root. Default: everything.").optional(),
      glob: text(1000, "Only files whose path matches this glob, such as *.ts or src/**/*.js.").min(1).optional(),
      ignore_case: z.boolean().optional().describe("Whether upper and lower case are the same. Default: false."),
      context: z.int().min(0).max(20).optional().describe("Lines to show before and after each match. Default: 0."),
      limit: z.int().min(1).max(1000).optional().describe(`How many matching lines to show. Default: ${DEFAULT_LIMIT}.`),
    }),
    async handler({ pattern, path, glob, ignore_case: ignoreCase = false, context = 0, limit = DEFAULT_LIMIT }, { workspace, signal }) {
      const root = searchRoot(path);
      if (!root.ok) return root.result;
      let within = root.path;
      if (within !== "") {
        const there = await workspace.read(within);
        if (there.status === "missing" || there.status === "refused")
          return failed(whyNoFile(within, there).replace(/^There is no file/, "There is no file or folder"));
        if (there.status === "file") within = there.path;
      }
      const found = await search.grep({
        directory: workspace.directory,
        tracked: workspace.basePaths(),
        pattern,
        ignoreCase,
        context,
        limit,
        signal,
        ...(within === "" ? {} : { path: within }),
        ...(glob === undefined ? {} : { glob }),
      });
      return found.ok ? showFound(found, limit) : failed(found.why);
    },
  });
}

function showFound(found: TextFound & { readonly ok: true }, limit: number): ToolResult {
  const notes: string[] = [];
  if (found.note !== undefined) notes.push(`[${found.note}]`);
  if (found.binary.length > 0) {
    const named = found.binary.slice(0, NAMED_BINARIES).map(showPath).join(", ");
    notes.push(
      `[not shown: ${found.binary.length} binary ${found.binary.length === 1 ? "file that matches" : "files that match"} (${named}${found.binary.length > NAMED_BINARIES ? ", …" : ""})]`,
    );
  }
  if (found.matches === 0) return ok(["No matches.", ...notes].join("\n"));
  const { text: shown, matches } = showFiles(found.files);
  if (matches < found.matches) {
    const why = matches >= limit ? "raise limit or narrow the search" : "narrow the search";
    notes.unshift(`[${matches} of ${found.matches} matching lines in ${found.filesWithMatches} files; ${why} to see the others]`);
  }
  return ok([shown, ...notes].join("\n"));
}

/** Files with their lines, `12:` before a match and `12-` before a neighbour, as far as they fit. */
function showFiles(files: readonly FoundFile[]): { readonly text: string; readonly matches: number } {
  const blocks: string[] = [];
  let bytes = 0;
  let matches = 0;
  for (const { path, lines } of files) {
    const block = [showPath(path)];
    bytes += Buffer.byteLength(path) + 2;
    const gaps = lines.some(({ matches }) => !matches);
    let before: number | undefined;
    for (const { line, matches: isMatch, text } of lines) {
      const row = `${line}${isMatch ? ":" : "-"}${text}`;
      bytes += Buffer.byteLength(row) + 1;
      if (bytes > SHOWN_BYTES) break;
      if (gaps && before !== undefined && line > before + 1) block.push("--");
      block.push(row);
      before = line;
      if (isMatch) matches++;
    }
    if (block.length > 1) blocks.push(block.join("\n"));
    if (bytes > SHOWN_BYTES) break;
  }
  return { text: blocks.join("\n\n"), matches };
}
