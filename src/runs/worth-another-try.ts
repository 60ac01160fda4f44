import { SallyportError } from "../core/errors.ts";
import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";
import { FetchError } from "../workspace/fetch-error.ts";

/** Refusals that stand for GitHub's or the network's state of the moment. */
const PASSING: readonly GitHubErrorCode[] = [
  "uncertain",
  "unreachable",
  "rate-limited",
  "bad-credentials",
  "unexpected-answer",
  "not-fully-read",
  // The next attempt knows the repository by its new name.
  "moved",
];
const PASSING_FETCHES: readonly string[] = ["remote-unreachable", "fetch-failed", "disk-full", "store-damaged"];
/** What the same commit, snapshot or workspace brings up again however often it is tried. */
const LASTING: readonly string[] = [
  "unsafe-tree",
  "bad-snapshot",
  "unpublishable-workspace",
  "git-missing",
  "branch-names-used-up",
  "extension-fault",
];

/** Whether another try in a while may well bring what this one did not: only then does a run wait instead of ending. */
export function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof GitHubError) return PASSING.includes(error.code);
  if (error instanceof FetchError) return PASSING_FETCHES.includes(error.code);
  return !(error instanceof SallyportError) || !LASTING.includes(error.code);
}
