import type { ResolveThread } from "../core/operation.ts";
import { RESOLVE_THREAD } from "../core/resolve-document.ts";
import type { WriteOutcome } from "../core/result.ts";
import { gitHubError, reading, textHeaders } from "./answer.ts";
import { classify } from "./classify.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";
import { send, type SendOptions } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** A conversation on lines of a pull request, as GraphQL knows it: REST has neither its id nor its state. */
export interface Conversation {
  /** Its node id. */
  readonly id: string;
  /** The remark that began it. */
  readonly root: number;
  readonly isResolved: boolean;
  /** Whether this session may resolve it. */
  readonly canResolve: boolean;
}

/** A read: it holds no word by which a mutation could begin. */
const CONVERSATIONS =
  "query ($owner: String!, $name: String!, $number: Int!, $after: String) { repository(owner: $owner, name: $name) { pullRequest(number: $number) { reviewThreads(first: 100, after: $after) { nodes { id isResolved viewerCanResolve comments(first: 1) { nodes { databaseId } } } pageInfo { hasNextPage endCursor } } } } }";
/** Pages of a hundred. */
const MOST_PAGES = 20;

/** The conversations of a pull request, over all pages. @throws {GitHubError} */
export async function readConversations(
  session: GitHubSession,
  { owner, name }: RepositoryName,
  number: number,
): Promise<readonly Conversation[]> {
  const doing = `read the conversations of ${owner}/${name}#${number}`;
  const found: Conversation[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const variables = { owner, name, number, ...(after === undefined ? {} : { after }) };
    const { repository } = (await ask(session, doing, { query: CONVERSATIONS, variables })) ?? {};
    const { nodes = [], pageInfo } = repository?.pullRequest?.reviewThreads ?? {};
    for (const { id, isResolved, viewerCanResolve: canResolve, comments } of nodes) {
      const root = comments.nodes[0]?.databaseId;
      if (typeof root === "number") found.push({ id, root, isResolved, canResolve });
    }
    if (pageInfo?.hasNextPage !== true || typeof pageInfo.endCursor !== "string") break;
    after = pageInfo.endCursor;
  }
  return found;
}

/** GraphQL tells of its errors in an answer that looks like any other. */
async function ask({ octokit, address, clock }: GitHubSession, doing: string, body: object): Promise<Answer | undefined> {
  const { status, headers, data } = await reading(doing, () => octokit.request({ method: "POST", url: address.graphqlUrl, ...body }));
  const { data: answer, errors = [] } = data as { readonly data?: Answer; readonly errors?: readonly unknown[] };
  if (errors.length === 0) return answer;
  const bad = { status, headers: textHeaders(headers), message: "", errors };
  throw gitHubError(doing, bad, classify(bad, clock.now()));
}

interface Answer {
  readonly repository?: {
    readonly pullRequest: {
      readonly reviewThreads: {
        readonly nodes: readonly {
          readonly id: string;
          readonly isResolved: boolean;
          readonly viewerCanResolve: boolean;
          readonly comments: { readonly nodes: readonly { readonly databaseId: number | null }[] };
        }[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      };
    } | null;
  } | null;
}

/** The one step that resolves a conversation. One that is resolved stays so, whoever did it. */
export function resolveStep(operation: ResolveThread, key: string, options: SendOptions): WriteStep {
  const { repository, number, commentId, threadId, kind } = operation;
  const done: WriteOutcome = { operation: kind, id: commentId };
  const find = async (): Promise<WriteOutcome | undefined> => {
    const conversations = await readConversations(options.session, repository, number);
    return conversations.some(({ id, isResolved }) => id === threadId && isResolved) ? done : undefined;
  };
  const doing = `resolve the conversation of remark ${commentId} on ${repository.owner}/${repository.name}#${number}`;
  const request = { method: "POST", path: "/graphql", body: { query: RESOLVE_THREAD, variables: { input: { threadId } } } } as const;
  const accept = (data: unknown): WriteOutcome | undefined => (isResolvedIn(data, threadId) ? done : undefined);
  return { key, operation: kind, find, send: () => send(request, { doing, accept, find }, options) };
}

function isResolvedIn(answer: unknown, threadId: string): boolean {
  const { data } = answer as { readonly data?: { readonly resolveReviewThread?: { readonly thread?: Partial<Conversation> } } };
  const { id, isResolved } = data?.resolveReviewThread?.thread ?? {};
  return id === threadId && isResolved === true;
}
