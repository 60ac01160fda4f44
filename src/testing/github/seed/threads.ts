import { repositoryOf, takeId, timestamp, type Issue, type IssueComment, type Repository, type World } from "../state.ts";
import { addUser } from "./accounts.ts";

export interface IssueOptions {
  readonly title: string;
  readonly body?: string | null;
  /** Login of the author; null for an account that was deleted; `octocat` when absent. */
  readonly user?: string | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly string[];
  readonly state?: "open" | "closed";
  readonly locked?: boolean;
}

/** Opens an issue. No webhook is sent. */
export function addIssue(world: World, named: string | Repository, options: IssueOptions): Issue {
  const repository = repositoryOf(world, named);
  const issue = newIssue(world, repository, options);
  repository.issues.set(issue.number, issue);
  return issue;
}

/** An issue with the next number, which stands in no list yet. */
export function newIssue(world: World, repository: Repository, options: IssueOptions): Issue {
  const { user = "octocat", state = "open" } = options;
  for (const login of [user, ...(options.assignees ?? [])]) if (login !== null) addUser(world, login);
  const at = timestamp();
  return {
    id: takeId(world),
    number: repository.issues.size + 1,
    title: options.title,
    body: options.body ?? null,
    user,
    state,
    locked: options.locked ?? false,
    labels: [...(options.labels ?? [])],
    assignees: [...(options.assignees ?? [])],
    createdAt: at,
    updatedAt: at,
    closedAt: state === "closed" ? at : null,
  };
}

/** What a comment says and who says it; null for an account that was deleted. */
export interface CommentOptions {
  readonly body: string;
  readonly user?: string | null;
}

/** Adds a comment to an issue or pull request. No webhook is sent; `say` does both. */
export function addComment(
  world: World,
  named: string | Repository,
  number: number,
  { body, user = "octocat" }: CommentOptions,
): IssueComment {
  const repository = repositoryOf(world, named);
  if (!repository.issues.has(number)) throw new Error(`${repository.fullName} has no issue or pull request ${number}.`);
  const comment = newComment(world, number, { body, user });
  repository.comments.set(comment.id, comment);
  return comment;
}

/** What comments on issues and on lines have in common. */
export function newComment(world: World, number: number, { body, user = "octocat" }: CommentOptions): IssueComment {
  if (user !== null) addUser(world, user);
  const at = timestamp();
  return { id: takeId(world), number, user, body, history: [body], viaApp: user === world.app.botLogin, createdAt: at, updatedAt: at };
}

export function editComment(comment: IssueComment, body: string): void {
  comment.body = body;
  comment.history.push(body);
  comment.updatedAt = timestamp();
}
