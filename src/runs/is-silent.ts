import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";

const SILENT: readonly GitHubErrorCode[] = ["locked", "archived", "not-found", "gone", "missing-permission", "forbidden"];

/** Whether a thread, or a commit, takes no word, or none any more: only the log says why. */
export function isSilent(error: unknown): error is GitHubError {
  return error instanceof GitHubError && SILENT.includes(error.code);
}
