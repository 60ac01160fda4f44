import { ApiError, inaccessible, notFound } from "../api-error.ts";
import type { Repository } from "../state.ts";
import type { Caller } from "./authenticate.ts";
import { atLeast, roleOf } from "./roles.ts";

/** What a route of a repository asks for: one of these permissions of an App, at this level. None named: that it can be seen. */
export interface Needs {
  readonly anyOf: readonly string[];
  readonly level: "read" | "write";
}

/** Whether a caller may know that a repository exists. */
export function canSee(repository: Repository, caller: Caller): boolean {
  if (!repository.isPrivate) return true;
  if (caller.kind === "installation") return isInstalledFor(repository, caller);
  if (caller.kind === "app") return repository.installed;
  return caller.kind === "user" && atLeast(roleOf(repository, caller.login), "read");
}

/** Throws what GitHub answers when a caller may not do this in a repository. */
export function admit(repository: Repository, caller: Caller, needs: Needs): void {
  if (!canSee(repository, caller)) throw notFound();
  if (needs.level === "read") {
    // Everyone may read what is public, whatever a token was granted.
    if (repository.isPrivate && caller.kind === "installation" && !isGranted(caller, needs)) throw inaccessible();
    return;
  }
  if (caller.kind === "none") throw new ApiError(401, "Requires authentication");
  if (caller.kind === "user" && !mayWrite(repository, caller.login, needs)) throw notFound();
  if (caller.kind === "app") throw inaccessible();
  if (caller.kind === "installation" && !(isInstalledFor(repository, caller) && isGranted(caller, needs))) throw inaccessible();
  if (repository.archived) throw new ApiError(403, "Repository was archived so is read-only.");
}

type Installation = Extract<Caller, { kind: "installation" }>;

function isInstalledFor(repository: Repository, { repositoryIds }: Installation): boolean {
  return repository.installed && (repositoryIds?.includes(repository.id) ?? true);
}

function isGranted({ permissions }: Installation, { anyOf, level }: Needs): boolean {
  if (anyOf.length === 0) return true;
  return anyOf.some((name) => permissions[name] === "write" || (level === "read" && permissions[name] === "read"));
}

/** People may talk where they may read; to change something they need the write role. */
function mayWrite(repository: Repository, login: string, { anyOf }: Needs): boolean {
  const talks = anyOf.includes("issues") || anyOf.includes("pull_requests");
  return atLeast(roleOf(repository, login), talks ? "read" : "write");
}
