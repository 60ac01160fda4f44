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
 * `https://<enterprise host>/api/v3`. Throws a TypeError for a base that is no http(s) URL.
 */
export function gitHubAddress(base: string): GitHubAddress {
  const url = new URL(base);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new TypeError(`${base} is not an http or https address`);
  const path = url.pathname.replace(/\/+$/, "");
  const baseUrl = url.origin + path;
  const hasApiHost = url.hostname === "api.github.com" || /^api\.[^.]+\.ghe\.com$/.test(url.hostname);
  return {
    baseUrl,
    graphqlUrl: path.endsWith("/api/v3") ? `${url.origin}${path.slice(0, -"/v3".length)}/graphql` : `${baseUrl}/graphql`,
    origin: hasApiHost ? `${url.protocol}//${url.hostname.slice("api.".length)}` : url.origin,
  };
}
