import { GitHubError } from "./errors.ts";
import type { GitHubOctokit } from "./octokit.ts";

/** No list that a run needs whole is longer; a longer one goes in a circle. */
const MOST_PAGES = 100;

/**
 * All items of a list (`GET /repos/…`), over all its pages. @throws {GitHubError} `not-fully-read` when the pages go in a circle or do
 * not end: a list that was read in part must not pass for the whole.
 */
export async function allPages<T>(octokit: GitHubOctokit, route: `GET /${string}`, parameters: Record<string, unknown>): Promise<T[]> {
  const items: T[] = [];
  const seen = new Set<string>();
  for await (const page of octokit.paginate.iterator<T, typeof route>(route, { per_page: 100, ...parameters })) {
    if (seen.size >= MOST_PAGES || seen.has(page.url)) {
      throw new GitHubError(`A list of GitHub does not end: ${page.url} came again, or it has over ${MOST_PAGES} pages`, {
        code: "not-fully-read",
      });
    }
    seen.add(page.url);
    items.push(...page.data);
  }
  return items;
}
