/**
 * The mutation by which commits are made. The gate mints a pass for this exact text only, and the writer sends it.
 * Source: https://docs.github.com/graphql/reference/mutations#createcommitonbranch
 */
export const CREATE_COMMIT =
  "mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid tree { oid } signature { isValid } } } }";

/** Splits a commit message into the two fields that GitHub's mutation takes. */
export function splitMessage(message: string): { readonly headline: string; readonly body?: string } {
  const end = message.indexOf("\n");
  if (end < 0) return { headline: message };
  const body = message.slice(end + 1).replace(/^\n+/, "");
  const headline = message.slice(0, end);
  return body === "" ? { headline } : { headline, body };
}
