import type { Actor, RepositoryRef } from "../core/run.ts";
import type { OutgoingPolicy } from "../text/outgoing/policy.ts";

/** Where links may lead: GitHub as people see it, without a final slash, and the hosts that the operator lists. */
export interface Links {
  readonly origin: string;
  readonly hosts: readonly string[];
  /** Where this server's approvals are answered, with a final slash; nowhere when not said. */
  readonly approvals?: string | undefined;
}

export const DEFAULT_LINKS: Links = { origin: "https://github.com", hosts: [] };

/** What a run's texts may point at: the same for whoever cleans them and for the rule that checks them. A bot that asked is not called. */
export function outgoingPolicy(
  { repository, actor }: { readonly repository: Pick<RepositoryRef, "owner" | "name">; readonly actor?: Actor },
  { origin, hosts, approvals }: Links,
): OutgoingPolicy {
  const { owner, name } = repository;
  const logins = actor === undefined || actor.isBot ? [] : [actor.login];
  return { origin, hosts, approvals, repository: { owner, name }, logins };
}

/** The last line of a run's commit messages: who asked, by the address that GitHub gives everybody. */
export function coAuthorTrailer({ id, login }: Actor): string {
  return `Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`;
}
