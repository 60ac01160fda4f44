import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

export interface LabelView {
  readonly name: string;
  readonly description: string;
}

/** All labels of a repository. Names and descriptions are hostile text. */
export async function readLabels({ octokit }: GitHubSession, { owner, name: repo }: RepositoryName): Promise<readonly LabelView[]> {
  const labels = await reading(`list the labels of ${owner}/${repo}`, () =>
    allPages<{ readonly name: string; readonly description?: string | null }>(octokit, "GET /repos/{owner}/{repo}/labels", { owner, repo }),
  );
  return labels.map(({ name, description }) => ({ name, description: description ?? "" }));
}
