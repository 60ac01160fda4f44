import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { judgePath } from "../../../src/core/repository-path.ts";
import { type Decision, type ToolResult, renderToolResult } from "../../../src/core/result.ts";
import type { Sandbox } from "../../../src/workspace/sandbox/sandbox.ts";
import type { FileRead, GitReads, Workspace, WorkspaceEntry } from "../../../src/workspace/workspace.ts";
import type { GitHubReads } from "../../../src/core/github-reads.ts";
import type { Publisher, RunUsage, Tool, WriteContext } from "../../../src/tools/tool.ts";

type Content = string | Uint8Array;

/** A workspace over a plain folder that lives as long as the test; modes are the file system's. */
export function folderWorkspace(files: Readonly<Record<string, Content>> = {}, git: Partial<GitReads> = {}): Workspace {
  const directory = mkdtempSync(join(tmpdir(), "tools-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const at = (path: string) => join(directory, path);
  const write = (path: string, bytes: Content) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), bytes);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const unused = () => Promise.reject(new Error("not part of this test"));
  return {
    directory,
    commit: "0".repeat(40),
    read: (path) => Promise.resolve(readOne(directory, path)),
    write: (path, bytes) => Promise.resolve(write(path, bytes)),
    remove: (path) => Promise.resolve(rmSync(at(path))),
    move: (from, to) => {
      mkdirSync(dirname(at(to)), { recursive: true });
      return Promise.resolve(renameSync(at(from), at(to)));
    },
    list: (path, depth) => Promise.resolve(listBelow(directory, path, depth)),
    changeSet: unused,
    restore: unused,
    baseBlob: unused,
    baseFile: unused,
    basePaths: () => [],
    sources: unused,
    git: { diff: unused, show: unused, log: unused, blame: unused, ...git },
    history: () => Promise.resolve(undefined),
    dispose: unused,
  };
}

function readOne(directory: string, raw: string): FileRead {
  const judged = judgePath(raw);
  if (!judged.ok) return { status: "refused", why: judged.why };
  const path = spelledOnDisk(directory, raw);
  if (!existsSync(join(directory, path))) return { status: "missing", near: ["near.txt"] };
  const stats = lstatSync(join(directory, path));
  if (stats.isSymbolicLink()) return { status: "refused", why: `${JSON.stringify(path)} is a link; links are not followed` };
  if (stats.isDirectory()) return { status: "folder" };
  return { status: "file", path, bytes: readFileSync(join(directory, path)), executable: (stats.mode & 0o100) !== 0 };
}

function spelledOnDisk(directory: string, path: string): string {
  if (existsSync(join(directory, path))) return path;
  const all = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return all.find((other) => other.normalize("NFC") === path.normalize("NFC")) ?? path;
}

function listBelow(directory: string, path: string, depth: number): readonly WorkspaceEntry[] {
  const below = path === "" ? "" : `${path}/`;
  return readdirSync(join(directory, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.split("/").length <= depth)
    .toSorted()
    .map((name) => {
      const stats = statSync(join(directory, below, name));
      return { path: `${below}${name}`, kind: stats.isDirectory() ? "folder" : "file", size: stats.isDirectory() ? 0 : stats.size };
    });
}

export const ALLOW: Decision = { verdict: "allow", findings: [] };

/** A decision of one finding. */
export function decided(verdict: "allow" | "ask" | "block", rule: string, why = "it must not change"): Decision {
  const severity = verdict === "allow" ? "warn" : verdict;
  return { verdict, findings: [{ rule, severity, why, fix: "Leave it as it is." }] };
}

export interface Play {
  readonly workspace?: Workspace;
  /** The inner door. Allows by default. */
  readonly judge?: (path: string, bytes: Uint8Array | undefined) => Decision;
  readonly sandbox?: Sandbox;
  readonly github?: Partial<GitHubReads>;
  readonly publisher?: Partial<Publisher>;
  readonly usage?: () => RunUsage;
  readonly signal?: AbortSignal;
}

/** A context whose door answers as it is told and then does what was allowed. */
export function contextFor({
  workspace = folderWorkspace(),
  judge = () => ALLOW,
  sandbox,
  github,
  publisher = {},
  usage,
  signal,
}: Play): WriteContext {
  const unused = () => Promise.reject(new Error("not part of this test"));
  return {
    run: { id: "run-1", repository: { owner: "acme", name: "widgets" }, trigger: "mention" },
    callId: "call-1",
    workspace,
    github: {
      issue: unused,
      issues: unused,
      pull: unused,
      pullFiles: unused,
      workflowRuns: unused,
      runLogs: unused,
      tags: unused,
      ...github,
    },
    signal: signal ?? new AbortController().signal,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(usage === undefined ? {} : { usage }),
    async write(path, bytes) {
      const decision = judge(path, bytes);
      if (decision.verdict === "allow") await (bytes === undefined ? workspace.remove(path) : workspace.write(path, bytes));
      return decision;
    },
    publisher: {
      comment: unused,
      openPullRequest: unused,
      commit: unused,
      review: unused,
      resolve: unused,
      reserveBranch: unused,
      ...publisher,
    },
  };
}

/** What the model reads after a call. */
export async function answerOf(tool: Tool, args: unknown, context: WriteContext): Promise<string> {
  const result: ToolResult = await tool.call(args, context);
  return renderToolResult(result);
}

/** The text of a file of the workspace, or undefined. */
export function textAt(workspace: Workspace, path: string): string | undefined {
  const file = join(workspace.directory, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
