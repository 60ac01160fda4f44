import { SallyportError } from "../core/errors.ts";
import type { SallyportErrorOptions } from "../core/errors.ts";

/** What an answer of GitHub means. A status code alone never says: the code comes from status, `errors[]` and message together. */
export type GitHubErrorCode =
  | "archived"
  | "bad-credentials"
  | "body-too-long"
  | "branch-moved"
  | "conflict"
  | "draft-not-supported"
  | "empty-repository"
  | "forbidden"
  | "gone"
  | "locked"
  | "missing-permission"
  | "moved"
  | "no-commits-between"
  | "not-found"
  | "not-fully-read"
  | "pull-request-exists"
  | "rate-limited"
  | "reference-exists"
  | "refused-by-guard"
  | "tree-mismatch"
  | "uncertain"
  | "unexpected-answer"
  | "unreachable"
  | "validation";

/** A request to GitHub that failed for good, as far as this run is concerned. `status` is absent where GitHub did not answer. */
export class GitHubError extends SallyportError {
  declare readonly code: GitHubErrorCode;
  readonly status: number | undefined;
  /** Of a rate limit: milliseconds after which GitHub takes requests again. */
  readonly retryInMs: number | undefined;

  constructor(
    message: string,
    {
      status,
      retryInMs,
      ...options
    }: SallyportErrorOptions & { readonly code: GitHubErrorCode; readonly status?: number | undefined; readonly retryInMs?: number },
  ) {
    super(message, options);
    this.status = status;
    this.retryInMs = retryInMs;
  }
}
