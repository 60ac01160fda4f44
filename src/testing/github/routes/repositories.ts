import type { Caller } from "../access/authenticate.ts";
import { roleOf } from "../access/roles.ts";
import { accountOf, userPayload } from "../payloads/account.ts";
import { repositoryPayload } from "../payloads/repository.ts";
import { ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import type { Repository, Role } from "../state.ts";

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
    const permissions = permissionsOf(repository, caller);
    const counts = { network_count: 0, subscribers_count: 0 };
    return ok({ ...repositoryPayload(world, repository), ...counts, ...(permissions ? { permissions } : {}) });
  }),
  repositoryRoute("GET /collaborators/{username}/permission", ["metadata"], permissionOf),
];

/** What the caller itself may do; nobody is told nothing. */
function permissionsOf(repository: Repository, caller: Caller): Record<string, boolean> | undefined {
  if (caller.kind === "user") return flagsOf(roleOf(repository, caller.login));
  if (caller.kind !== "installation") return undefined;
  return flagsOf(repository.installed && caller.permissions["contents"] === "write" ? "write" : "read");
}

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
