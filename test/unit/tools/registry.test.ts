import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ok } from "../../../src/core/result.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { createTools } from "../../../src/tools/registry.ts";
import type { FileSearch } from "../../../src/workspace/search/file-search.ts";

const search: FileSearch = { files: () => Promise.reject(new Error("unused")), grep: () => Promise.reject(new Error("unused")) };
const extra = (name: string, priority?: number) =>
  defineTool({
    name,
    description: "",
    effect: "read",
    parameters: z.object({}),
    handler: () => ok(""),
    ...(priority === undefined ? {} : { priority }),
  });
const namesOf = (options: Parameters<typeof createTools>[0]) => createTools(options).map(({ name }) => name);

/** Names and arguments that the outside relies on; optional arguments carry `?`. */
const PROMISED = {
  cp_get_callees: ["symbol", "file?", "depth?"],
  cp_get_callers: ["symbol", "file?", "depth?"],
  cp_get_context: ["symbol?", "file?", "budget_tokens?"],
  cp_get_data_flow: ["symbol", "file?", "depth?", "sources?", "sinks?"],
  cp_get_dependencies: ["file"],
  cp_get_file_map: ["path?"],
  cp_get_impact: ["symbol", "file?", "depth?"],
  cp_get_module_summary: ["file"],
  cp_search_symbol: ["query", "kind?", "limit?"],
  delete_file: ["path"],
  edit_file: ["path", "old_string", "new_string", "replace_all?"],
  find_files: ["pattern"],
  forget_fact: ["key"],
  gh_branch_create: ["name", "sha?"],
  gh_comment_issue: ["number", "body"],
  gh_commit_changes: ["message", "title?", "body?"],
  gh_create_pr: ["title", "body", "base?", "draft?", "message?"],
  gh_get_issue: ["number"],
  gh_get_pr: ["number"],
  gh_get_run_logs: ["run_id", "job_id?"],
  gh_list_issues: ["state?", "labels?", "limit?"],
  gh_list_pr_files: ["number", "path?", "page?"],
  gh_list_workflow_runs: ["branch?", "status?", "limit?"],
  gh_resolve_remarks: ["remarks"],
  gh_review_pr: ["number", "body", "event?", "comments?"],
  git_blame: ["path", "start_line?", "end_line?", "rev?"],
  git_diff: ["base?", "path?"],
  git_log: ["path?", "limit?"],
  git_show: ["rev", "path?"],
  grep: ["pattern", "path?", "glob?", "ignore_case?", "context?", "limit?"],
  list_files: ["path?", "depth?"],
  move_file: ["from", "to"],
  read_diff: ["part"],
  read_file: ["path", "start_line?", "end_line?"],
  read_output: ["id", "start_line?", "end_line?", "start_character?"],
  recall_facts: ["query?"],
  remember_fact: ["key", "value"],
  run_shell: ["command", "timeout_s?"],
  run_tools_script: ["script"],
  write_file: ["path", "content"],
  list_recent_tags: ["limit?"],
  research_code: ["question"],
  get_token_usage: [],
};

interface Property {
  readonly type: string;
  readonly description: string;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

describe("createTools", () => {
  it("offers the promised tools with the promised arguments, in order", () => {
    const tools = createTools({ sandbox: true, search });
    const offered = tools.map(({ name, parameters }) => {
      const required = parameters["required"] as readonly string[] | undefined;
      const names = Object.keys(parameters["properties"] as object);
      return [name, names.map((argument) => (required?.includes(argument) === true ? argument : `${argument}?`))];
    });
    expect(offered).toEqual(Object.entries(PROMISED));
  });

  it("describes every tool and argument, and bounds every text", () => {
    for (const { name, description, parameters } of createTools({ sandbox: true, search })) {
      expect(description.length, name).toBeGreaterThan(40);
      for (const [argument, property] of Object.entries(parameters["properties"] as Record<string, Property>)) {
        expect(property.description.length, `${name}.${argument}`).toBeGreaterThan(10);
        if (property.type === "string" && property.enum === undefined) expect(property.maxLength, `${name}.${argument}`).toBeGreaterThan(0);
      }
    }
  });

  it("leaves out what does not work here", () => {
    expect(namesOf({ sandbox: false, search })).not.toContain("run_shell");
  });

  it("orders by priority and then by name", () => {
    const names = namesOf({ sandbox: false, search, more: [extra("zz_first", 5), extra("aa_last", 90)] });
    expect([names[0], names.at(-1)]).toEqual(["zz_first", "aa_last"]);
  });

  it("refuses two tools of one name", () => {
    expect(() => createTools({ sandbox: true, search, more: [extra("grep")] })).toThrow("Two tools are named grep.");
  });

  it("says which tools change something", () => {
    const writes = createTools({ sandbox: true, search }).filter(({ effect }) => effect === "write");
    expect(writes.map(({ name }) => name)).toEqual([
      "delete_file",
      "edit_file",
      "forget_fact",
      "gh_branch_create",
      "gh_comment_issue",
      "gh_commit_changes",
      "gh_create_pr",
      "gh_resolve_remarks",
      "gh_review_pr",
      "move_file",
      "remember_fact",
      "run_shell",
      "run_tools_script",
      "write_file",
    ]);
  });
});
