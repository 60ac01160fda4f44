import { isObjectId, objectId } from "../object-id.ts";
import { readTree, resultingTree } from "../tree.ts";
import type { Checkout } from "./open-checkout.ts";

/**
 * The tree of a commit of this checkout, its id computed anew from the names, modes and blobs that the tree lists; undefined when the commit is not
 * there, or its bytes are not those that its id stands for.
 */
export async function recomputeTree({ git, gitDir }: Pick<Checkout, "git" | "gitDir">, commit: string): Promise<string | undefined> {
  if (!isObjectId(commit)) return undefined;
  const call = { gitDir, config: [["safe.directory", gitDir]] as const };
  const bytes = await git.run(["cat-file", "commit", commit], { ...call, exitCodes: [0, 1, 128] });
  if (objectId("commit", bytes) !== commit) return undefined;
  const [, named] = /^tree ([0-9a-f]{40})\n/.exec(bytes.toString("latin1")) ?? [];
  if (named === undefined) return undefined;
  const { files } = await readTree(git, gitDir, named);
  // Of a tree without a file nothing is computed; its id is the one that every git knows.
  return files.size === 0 ? named : resultingTree({ files: new Map(), folders: new Map() }, files);
}
