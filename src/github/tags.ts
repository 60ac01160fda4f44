import type { TagView } from "../core/tag-view.ts";
import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

const MOST_PAGES = 10;
/** Numbers inside a name are compared as numbers: v1.10 is after v1.9. */
const byVersion = new Intl.Collator("en", { numeric: true });

/**
 * The repository's tags, the highest version first: GitHub's list has names and no dates. At most the 1000 that GitHub lists first are
 * looked at; `more` when there are others.
 */
export async function listTags(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  limit: number,
): Promise<{ readonly tags: readonly TagView[]; readonly total: number; readonly more: boolean }> {
  const all: TagView[] = [];
  let more = true;
  for (let page = 1; more && page <= MOST_PAGES; page++) {
    const { data, headers } = await reading(`list the tags of ${owner}/${repo}`, () =>
      octokit.rest.repos.listTags({ owner, repo, per_page: 100, page }),
    );
    all.push(...data.map(({ name, commit }) => ({ name, sha: commit.sha })));
    more = /rel="next"/.test(headers.link ?? "");
  }
  return { tags: all.toSorted((a, b) => compareTags(b.name, a.name)).slice(0, limit), total: all.length, more };
}

/** By version; a pre-release (`1.0.0-rc.1`) comes before its release. */
function compareTags(a: string, b: string): number {
  const [releaseA = "", ...preA] = a.split("-");
  const [releaseB = "", ...preB] = b.split("-");
  const release = byVersion.compare(releaseA, releaseB);
  if (release !== 0) return release;
  if (preA.length === 0 || preB.length === 0) return preB.length - preA.length;
  return byVersion.compare(preA.join("-"), preB.join("-"));
}
