import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { runNow } from "../../../processes/run-now.ts";
import { readReference } from "./references.ts";
import { GIT_ENVIRONMENT, gitText, runGit, tryGit } from "./run-git.ts";

/** One path of a tree to be written: `sha` null deletes it. */
export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly sha: string | null;
}

/** What a path holds after a push: text, bytes, content with a mode (octal, as git writes it), or null for a deletion. */
export type PushedFile = string | Uint8Array | null | { readonly content: string | Uint8Array; readonly mode: string };

/** Who a commit is by, when not by the default person. Dates are ISO 8601. */
export interface Signature {
  readonly name?: string;
  readonly email?: string;
  readonly date?: string;
}

/** Makes an empty bare repository. */
export function initBare(gitDirectory: string, defaultBranch: string): void {
  mkdirSync(gitDirectory, { recursive: true });
  const args = ["init", "--bare", "-q", "-b", defaultBranch, gitDirectory];
  const made = runNow({ program: "git", args, env: GIT_ENVIRONMENT });
  if (made.status !== 0) throw new Error(`git init ${gitDirectory} failed: ${made.error ?? made.stderr.toString()}`);
}

/** Writes a loose blob as git does, without starting a process for each file. Source: https://git-scm.com/book (Git Objects) */
export function writeBlob(gitDirectory: string, content: string | Uint8Array): string {
  const bytes = Buffer.from(content);
  const object = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  const sha = createHash("sha1").update(object).digest("hex");
  const folder = join(gitDirectory, "objects", sha.slice(0, 2));
  const file = join(folder, sha.slice(2));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, deflateSync(object), { mode: 0o444 });
  return sha;
}

/** What GitHub takes for a path in a tree. Git itself passes over any other without an error. */
function isTreePath(path: string): boolean {
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== ".." && segment.toLowerCase() !== ".git");
}

/** The id of a tree made of `baseTree` with these entries on top; throws when a path is malformed. */
export function writeTree(gitDirectory: string, baseTree: string | undefined, entries: readonly TreeEntry[]): string {
  const malformed = entries.find(({ path }) => !isTreePath(path));
  if (malformed) throw new Error(`${JSON.stringify(malformed.path)} is no path of a tree.`);
  const index = join(gitDirectory, `index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    if (baseTree !== undefined) runGit(gitDirectory, ["read-tree", baseTree], { env });
    const lines = entries
      .filter(({ mode, sha }) => mode !== "040000" || sha === null)
      .map(({ path, mode, sha }) => (sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`));
    runGit(gitDirectory, ["update-index", "--add", "--remove", "--replace", "-z", "--index-info"], { env, input: lines.join("") });
    for (const { path, mode, sha } of entries) {
      if (mode === "040000" && sha !== null) runGit(gitDirectory, ["read-tree", `--prefix=${path}/`, sha], { env });
    }
    return gitText(gitDirectory, ["write-tree"], { env });
  } finally {
    rmSync(index, { force: true });
  }
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author?: Signature;
  readonly committer?: Signature;
}

export function writeCommit(gitDirectory: string, { tree, parents, message, author, committer }: NewCommit): string {
  const env = { ...signed("AUTHOR", author), ...signed("COMMITTER", committer ?? author) };
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return gitText(gitDirectory, args, { input: message, env });
}

function signed(role: "AUTHOR" | "COMMITTER", by: Signature = {}): Record<string, string> {
  return {
    ...(by.name === undefined ? {} : { [`GIT_${role}_NAME`]: by.name }),
    ...(by.email === undefined ? {} : { [`GIT_${role}_EMAIL`]: by.email }),
    ...(by.date === undefined ? {} : { [`GIT_${role}_DATE`]: by.date }),
  };
}

/** Commits files on top of `parent` (none for a root commit) and answers the commit's id. No reference is moved. */
export function commitFiles(
  gitDirectory: string,
  parent: string | undefined,
  files: Readonly<Record<string, PushedFile>>,
  { message, author }: { readonly message: string; readonly author?: Signature },
): string {
  const entries = Object.entries(files).map(([path, file]): TreeEntry => {
    if (file === null) return { path, mode: "100644", sha: null };
    const { content, mode } = typeof file === "string" || file instanceof Uint8Array ? { content: file, mode: "100644" } : file;
    return { path, mode, sha: mode === "160000" ? String(content) : writeBlob(gitDirectory, content) };
  });
  const tree = writeTree(gitDirectory, parent === undefined ? undefined : treeOf(gitDirectory, parent), entries);
  return writeCommit(gitDirectory, { tree, parents: parent === undefined ? [] : [parent], message, ...(author ? { author } : {}) });
}

/** The commit that a revision names. */
export function resolveCommit(gitDirectory: string, revision: string): string | undefined {
  // A branch points at a commit and at nothing else.
  if (revision.startsWith("refs/heads/")) return readReference(gitDirectory, revision);
  return tryGit(gitDirectory, ["rev-parse", "--verify", "-q", "--end-of-options", `${revision}^{commit}`])
    ?.toString()
    .trim();
}

export function treeOf(gitDirectory: string, commit: string): string {
  return gitText(gitDirectory, ["rev-parse", `${commit}^{tree}`]);
}

/** Git's type of an object: `blob`, `tree`, `commit`, `tag`. */
export function typeOf(gitDirectory: string, sha: string): string | undefined {
  return tryGit(gitDirectory, ["cat-file", "-t", sha])?.toString().trim();
}

export interface ListedEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size?: number;
}

/** The entries of a tree, with folders, paths relative to it. */
export function listTree(gitDirectory: string, treeish: string, recursive = false): ListedEntry[] | undefined {
  const out = tryGit(gitDirectory, ["ls-tree", "-z", "-l", "-t", ...(recursive ? ["-r"] : []), "--full-tree", treeish]);
  return out
    ?.toString()
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", type = "", sha = "", size = "-", path = ""] = /^(\d+) (\w+) (\w+) +(-|\d+)\t(.*)$/s.exec(line) ?? [];
      return { path, mode, type, sha, ...(size === "-" ? {} : { size: Number(size) }) };
    });
}
