import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A person's role in a repository, from least to most. */
const PERMISSIONS = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * What an account may do in a repository, as GitHub's permission endpoint says; `none` for accounts that it does not know there. A
 * custom role counts as the built-in one that it extends. With `id`, a login that belongs to another account by now holds nothing.
 * @throws {GitHubError} when it cannot be asked: nobody may be let in then.
 */
export async function readPermission(
  { octokit }: GitHubSession,
  { owner, name: repo }: RepositoryName,
  { login, id }: { readonly login: string; readonly id?: number },
): Promise<Permission> {
  const doing = `ask for the permission of ${login} on ${owner}/${repo}`;
  const answer = await unless(["not-found"], undefined, () =>
    reading(doing, async () => (await octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: login })).data),
  );
  if (answer === undefined) return "none";
  if (id !== undefined && answer.user !== null && answer.user !== undefined && answer.user.id !== id) return "none";
  return [answer.role_name, answer.permission].find((role) => isPermission(role)) ?? "none";
}

/** Whether `held` is at least `wanted`. */
export function holds(held: Permission, wanted: Permission): boolean {
  return PERMISSIONS.indexOf(held) >= PERMISSIONS.indexOf(wanted);
}

function isPermission(text: unknown): text is Permission {
  return PERMISSIONS.some((permission) => permission === text);
}
