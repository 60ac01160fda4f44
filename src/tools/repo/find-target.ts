import { judgePath } from "../../core/repository-path.ts";
import { type ToolResult, blocked, failed } from "../../core/result.ts";
import type { FileRead } from "../../workspace/workspace.ts";
import { showPath } from "../show-path.ts";
import type { WorkspaceReads } from "../tool.ts";

/** How many similar names an answer about a missing file lists. */
const NEAR_NAMES = 5;

/**
 * Takes `.` and `..` out of a path as long as it stays in the repository: models write `./src/../a.ts`. What leaves the repository keeps its
 * dots, so that `judgePath` refuses it. Every tool and every check sees the path that this answers, never the one with dots.
 */
export function canonicalPath(raw: string): string {
  const segments: string[] = [];
  for (const segment of raw.split("/")) {
    if (segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length === 0 || segments.at(-1) === "") return raw;
    else segments.pop();
  }
  return segments.join("/");
}

export type FolderTarget = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly result: ToolResult };

/** The path of a folder or file to look below; the repository's root is `""`. A final slash is taken off. */
export function searchRoot(raw: string | undefined): FolderTarget {
  const path = canonicalPath(raw ?? "").replace(/(?<=[^/])\/$/, "");
  if (path === "") return { ok: true, path };
  const judged = judgePath(path);
  return judged.ok ? judged : { ok: false, result: failed(`The path ${judged.why}.`) };
}

export type ReadTarget =
  | { readonly ok: true; readonly file: FileRead & { readonly status: "file" } }
  | { readonly ok: false; readonly result: ToolResult };

/** Opens a regular file for reading, or says why there is none. */
export async function readTarget(workspace: WorkspaceReads, raw: string): Promise<ReadTarget> {
  const judged = judgePath(canonicalPath(raw));
  if (!judged.ok) return { ok: false, result: failed(`The path ${judged.why}.`) };
  const read = await workspace.read(judged.path);
  return read.status === "file" ? { ok: true, file: read } : { ok: false, result: failed(whyNoFile(judged.path, read)) };
}

/** Like `readTarget`, for a tool that will change the file: what must not be touched is answered as the gate would. */
export async function changeTarget(workspace: WorkspaceReads, raw: string): Promise<ReadTarget> {
  const judged = judgePath(canonicalPath(raw));
  if (!judged.ok) return { ok: false, result: blocked(`containment: ${judged.why}`) };
  const read = await workspace.read(judged.path);
  if (read.status === "file") return { ok: true, file: read };
  const why = whyNoFile(judged.path, read);
  return { ok: false, result: read.status === "refused" ? blocked(`containment: ${why}`) : failed(why) };
}

/** What stands at a path instead of a regular file. */
export function whyNoFile(path: string, read: Exclude<FileRead, { readonly status: "file" }>): string {
  if (read.status === "refused") return read.why;
  if (read.status === "folder") return `${showPath(path)} is a folder; list_files shows what is in it.`;
  const near = read.near.slice(0, NEAR_NAMES).map(showPath).join(", ");
  return `There is no file ${showPath(path)}. ${near === "" ? "list_files and find_files show what there is." : `Did you mean ${near}?`}`;
}
