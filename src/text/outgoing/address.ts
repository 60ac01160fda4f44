import type { OutgoingPolicy } from "./policy.ts";

/** An `@` that could be read as a mention: behind a name or a slash it is an e-mail address or a scoped package. */
export const LOOSE_AT = /(?:^|[^\w/])@/;
const CONTROL = /[\u0000-\u001f\u007f\\]/;
/** Pages that note on the other side who referred to them. */
const NOTED_PAGE = /^\/([^/]+)\/([^/]+)\/(?:issues|pull|pulls|discussions|commit)\/\w/i;
const THREAD_PAGE = /^\/[^/]+\/[^/]+\/(?:issues|pull|pulls|discussions)\/\d/i;

/**
 * Whether an absolute address may be published as a link: http or https, the host spelled out and listed, nobody's name before it, and no
 * issue of another repository. It must read the same to a person, a pattern and the WHATWG parser that browsers follow.
 */
export function isPublishableUrl(address: string, policy: OutgoingPolicy): boolean {
  const [, scheme = "", host = ""] = /^(https?):\/\/([^/?#]*)(?=[/?#]|$)/i.exec(address) ?? [];
  // A second address inside may be the one that somebody follows.
  if (
    host === "" ||
    address.indexOf("://") !== address.lastIndexOf("://") ||
    CONTROL.test(address) ||
    LOOSE_AT.test(address) ||
    !URL.canParse(address)
  )
    return false;
  const url = new URL(address);
  if (url.host !== host.toLowerCase() || url.username !== "" || url.password !== "") return false;
  if (isApproval(address, policy)) return true;
  const isGitHub = `${scheme.toLowerCase()}://${url.host}` === policy.origin.toLowerCase();
  if (!isGitHub) return url.protocol === "https:" && policy.hosts.some((listed) => matchesHost(url.host, listed.toLowerCase()));
  const [, owner, name] = NOTED_PAGE.exec(url.pathname) ?? [];
  return owner === undefined || name === undefined || isOwn(owner, name, policy);
}

/** Whether it is, to the letter, the page of one of this server's approvals. */
function isApproval(address: string, { approvals }: OutgoingPolicy): boolean {
  return approvals !== undefined && address.startsWith(approvals) && /^[a-z]{5}-[a-z]{5}$/.test(address.slice(approvals.length));
}

function matchesHost(host: string, listed: string): boolean {
  return listed.startsWith("*.") ? host.endsWith(listed.slice(1)) && host.length > listed.length - 1 : host === listed;
}

/** Whether the destination of a link or a definition, without its escapes, may be published: an address, or a path on GitHub itself. */
export function isPublishableDestination(destination: string, policy: OutgoingPolicy): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(destination) || destination.startsWith("//")) return isPublishableUrl(destination, policy);
  if (CONTROL.test(destination) || destination.includes("@")) return false;
  const { owner, name } = policy.repository;
  const base = `${policy.origin}/${owner}/${name}/`;
  if (!URL.canParse(destination, base)) return false;
  return isPublishableUrl(new URL(destination, base).href, policy);
}

/** Whether an address names an issue, a pull request or a discussion on any host: a closing word before it would close that. */
export function namesThread(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && THREAD_PAGE.test(url.pathname);
}

export function isOwn(owner: string, name: string, { repository }: OutgoingPolicy): boolean {
  return owner.toLowerCase() === repository.owner.toLowerCase() && name.toLowerCase() === repository.name.toLowerCase();
}
