import { SallyportError } from "../core/errors.ts";
import type { FileSearch } from "../workspace/search/file-search.ts";
import { scanSearch } from "../workspace/search/scan.ts";
import { gitTools } from "./git/git-tools.ts";
import { readDiff } from "./git/read-diff.ts";
import { commentIssue } from "./github/comment-issue.ts";
import { createBranch } from "./github/create-branch.ts";
import { getIssue } from "./github/get-issue.ts";
import { getPull } from "./github/get-pull.ts";
import { getRunLogs } from "./github/get-run-logs.ts";
import { listIssues } from "./github/list-issues.ts";
import { listPullFiles } from "./github/list-pull-files.ts";
import { listRecentTags } from "./github/list-tags.ts";
import { listWorkflowRuns } from "./github/list-workflow-runs.ts";
import { commitChanges, createPullRequest } from "./github/publish-changes.ts";
import { resolveRemarks } from "./github/resolve-remarks.ts";
import { reviewPullRequest } from "./github/review-pr.ts";
import { getCallees } from "./graph/get-callees.ts";
import { getCallers } from "./graph/get-callers.ts";
import { getContext } from "./graph/get-context.ts";
import { getDataFlow } from "./graph/get-data-flow.ts";
import { getDependencies } from "./graph/get-dependencies.ts";
import { getFileMap } from "./graph/get-file-map.ts";
import { getImpact } from "./graph/get-impact.ts";
import { getModuleSummary } from "./graph/get-module-summary.ts";
import { searchSymbol } from "./graph/search-symbol.ts";
import { forgetFact, recallFacts, rememberFact } from "./memory/facts.ts";
import { readOutput } from "./memory/read-output.ts";
import { deleteFile } from "./repo/delete-file.ts";
import { editFile } from "./repo/edit-file.ts";
import { findFiles } from "./repo/find-files.ts";
import { grep } from "./repo/grep.ts";
import { listFiles } from "./repo/list-files.ts";
import { moveFile } from "./repo/move-file.ts";
import { readFile } from "./repo/read-file.ts";
import { runShell } from "./repo/run-shell.ts";
import { writeFile } from "./repo/write-file.ts";
import { researchCode } from "./research-code.ts";
import { runToolsScript } from "./script/run-tools-script.ts";
import { tokenUsage } from "./token-usage.ts";
import type { Tool } from "./tool.ts";

export interface ToolOptions {
  /** Whether a sandbox works here; without one `run_shell` is not offered. */
  readonly sandbox: boolean;
  /** By ripgrep, or by the scan where there is none. */
  readonly search: FileSearch;
  /** Tools beside the built-in ones. */
  readonly more?: readonly Tool[];
}

/**
 * The tools that work here, by priority, then by name: the order in which the model is told of them.
 * @throws {SallyportError} when two have one name.
 */
export function createTools({ sandbox, search, more = [] }: ToolOptions): readonly Tool[] {
  const tools = [
    readFile,
    writeFile,
    editFile,
    deleteFile,
    moveFile,
    listFiles,
    findFiles(search),
    grep(search),
    ...(sandbox ? [runShell] : []),
    ...gitTools,
    readDiff,
    getIssue,
    listIssues,
    getPull,
    listPullFiles,
    commentIssue,
    reviewPullRequest,
    resolveRemarks,
    createBranch,
    createPullRequest,
    commitChanges,
    listWorkflowRuns,
    getRunLogs,
    listRecentTags,
    searchSymbol,
    getContext,
    getImpact,
    getCallers,
    getCallees,
    getDataFlow,
    getFileMap,
    getModuleSummary,
    getDependencies,
    rememberFact,
    recallFacts,
    forgetFact,
    readOutput,
    tokenUsage,
    researchCode,
    runToolsScript,
    ...more,
  ];
  return inOrder(tools);
}

/** The names of all built-in tools, those that need a sandbox included: none of them is free for others. */
export function allToolNames(): readonly string[] {
  return createTools({ sandbox: true, search: scanSearch() }).map(({ name }) => name);
}

function inOrder(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name)) throw new SallyportError(`Two tools are named ${name}.`, { code: "tool-name-taken", hint: "Rename one of them." });
    seen.add(name);
  }
  return tools.toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
}
