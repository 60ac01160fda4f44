import type { Repository, World } from "./state.ts";

/** The address of a repository in the API. */
export function apiUrl(world: World, repository: Repository, path = ""): string {
  return `${world.origin}/api/v3/repos/${repository.fullName}${path}`;
}

/** The address of a repository for people. */
export function webUrl(world: World, repository: Repository, path = ""): string {
  return `${world.origin}/${repository.fullName}${path}`;
}

/** An opaque global id, as GraphQL and `node_id` use it. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString("base64");
}
