import { messageOf } from "../core/errors.ts";
import type { BadAnswer, Meaning } from "./classify.ts";
import { classify } from "./classify.ts";
import { GitHubError } from "./errors.ts";
import type { GitHubErrorCode } from "./errors.ts";

/** What an Octokit threw, as an answer that can be classified; undefined for errors that did not come from the wire. */
export function badAnswer(error: unknown): BadAnswer | undefined {
  // Octokit's RequestError, known by its name: several copies of its class can live side by side.
  if (!(error instanceof Error) || error.name !== "HttpError") return undefined;
  const response = "response" in error ? error.response : undefined;
  if (!isResponse(response)) return { status: undefined, headers: {}, message: error.message, errors: [] };
  return { status: response.status, headers: textHeaders(response.headers), ...textOf(response.data) };
}

function isResponse(value: unknown): value is { readonly status: number; readonly headers: object; readonly data: unknown } {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value && "data" in value;
}

/** The message and `errors[]` of an answer's body, whatever it is. */
export function textOf(data: unknown): Pick<BadAnswer, "message" | "errors"> {
  if (typeof data === "string") return { message: data.slice(0, 500), errors: [] };
  if (typeof data !== "object" || data === null) return { message: "", errors: [] };
  const message = "message" in data && typeof data.message === "string" ? data.message : "";
  return { message, errors: "errors" in data && Array.isArray(data.errors) ? data.errors : [] };
}

export function textHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** The error for people and callers; `doing` says what was tried: `read issue 5 of acme/app`. */
export function gitHubError(doing: string, answer: BadAnswer, meaning: Meaning, cause?: unknown): GitHubError {
  const said = [answer.message, ...answer.errors.map((error) => messageIn(error))].filter((text) => text !== "").join("; ");
  const what =
    answer.status === undefined ? `GitHub did not answer (${said})` : `GitHub answered ${answer.status}${said === "" ? "" : `: ${said}`}`;
  const code = codeOf(meaning);
  const hint = code === "missing-permission" ? permissionHint(answer) : HINTS[code];
  return new GitHubError(`Could not ${doing}: ${what}`, {
    code,
    status: answer.status,
    ...(meaning.kind === "later" ? { retryInMs: meaning.ms } : {}),
    ...(hint === undefined ? {} : { hint }),
    // Only a failure of the connection has a cause that says more; an answer's would carry the request's body into logs.
    ...(answer.status === undefined && cause !== undefined ? { cause } : {}),
  });
}

/**
 * Runs a read; what Octokit throws becomes a GitHubError whose code says what it means. Errors that did not come from the wire, and
 * the caller's abort, are thrown as they are.
 */
export async function reading<T>(doing: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const answer = badAnswer(error);
    if (answer === undefined) throw error;
    throw gitHubError(doing, answer, classify(answer, Date.now()), error);
  }
}

/** Answers `otherwise` when the read fails with one of these codes. */
export async function unless<T>(codes: readonly GitHubErrorCode[], otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof GitHubError && codes.includes(error.code)) return otherwise;
    throw error;
  }
}

function codeOf(meaning: Meaning): GitHubErrorCode {
  if (meaning.kind === "later") return "rate-limited";
  if (meaning.kind === "renew") return "bad-credentials";
  return meaning.kind === "uncertain" ? "unreachable" : meaning.code;
}

const HINTS: Partial<Record<GitHubErrorCode, string>> = {
  "bad-credentials": "Check APP_ID and PRIVATE_KEY, and that the App is still installed.",
  locked: "Unlock the conversation, or ask on another thread.",
  archived: "Unarchive the repository first.",
  "empty-repository": "Push a first commit to the repository.",
  "rate-limited": "Wait for GitHub's rate limit, then ask again.",
  unreachable: "Check the connection to GitHub and https://www.githubstatus.com, then ask again.",
};

/** GitHub names what an App would need (`actions=read`). https://docs.github.com/rest/authentication/permissions-required-for-github-apps */
function permissionHint({ headers }: BadAnswer): string {
  const named = headers["x-accepted-github-permissions"];
  const what = named === undefined || !/^[\w=;, ]{1,200}$/.test(named) ? "a permission that this takes" : `the permission ${named}`;
  return `The App lacks ${what}: a person must accept the App's permissions in the installation's settings. Asking again does not help.`;
}

function messageIn(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error) return messageOf(error.message);
  return typeof error === "string" ? error : JSON.stringify(error);
}
