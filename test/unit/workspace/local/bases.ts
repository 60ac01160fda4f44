import { openGit } from "../../../../src/workspace/git.ts";
import { applyDiff, type AppliedDiff } from "../../../../src/workspace/local/diff/apply-diff.ts";
import { blobMap } from "../../../../src/workspace/read-blobs.ts";
import { readTree, type TreeFile } from "../../../../src/workspace/tree.ts";
import type { TestRepository, TestTree } from "../git-host.ts";

const git = openGit({ path: process.env["PATH"] ?? "" });

/** Applies a diff to a commit of a test repository. */
export async function applyTo({ gitDir }: TestRepository, commit: string, diff: string | Uint8Array): Promise<AppliedDiff> {
  const tree = await readTree(git, gitDir, commit);
  const isSubmodule = new Set([...tree.files.values()].flatMap(({ mode, sha }) => (mode === "160000" ? [sha] : [])));
  return applyDiff({
    diff: Buffer.from(diff as string),
    tree,
    readBlobs: (shas) => blobMap({ git, gitDir, shas: shas.filter((sha) => !isSubmodule.has(sha)), maxBytes: 1 << 30 }),
  });
}

/** All files of a commit after a diff, by raw path, as `mode sha`. */
export async function filesAfter(repository: TestRepository, commit: string, diff: string | Uint8Array): Promise<Record<string, string>> {
  const files = new Map((await readTree(git, repository.gitDir, commit)).files);
  for (const [path, file] of (await applyTo(repository, commit, diff)).after) {
    if (file === undefined) files.delete(path);
    else files.set(path, file);
  }
  return listed(files);
}

export async function filesOf({ gitDir }: TestRepository, commit: string): Promise<Record<string, string>> {
  return listed((await readTree(git, gitDir, commit)).files);
}

function listed(files: ReadonlyMap<string, TreeFile>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, { mode, sha }]) => [path, `${mode} ${sha}`]));
}

/** What stands under a path after a diff, as text; undefined when nothing does. */
export async function textAfter(
  repository: TestRepository,
  base: TestTree,
  diff: string | Uint8Array,
): Promise<Record<string, string | undefined>> {
  const { after, blobs } = await applyTo(repository, repository.commit(base), diff);
  return Object.fromEntries(
    [...after].map(([path, file]) => [path, file === undefined ? undefined : Buffer.from(blobs.get(file.sha) ?? "").toString("utf8")]),
  );
}
