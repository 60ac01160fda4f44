import type { Caller } from "../access/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { isFields, type Fields } from "../fields.ts";
import type { RecordedRequest } from "../record.ts";
import { ok, type Answer } from "../route.ts";
import type { World } from "../state.ts";
import { createCommitOnBranch } from "./create-commit.ts";
import { repositoryThreads, resolveReviewThread } from "./review-threads.ts";
import { GraphqlError } from "./graphql-error.ts";

/** What a field of the document is answered with. */
type Resolver = (world: World, caller: Caller, variables: Fields) => unknown;

/** The operations that are played, by the field that the document asks for. */
const RESOLVERS: Readonly<Record<string, Resolver>> = {
  createCommitOnBranch,
  repository: repositoryThreads,
  resolveReviewThread,
};

/**
 * Answers GraphQL as GitHub does: errors come with status 200, only a missing or refused credential has another.
 * The document is not executed: its field is looked up by name, and all of that field's data is answered.
 */
export function answerGraphql(world: World, caller: Caller, request: RecordedRequest): Answer {
  if (caller.kind === "none") throw new ApiError(401, "This endpoint requires you to be authenticated.");
  const content = isFields(request.body) ? request.body : {};
  const document = content["query"];
  if (request.method !== "POST" || typeof document !== "string") {
    return ok({ errors: [{ message: "A query attribute must be specified and must be a string." }] });
  }
  const field = fieldOf(document);
  if (field !== undefined) request.graphql = field;
  const resolve = field === undefined ? undefined : RESOLVERS[field];
  if (field === undefined || resolve === undefined) {
    request.unrouted = true;
    return ok({ errors: [{ type: "undefinedField", message: `The embedded GitHub does not play ${field ?? "this document"}.` }] });
  }
  const variables = isFields(content["variables"]) ? content["variables"] : {};
  try {
    return ok({ data: { [field]: resolve(world, caller, variables) } });
  } catch (error) {
    if (!(error instanceof GraphqlError)) throw error;
    return ok({ data: { [field]: null }, errors: [{ type: error.type, path: [field], message: error.message }] });
  }
}

/** The first field that a document selects, behind the operation's keyword, name and variables. */
function fieldOf(document: string): string | undefined {
  const selection = document.replace(/#.*$/gm, "").replace(/^\s*(query|mutation)?\s*\w*\s*(\([^{]*\))?\s*\{/, "");
  return /^\s*(?:\w+\s*:\s*)?(\w+)/.exec(selection)?.[1];
}
