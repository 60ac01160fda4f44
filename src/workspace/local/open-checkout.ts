import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SallyportError } from "../../core/errors.ts";
import type { Git, GitCall } from "../git.ts";
import { GitError } from "../git-error.ts";
import { isObjectId } from "../object-id.ts";

/** A revision as it was resolved once; nothing is looked up again by name. */
export interface Revision {
  /** As it was given. */
  readonly name: string;
  /** The commit's id; the tree's own where a tree was named, such as the empty one. */
  readonly commit: string;
  readonly tree: string;
}

/** Somebody's checkout on this machine, of which only objects and names are read. */
export interface Checkout {
  readonly git: Git;
  readonly gitDir: string;
  /** The folder that holds `.git`, absolute. */
  readonly root: string;
  /** @throws {SallyportError} naming the revision when it is not there. */
  resolve(name: string): Promise<Revision>;
  /** The two ends of `base..head`; of `base...head` the base is where both parted. @throws {SallyportError} */
  resolveRange(range: string): Promise<{ readonly base: Revision; readonly head: Revision }>;
}

/**
 * Finds the checkout that `directory` lies in. Git is given its folder by name, so a repository that belongs to another user can be read
 * and one that lies about, bare, inside a work tree is not taken; nothing that its configuration names is run.
 * @throws {SallyportError} outside of a checkout, and for one with SHA-256 ids.
 */
export async function openCheckout(git: Git, directory: string): Promise<Checkout> {
  const { gitDir, root } = await find(directory);
  const call: GitCall = { gitDir, config: [["safe.directory", gitDir]] };
  let format: string;
  try {
    format = (await git.text(["rev-parse", "--show-object-format"], call)).trim();
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "git-failed") throw error;
    throw new SallyportError(`${root} is no git checkout that can be read: ${error.stderr}.`, { code: "no-checkout", cause: error });
  }
  if (format !== "sha1") {
    throw new SallyportError(`${root} uses ${format} object ids, which GitHub does not.`, { code: "no-checkout" });
  }

  const parse = async (revision: string): Promise<string | undefined> => {
    const said = await git.text(["rev-parse", "--quiet", "--verify", "--end-of-options", revision], { ...call, exitCodes: [0, 1, 128] });
    return isObjectId(said.trim()) ? said.trim() : undefined;
  };
  const resolveRevision = async (name: string): Promise<Revision> => {
    if (/^-|[\0\n]/.test(name) || name === "") throw unknownRevision(name, root);
    const tree = await parse(`${name}^{tree}`);
    if (tree === undefined) throw unknownRevision(name, root);
    return { name, tree, commit: (await parse(`${name}^{commit}`)) ?? tree };
  };
  return {
    git,
    gitDir,
    root,
    resolve: resolveRevision,
    async resolveRange(range) {
      const [, from = "", dots = "", to = ""] = /^(.*?)(\.{2,3})(.*)$/s.exec(range) ?? [];
      if (dots === "" || (from === "" && to === "")) {
        throw new SallyportError(`${JSON.stringify(range)} is no range.`, {
          code: "bad-range",
          hint: "Write base..head, such as main..HEAD.",
        });
      }
      const [base, head] = [await resolveRevision(from || "HEAD"), await resolveRevision(to || "HEAD")];
      if (dots === "..") return { base, head };
      const parted = (await git.text(["merge-base", base.commit, head.commit], { ...call, exitCodes: [0, 1] })).trim();
      if (parted === "") throw new SallyportError(`${range} has no common commit to begin from.`, { code: "bad-range" });
      return { base: { ...(await resolveRevision(parted)), name: base.name }, head };
    },
  };
}

function unknownRevision(name: string, root: string): SallyportError {
  return new SallyportError(`${JSON.stringify(name)} names no commit in ${root}.`, {
    code: "unknown-revision",
    hint: "Fetch it first, or check the spelling.",
  });
}

/** The nearest `.git` from here upwards: a folder, or the file that a linked work tree and a submodule have. */
async function find(directory: string): Promise<{ readonly gitDir: string; readonly root: string }> {
  let folder: string;
  try {
    folder = await realpath(directory);
  } catch (cause) {
    throw new SallyportError(`There is no folder ${directory}.`, { code: "no-checkout", cause });
  }
  for (let root = folder; ; root = dirname(root)) {
    const entry = join(root, ".git");
    const stats = await stat(entry).catch(() => undefined);
    if (stats?.isDirectory() === true) return { gitDir: entry, root };
    if (stats?.isFile() === true) {
      const [, target] = /^gitdir: (.+?)\n*$/.exec(await readFile(entry, "utf8")) ?? [];
      if (target !== undefined) return { gitDir: resolve(root, target), root };
    }
    if (root === dirname(root)) break;
  }
  throw new SallyportError(`${folder} is not in a git checkout.`, {
    code: "no-checkout",
    hint: "Run this inside the repository, or name it with --cwd.",
  });
}
