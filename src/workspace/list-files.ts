import { SallyportError } from "../core/errors.ts";
import { judgePath } from "../core/repository-path.ts";
import { openFolder, openRoot } from "./folder.ts";
import type { Folder } from "./folder.ts";
import type { Git } from "./git.ts";
import { openIgnoreRules } from "./ignore.ts";
import { locate } from "./locate.ts";
import { whyEmpty } from "./submodules.ts";
import { bytesOf } from "./tree.ts";
import type { PinnedTree } from "./tree.ts";
import { walk } from "./walk.ts";
import type { WorkspaceEntry } from "./workspace.ts";

export interface ListRequest {
  readonly git: Git;
  readonly gitDir: string;
  readonly directory: string;
  readonly tree: PinnedTree;
  /** `""` or `.` for the repository root. */
  readonly path: string;
  readonly depth: number;
  readonly near: (path: string) => readonly string[];
}

/** What is not ignored below a folder; the contract is `Workspace.list`'s. @throws {SallyportError} `not-a-folder`, `bad-path`. */
export async function listFiles({ git, gitDir, directory, tree, path, depth, near }: ListRequest): Promise<WorkspaceEntry[]> {
  using root = openRoot(directory);
  using rules = openIgnoreRules({ git, gitDir, directory });
  const start = openStart(root, tree, path.replace(/^\.\/|(?<=.)\/+$/g, ""), near);
  using folder = start.folder;
  const entries: WorkspaceEntry[] = [];
  const ignoreProblem = (): void => undefined;
  for await (const entry of walk({ start: { folder, path: start.path }, tree, rules, depth, onProblem: ignoreProblem })) {
    if (entry.kind === "special") continue;
    const shown = bytesOf(entry.path).toString("utf8");
    entries.push({ path: shown, kind: entry.kind, size: entry.kind === "folder" ? 0 : Number(entry.stats.size) });
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

function openStart(
  root: Folder,
  tree: PinnedTree,
  path: string,
  near: ListRequest["near"],
): { readonly folder: Folder; readonly path: string } {
  if (path === "" || path === ".") return { folder: openFolder(root, Buffer.from(".")), path: "" };
  const verdict = judgePath(path);
  if (!verdict.ok) throw new SallyportError(`${verdict.why}.`, { code: "bad-path" });
  const why = whyEmpty(tree, verdict.path);
  if (why !== undefined) throw new SallyportError(`${why}.`, { code: "submodule" });
  const found = locate(root, verdict.path);
  if (found.status === "barred") throw new SallyportError(`${found.why}.`, { code: "not-a-folder" });
  const quoted = JSON.stringify(path);
  if (found.status === "missing" || found.status === "free") {
    if (found.status === "free") found.folder[Symbol.dispose]();
    const similar = near(verdict.path);
    const hint = similar.length === 0 ? {} : { hint: `Did you mean ${similar.map((name) => JSON.stringify(name)).join(" or ")}?` };
    throw new SallyportError(`There is no folder ${quoted}.`, { code: "missing", ...hint });
  }
  using parent = found.folder;
  if (found.kind !== "folder") throw new SallyportError(`${quoted} is a ${found.kind}, not a folder.`, { code: "not-a-folder" });
  return { folder: openFolder(parent, found.name), path: Buffer.from(found.path, "utf8").toString("latin1") };
}
