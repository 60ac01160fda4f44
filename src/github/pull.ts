import type { PullPin } from "../core/run.ts";
import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A pull request as one read found it. Texts are hostile. */
export interface PullView extends PullPin {
  readonly isOpen: boolean;
  readonly draft: boolean;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly url: string;
}

/** The fields that are read. A fork that was deleted leaves `head.repo` null, a deleted account `user`. */
interface RawPull {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly draft?: boolean | undefined;
  readonly title: string;
  readonly body: string | null;
  readonly user: { readonly login: string } | null;
  readonly head: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } | null };
  readonly base: { readonly ref: string; readonly sha: string; readonly repo: { readonly id: number } };
}

/** The pull request with this number; undefined when there is none. */
export async function readPull(
  session: GitHubSession,
  { owner, name: repo }: RepositoryName,
  number: number,
): Promise<PullView | undefined> {
  const raw = await unless(["not-found", "gone"], undefined, () =>
    reading(
      `read pull request ${number} of ${owner}/${repo}`,
      async (): Promise<RawPull> => (await session.octokit.rest.pulls.get({ owner, repo, pull_number: number })).data,
    ),
  );
  return raw === undefined ? undefined : pullView(raw, await session.botLogin());
}

/**
 * The pull requests from a branch of the repository itself, open and closed, newest first. GitHub ignores a `head` that it cannot
 * read and lists everything: the answer is filtered again.
 */
export async function pullsFromBranch(
  session: GitHubSession,
  { owner, name: repo, id }: RepositoryName,
  branch: string,
): Promise<PullView[]> {
  const raws = await reading(`list the pull requests from ${branch} of ${owner}/${repo}`, () =>
    allPages<RawPull>(session.octokit, "GET /repos/{owner}/{repo}/pulls", {
      owner,
      repo,
      head: `${owner}:${branch}`,
      state: "all",
      sort: "created",
      direction: "desc",
    }),
  );
  const login = await session.botLogin();
  return raws.filter(({ head }) => head.ref === branch && head.repo?.id === id).map((raw) => pullView(raw, login));
}

function pullView(raw: RawPull, botLogin: string): PullView {
  return {
    number: raw.number,
    headRef: raw.head.ref,
    headSha: raw.head.sha,
    baseRef: raw.base.ref,
    baseSha: raw.base.sha,
    sameRepository: raw.head.repo?.id === raw.base.repo.id,
    ownPull: raw.user?.login === botLogin,
    isOpen: raw.state === "open",
    draft: raw.draft ?? false,
    title: raw.title,
    body: raw.body ?? "",
    author: raw.user?.login ?? "ghost",
    url: raw.html_url,
  };
}
