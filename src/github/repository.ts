import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

export interface RepositoryView {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  readonly archived: boolean;
}

interface RawRepository {
  readonly id: number;
  readonly owner: { readonly login: string };
  readonly name: string;
  readonly default_branch: string;
  readonly private: boolean;
  readonly archived: boolean;
}

/** The repository that is called so now, or was until another took the name: its id tells whether it is the one that is meant. */
export async function readRepository(
  { octokit }: GitHubSession,
  { owner, name: repo }: Pick<RepositoryName, "owner" | "name">,
): Promise<RepositoryView> {
  return viewOf(await reading(`read repository ${owner}/${repo}`, async () => (await octokit.rest.repos.get({ owner, repo })).data));
}

/** The repository with this id, whatever it is called. GitHub redirects renamed repositories to this address. */
async function readRepositoryById({ octokit }: GitHubSession, id: number): Promise<RepositoryView> {
  const read = async (): Promise<RawRepository> => (await octokit.request("GET /repositories/{id}", { id })).data as RawRepository;
  return viewOf(await reading(`read repository ${id}`, read));
}

/** The repository with this id, which was once called so; undefined where it can be seen no more. Another one may stand under the name by now. */
export async function readCurrentRepository(
  session: GitHubSession,
  { id, owner, name }: RepositoryName & { readonly id: number },
): Promise<RepositoryView | undefined> {
  const named = await unless(["not-found", "gone"], undefined, () => readRepository(session, { owner, name }));
  const now = named?.id === id ? named : await unless(["not-found", "gone"], undefined, () => readRepositoryById(session, id));
  return now?.id === id ? now : undefined;
}

function viewOf(data: RawRepository): RepositoryView {
  return {
    id: data.id,
    owner: data.owner.login,
    name: data.name,
    defaultBranch: data.default_branch,
    isPrivate: data.private,
    archived: data.archived,
  };
}
