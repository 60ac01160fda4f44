import { join } from "node:path";
import { openScratch } from "./scratch.ts";
import type { Store } from "./store.ts";

/** What a repository's owners say of a file, by the attributes that GitHub's own views heed. Source: github-linguist, "Overrides". */
export interface LinguistFlags {
  readonly generated?: boolean;
  readonly vendored?: boolean;
}

const FLAGS = { "linguist-generated": "generated", "linguist-vendored": "vendored" } as const;

/**
 * The linguist flags of paths by the `.gitattributes` files of one commit, read by git itself. A path of which nothing is said is left out.
 * @param commit held by the store
 */
export async function linguistFlags(
  { git, gitDir }: Store,
  { commit, paths, signal }: { readonly commit: string; readonly paths: readonly string[]; readonly signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, LinguistFlags>> {
  const flags = new Map<string, LinguistFlags>();
  const askable = paths.filter((path) => !path.includes("\0") && path !== "");
  if (askable.length === 0) return flags;
  await using scratch = await openScratch(gitDir);
  const call = { gitDir, signal, env: { GIT_INDEX_FILE: join(scratch.folder, "index") } };
  await git.run(["read-tree", commit], call);
  const input = Buffer.from(`${askable.join("\0")}\0`);
  const answer = await git.text(["check-attr", "--cached", "-z", "--stdin", ...Object.keys(FLAGS)], { ...call, input });
  const fields = answer.split("\0");
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = "", attribute = "", value = ""] = fields.slice(at, at + 3);
    if (value === "unspecified" || !Object.hasOwn(FLAGS, attribute)) continue;
    const flag = FLAGS[attribute as keyof typeof FLAGS];
    flags.set(path, { ...flags.get(path), [flag]: value === "set" || value === "true" });
  }
  return flags;
}
