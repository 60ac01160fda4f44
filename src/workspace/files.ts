import { constants, ftruncateSync, linkSync, readFileSync, readlinkSync, rmdirSync, unlinkSync } from "node:fs";
import { messageOf, SallyportError } from "../core/errors.ts";
import { judgePath } from "../core/repository-path.ts";
import { openFile, openRoot } from "./folder.ts";
import { locate } from "./locate.ts";
import type { Located, LocateOptions } from "./locate.ts";
import { writeAll } from "./unpack.ts";
import type { FileRead } from "./workspace.ts";

/** A larger file does not enter this process's memory for a tool's sake. */
const LARGEST_READ = 64n * 1024n * 1024n;

/** A write, removal or move that cannot be done as asked; nothing was changed. */
export class WorkspaceWriteError extends SallyportError {}

/** Reads one file; `near` finds suggestions when there is none. The contract is `Workspace.read`'s. */
export function readWorkspaceFile(directory: string, raw: string, near: (path: string) => readonly string[]): FileRead {
  const verdict = judgePath(raw);
  if (!verdict.ok) return { status: "refused", why: verdict.why };
  using root = openRoot(directory);
  const found = locate(root, verdict.path);
  if (found.status === "missing") return { status: "missing", near: near(verdict.path) };
  if (found.status === "barred") return { status: "refused", why: found.why };
  using folder = found.folder;
  if (found.status === "free") return { status: "missing", near: near(verdict.path) };
  const { kind, name, path } = found;
  const quoted = JSON.stringify(path);
  if (kind === "folder") return { status: "folder" };
  if (kind === "link") {
    const target = readlinkSync(folder.at(name));
    return { status: "refused", why: `${quoted} is a link to ${JSON.stringify(target)}; links are not followed` };
  }
  if (kind === "special") return { status: "refused", why: `${quoted} is a special file` };
  if (found.stats.size > LARGEST_READ)
    return { status: "refused", why: `${quoted} has ${found.stats.size} bytes, more than can be read at once` };
  try {
    using file = openFile(folder, name, constants.O_RDONLY);
    return { status: "file", path, bytes: readFileSync(file.descriptor), executable: (file.stats.mode & 0o100n) !== 0n };
  } catch (error) {
    return { status: "refused", why: `${quoted} cannot be read: ${codeOf(error)}` };
  }
}

/** Writes one file; the contract is `Workspace.write`'s. @throws {WorkspaceWriteError} */
export function writeWorkspaceFile(directory: string, raw: string, bytes: Uint8Array): void {
  attempt("written", raw, () => {
    using root = openRoot(directory);
    const found = locate(root, accepted(raw), { create: true });
    if (found.status === "missing" || found.status === "barred") throw refusal(raw, "written", found);
    using folder = found.folder;
    if (found.status === "there" && found.kind !== "file") throw refusal(raw, "written", found);
    const { O_CREAT, O_EXCL, O_WRONLY } = constants;
    using file = openFile(folder, found.name, found.status === "free" ? O_WRONLY | O_CREAT | O_EXCL : O_WRONLY);
    if (file.stats.nlink > 1n)
      throw new WorkspaceWriteError(`${quote(raw)} has a second name (a hard link) and is not written.`, { code: "hard-link" });
    ftruncateSync(file.descriptor);
    writeAll(file.descriptor, bytes);
  });
}

/** Removes one file, or a link itself, and the folders that it leaves empty. @throws {WorkspaceWriteError} */
export function removeWorkspaceFile(directory: string, raw: string, options: Pick<LocateOptions, "exact"> = {}): void {
  attempt("removed", raw, () => {
    using root = openRoot(directory);
    const found = locate(root, accepted(raw), options);
    if (found.status === "missing" || found.status === "barred") throw refusal(raw, "removed", found);
    using folder = found.folder;
    if (found.status === "free" || found.kind === "folder") throw refusal(raw, "removed", found);
    unlinkSync(folder.at(found.name));
    pruneEmpty(directory, found.path);
  });
}

/** Moves one regular file to a name that is free. @throws {WorkspaceWriteError} */
export function moveWorkspaceFile(directory: string, from: string, to: string): void {
  attempt("moved", from, () => {
    using root = openRoot(directory);
    const source = locate(root, accepted(from));
    if (source.status === "missing" || source.status === "barred") throw refusal(from, "moved", source);
    using sourceFolder = source.folder;
    if (source.status === "free" || source.kind !== "file") throw refusal(from, "moved", source);
    const target = locate(root, accepted(to), { create: true });
    if (target.status === "missing" || target.status === "barred") throw refusal(to, "written", target);
    using targetFolder = target.folder;
    if (target.status === "there") throw new WorkspaceWriteError(`${quote(to)} exists; a move never overwrites.`, { code: "exists" });
    // A new name first, then the old one away: unlike a rename, this never replaces what appeared in between.
    linkSync(sourceFolder.at(source.name), targetFolder.at(target.name));
    unlinkSync(sourceFolder.at(source.name));
    pruneEmpty(directory, source.path);
  });
}

/** As git does: a folder that holds nothing any more is none. Removes the folders above `path` from the inside out, up to one that is used. */
export function pruneEmpty(directory: string, path: string): void {
  using root = openRoot(directory);
  for (let parent = path; parent.includes("/");) {
    parent = parent.slice(0, parent.lastIndexOf("/"));
    const found = locate(root, parent);
    if (found.status !== "there") return;
    using folder = found.folder;
    try {
      rmdirSync(folder.at(found.name));
    } catch {
      return;
    }
  }
}

function accepted(raw: string): string {
  const verdict = judgePath(raw);
  if (!verdict.ok) throw new WorkspaceWriteError(verdict.why, { code: "bad-path" });
  return verdict.path;
}

function refusal(raw: string, verb: string, found: Located): WorkspaceWriteError {
  const code = found.status === "there" ? `is-a-${found.kind}` : found.status === "barred" ? "barred" : "missing";
  const why =
    found.status === "barred"
      ? found.why
      : found.status === "there"
        ? `it is a ${found.kind === "special" ? "special file" : found.kind}`
        : "it does not exist";
  return new WorkspaceWriteError(`${quote(raw)} cannot be ${verb}: ${why}.`, { code });
}

/** System errors name descriptors and host paths; what leaves here names the path that was asked for. */
function attempt(verb: string, raw: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof SallyportError) throw error;
    throw new WorkspaceWriteError(`${quote(raw)} cannot be ${verb}: ${codeOf(error)}.`, { code: "workspace-io", cause: error });
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return messageOf(error);
}

const quote = (path: string): string => JSON.stringify(path);
