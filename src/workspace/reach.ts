import { shallowCommits } from "./history.ts";
import type { Store } from "./store.ts";

/** Commits that are asked for at once; a generation is rarely wider. */
const LISTED = 2000;

/**
 * The border of a shallow history: those of the commits up to `generations` before `sha` whose parents are left out, here or in the store
 * already. As in git, a commit has all its parents or none. Source: shallow(5) in git's technical notes.
 */
export async function borderOf(
  { git, gitDir }: Pick<Store, "git" | "gitDir">,
  { sha, generations, signal }: { readonly sha: string; readonly generations: number; readonly signal?: AbortSignal | undefined },
): Promise<readonly string[]> {
  const cut = await shallowCommits(gitDir);
  const parents = new Map<string, readonly string[]>();
  const border = new Set<string>();
  const seen = new Set([sha]);
  let newest = [sha];
  for (let generation = 1; newest.length > 0; generation += 1) {
    const unknown = newest.filter((commit) => !parents.has(commit));
    if (unknown.length > 0) {
      const args = ["rev-list", "--parents", `--max-count=${Math.max(LISTED, unknown.length)}`, "--stdin"];
      const listing = await git.text(args, { gitDir, signal, input: Buffer.from(unknown.map((commit) => `${commit}\n`).join("")) });
      for (const line of listing.split("\n")) {
        const [commit = "", ...above] = line.split(" ");
        parents.set(commit, above);
      }
    }
    const before: string[] = [];
    for (const commit of newest) {
      const above = parents.get(commit) ?? [];
      if (cut.has(commit) || (generation === generations && above.length > 0)) border.add(commit);
      else before.push(...above);
    }
    newest = [...new Set(before)].filter((commit) => !seen.has(commit));
    for (const commit of newest) seen.add(commit);
  }
  return [...border].sort();
}
