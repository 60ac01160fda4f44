import type { ChangedFile, PullFiles, PullFilesQuery } from "../core/pull-details.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

interface RawFile {
  readonly filename: string;
  readonly previous_filename?: string;
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
  readonly patch?: string;
}

const PAGE_SIZE = 100;
/** Source: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const MOST_LISTED = 3000;

/** Files that a pull request changes; undefined when there is none with this number. */
export async function readPullFiles(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { number, page, path }: PullFilesQuery,
): Promise<PullFiles | undefined> {
  const parameters = { owner, repo, pull_number: number };
  return unless(["not-found", "gone"], undefined, () =>
    reading(`list the files of pull request ${number} of ${owner}/${repo}`, async () => {
      const { data: pull } = await octokit.rest.pulls.get(parameters);
      const raws: readonly RawFile[] =
        path === undefined
          ? (await octokit.rest.pulls.listFiles({ ...parameters, per_page: PAGE_SIZE, page })).data
          : await allPages<RawFile>(octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/files", parameters);
      const files = raws.map((raw) => viewOf(raw)).filter((file) => path === undefined || isAt(file, path));
      const listed = Math.min(pull.changed_files, MOST_LISTED);
      return { files, changedFiles: pull.changed_files, pages: Math.max(1, Math.ceil(listed / PAGE_SIZE)) };
    }),
  );
}

function isAt({ path, previousPath }: ChangedFile, wanted: string): boolean {
  return [path, previousPath].some((name) => name === wanted || name?.startsWith(`${wanted}/`));
}

function viewOf({ filename, previous_filename: previous, status, additions, deletions, patch }: RawFile): ChangedFile {
  return {
    path: filename,
    status,
    additions,
    deletions,
    ...(previous === undefined ? {} : { previousPath: previous }),
    ...(patch === undefined ? {} : { patch }),
  };
}
