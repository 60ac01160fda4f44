import type { Repository, Role } from "../state.ts";

const ORDER: readonly Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The role of an account in a repository. The owner is admin; everyone may read what is public. */
export function roleOf(repository: Repository, login: string): Role {
  const given = repository.permissions.get(login.toLowerCase());
  if (given) return given;
  if (login.toLowerCase() === repository.owner.toLowerCase()) return "admin";
  return repository.isPrivate ? "none" : "read";
}

export function atLeast(role: Role, wanted: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(wanted);
}

/** The `author_association` that GitHub shows beside an account. It says less than the role, and must not be taken for it. */
export function associationOf(repository: Repository, login: string | null): "OWNER" | "COLLABORATOR" | "NONE" {
  if (login === null) return "NONE";
  if (login.toLowerCase() === repository.owner.toLowerCase()) return "OWNER";
  return atLeast(roleOf(repository, login), "triage") ? "COLLABORATOR" : "NONE";
}
