import type { RepositoryRef } from "../core/run.ts";

/** What names a repository on the wire. */
export type RepositoryName = Pick<RepositoryRef, "id" | "owner" | "name">;

/** The path of something in a repository, as it is sent: each segment encoded, slashes inside `rest` kept. */
export function repositoryPath({ owner, name }: Pick<RepositoryName, "owner" | "name">, rest: string): string {
  return ["", "repos", owner, name, ...rest.split("/")].map(encodeSegment).join("/");
}

/** Everything but letters, digits and `-._~` in percent form, as Octokit writes its path parameters. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Where one GitHub is found: its REST base, its GraphQL address and its web pages. None ends in a slash. */
export interface GitHubAddress {
  readonly baseUrl: string;
  readonly graphqlUrl: string;
  /** What git remotes and links start with: `https://github.com`, or the Enterprise server. */
  readonly origin: string;
}

/**
 * Derives the other addresses from the REST base: `https://api.github.com`, `https://api.<name>.ghe.com` or
 * `https://<enterprise host>/api/v3`; those that are `given` are taken as they are. Throws a TypeError for one that is no http(s) URL.
 */
export function gitHubAddress(base: string, given: Partial<Omit<GitHubAddress, "baseUrl">> = {}): GitHubAddress {
  const derived = derivedFrom(base);
  const plain = (address: string): string => {
    const { origin, pathname } = httpUrl(address);
    return origin + pathname.replace(/\/+$/, "");
  };
  return {
    baseUrl: derived.baseUrl,
    graphqlUrl: given.graphqlUrl === undefined ? derived.graphqlUrl : plain(given.graphqlUrl),
    origin: given.origin === undefined ? derived.origin : httpUrl(given.origin).origin,
  };
}

function httpUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new TypeError(`${address} is not an http or https address`);
  return url;
}

function derivedFrom(base: string): GitHubAddress {
  const url = httpUrl(base);
  const path = url.pathname.replace(/\/+$/, "");
  const baseUrl = url.origin + path;
  const hasApiHost = url.hostname === "api.github.com" || /^api\.[^.]+\.ghe\.com$/.test(url.hostname);
  return {
    baseUrl,
    graphqlUrl: path.endsWith("/api/v3") ? `${url.origin}${path.slice(0, -"/v3".length)}/graphql` : `${baseUrl}/graphql`,
    origin: hasApiHost ? `${url.protocol}//${url.hostname.slice("api.".length)}` : url.origin,
  };
}
