import { roleOf } from "../access/roles.ts";
import { accountOf, userPayload } from "../payloads/account.ts";
import { repositoryPayload } from "../payloads/repository.ts";
import { ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import type { Role } from "../state.ts";

/** What `permission` says for a role: the older word, of four. */
const LEGACY: Readonly<Record<Role, string>> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

export const REPOSITORY_ROUTES = [
  repositoryRoute("GET ", [], ({ world, repository, caller }) => {
    const { isPrivate } = repository;
    // Only who has an account's own token is told what it may do.
    const pushes = caller.kind !== "none";
    const permissions = { admin: false, maintain: false, push: pushes, triage: pushes, pull: true };
    const counts = { network_count: 0, subscribers_count: 0 };
    return ok({ ...repositoryPayload(world, repository), ...counts, ...(pushes || isPrivate ? { permissions } : {}) });
  }),
  repositoryRoute("GET /collaborators/{username}/permission", ["metadata"], permissionOf),
];

function permissionOf({ world, repository, params }: RepositoryCall): Answer {
  const login = params["username"] ?? "";
  present(world.accounts.get(login.toLowerCase()), `${login} is not a user`);
  const role = roleOf(repository, login);
  const user = userPayload(world, accountOf(world, login).login);
  return ok({ permission: LEGACY[role], role_name: role, user: { ...user, permissions: flagsOf(role), role_name: role } });
}

function flagsOf(role: Role): Record<string, boolean> {
  const order: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];
  const at = order.indexOf(role);
  return { pull: at >= 1, triage: at >= 2, push: at >= 3, maintain: at >= 4, admin: at >= 5 };
}
