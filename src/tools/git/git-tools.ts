import { z } from "zod";
import { type ToolResult, failed, ok } from "../../core/result.ts";
import type { GitAnswer } from "../../workspace/workspace.ts";
import { keepLines } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { searchRoot } from "../repo/find-target.ts";
import { pathText, text } from "../tool-arguments.ts";
import type { Tool } from "../tool.ts";

const DEFAULT_LOG = 20;
const LONGEST_LOG = 200;
const LONGEST_REVISION = 256;
const MOST_LINES = 100_000_000;

const narrowTo = pathText("Only this file or folder, relative to the repository root. Default: everything.").optional();

const gitDiff = defineTool({
  name: "git_diff",
  description:
    "Shows, as a unified diff, how the working files differ from a commit: by default from the one that this run started on, which is all that the run has changed.",
  effect: "read",
  parameters: z.object({
    base: revision("The commit, branch or tag to compare with. Default: the commit the run started on.").optional(),
    path: narrowTo,
  }),
  async handler({ base, path }, { workspace }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    const answer = await workspace.git.diff({ ...(base === undefined ? {} : { base }), ...within(root.path) });
    return showAnswer(answer, "(no difference)", "name a path to see the others");
  },
});

const gitShow = defineTool({
  name: "git_show",
  description:
    "Shows a commit with its message and diff, or, with a path, a file or folder as it was in that commit. HEAD is the commit that this run started on.",
  effect: "read",
  parameters: z.object({ rev: revision("A commit, branch or tag, such as HEAD or HEAD~1."), path: narrowTo }),
  async handler({ rev, path }, { workspace }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    return showAnswer(await workspace.git.show({ rev, ...within(root.path) }), "(empty)", "name a path to see less at once");
  },
});

const gitLog = defineTool({
  name: "git_log",
  description: "Lists the commits that led to the one this run started on, the newest first.",
  effect: "read",
  parameters: z.object({
    path: narrowTo,
    limit: z.int().min(1).max(LONGEST_LOG).optional().describe(`How many commits. Default: ${DEFAULT_LOG}.`),
  }),
  async handler({ path, limit = DEFAULT_LOG }, { workspace }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    return showAnswer(
      await workspace.git.log({ limit, ...within(root.path) }),
      "(no commits)",
      "a smaller limit or a path shows less at once",
    );
  },
});

const gitBlame = defineTool({
  name: "git_blame",
  description:
    "Says of each line of a file by which commit it came to be as it is: commit, author, date, line. It shows the file as committed, without what this run has changed.",
  effect: "read",
  parameters: z.object({
    path: pathText("The file, relative to the repository root."),
    start_line: line("The first line to show, from 1. Default: the file's first.").optional(),
    end_line: line("The last line to show. Default: the file's last.").optional(),
    rev: revision("The commit at which to look. Default: the one this run started on.").optional(),
  }),
  async handler({ path, start_line: start, end_line: end, rev }, { workspace }) {
    const root = searchRoot(path);
    if (!root.ok) return root.result;
    const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
    const answer = await workspace.git.blame({ path: root.path, ...range, ...(rev === undefined ? {} : { rev }) });
    return showAnswer(answer, "(no lines)", "start_line and end_line show the others");
  },
});

/** The tools that ask the repository's history. */
export const gitTools: readonly Tool[] = [gitDiff, gitShow, gitLog, gitBlame];

function line(description: string) {
  return z.int().min(1).max(MOST_LINES).describe(description);
}

/** A revision never reaches git as an option. */
function revision(description: string) {
  return text(LONGEST_REVISION, description)
    .min(1)
    .refine((value) => !value.startsWith("-") && !/\s/.test(value), "is no revision: it begins with a dash or holds a blank");
}

function within(path: string): { readonly path?: string } {
  return path === "" ? {} : { path };
}

function showAnswer(answer: GitAnswer, empty: string, how: string): ToolResult {
  if (!answer.ok) return failed(answer.why);
  if (answer.text === "") return ok(empty);
  const kept = keepLines(answer.text);
  if (kept.shown === kept.total) return ok(answer.text);
  return ok(`${kept.text}${kept.text.endsWith("\n") ? "" : "\n"}[the first ${kept.shown} of ${kept.total} lines; ${how}]`);
}
