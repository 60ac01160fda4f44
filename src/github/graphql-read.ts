const FIELDS = new Set(["query", "variables", "operationName"]);

/**
 * Whether a GraphQL body is plainly a read: one JSON object in its canonical spelling, with a document that nowhere holds the words
 * `mutation` or `subscription`. Everything else (batches, persisted queries, duplicate keys, a string that merely mentions a mutation)
 * counts as a write: the words are looked for in the text, because a parser of our own could be led astray.
 */
export function isGraphqlRead(body: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return false;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return false;
  // A body that two parsers could read differently (a repeated key) does not survive the way back.
  if (JSON.stringify(parsed) !== body) return false;
  if (Object.keys(parsed).some((key) => !FIELDS.has(key))) return false;
  const query = "query" in parsed ? parsed.query : undefined;
  return typeof query === "string" && !/\b(mutation|subscription)\b/i.test(query);
}
