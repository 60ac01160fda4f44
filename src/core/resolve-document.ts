/**
 * The mutation by which a conversation is resolved, in its one spelling: it names exactly one, in its variables.
 * Source: https://docs.github.com/graphql/reference/mutations#resolvereviewthread
 */
export const RESOLVE_THREAD =
  "mutation ($input: ResolveReviewThreadInput!) { resolveReviewThread(input: $input) { thread { id isResolved } } }";

/** Whether a text can be a node id of GraphQL: opaque, but of one alphabet. */
export function isNodeId(text: string): boolean {
  return /^[\w+/=-]{4,200}$/.test(text);
}
