import { readAdvisory, type ListedAdvisory } from "./advisories.ts";
import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";

/** Pages of a hundred; all advisories that there are fill fewer. */
const MOST_PAGES = 10_000;

/**
 * Every advisory that was changed since an ISO time, withdrawn ones too; all of them without one. Reviewed ones and malware.
 * Source: https://docs.github.com/rest/security-advisories/global-advisories
 * @throws {GitHubError} when GitHub cannot be read to the end: a part is no whole.
 */
export async function* advisoriesChangedSince(
  { octokit }: Pick<GitHubSession, "octokit">,
  since: string | undefined,
): AsyncIterable<readonly ListedAdvisory[]> {
  for (const type of ["reviewed", "malware"]) {
    // By the time of the last change, oldest first: what changes meanwhile moves to the end, and is not missed.
    const changed = since === undefined ? {} : { modified: `>=${since.slice(0, 10)}` };
    const parameters = { type, sort: "updated", direction: "asc", per_page: 100, ...changed };
    const pages = octokit.paginate.iterator<unknown>("GET /advisories", parameters)[Symbol.asyncIterator]();
    for (let count = 0; ; count++) {
      if (count > MOST_PAGES) throw new TypeError(`the list of advisories has more than ${MOST_PAGES} pages`);
      const page = await reading("list security advisories", () => pages.next());
      if (page.done === true) break;
      yield page.value.data.map(readAdvisory);
    }
  }
}
