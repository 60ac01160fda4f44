import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitLines, tryGit } from "./run-git.ts";

/** Names that stand on disk as they are, and as nothing else. */
const PLAIN = /^refs(?:\/[\w-](?:\.?[\w-])*)+$/;
const SHA = /^[0-9a-f]{40}\n?$/;

/**
 * What a reference points at, read from git's own file where it has one of its own: a start of git costs more than all else of most requests.
 * What is packed, symbolic or spelled in any other way is git's to answer.
 */
export function readReference(gitDirectory: string, name: string): string | undefined {
  const text = PLAIN.test(name) && !name.endsWith(".lock") && !isPacked(gitDirectory) ? fileAt(join(gitDirectory, name)) : undefined;
  if (text === "none") return undefined;
  if (text !== undefined && SHA.test(text)) return text.trim();
  return tryGit(gitDirectory, ["rev-parse", "--verify", "-q", "--end-of-options", name])?.toString().trim();
}

/** The names of all branches, in git's order. */
export function listBranches(gitDirectory: string): string[] {
  if (isPacked(gitDirectory)) return gitLines(gitDirectory, ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"]);
  const heads = join(gitDirectory, "refs", "heads");
  return readdirSync(heads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
    .map(({ parentPath, name }) => join(parentPath, name).slice(heads.length + 1))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function isPacked(gitDirectory: string): boolean {
  return existsSync(join(gitDirectory, "packed-refs"));
}

/** `none` where no file is; undefined where it cannot be read. */
function fileAt(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR" ? "none" : undefined;
  }
}
