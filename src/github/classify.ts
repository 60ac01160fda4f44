import type { GitHubErrorCode } from "./errors.ts";
import { GUARD_HEADER } from "./wire-guard.ts";

/** An answer that is not a success, or the lack of one. */
export interface BadAnswer {
  /** Undefined when no answer arrived: reset, time limit, no connection. */
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly message: string;
  /** GitHub's `errors[]`, of REST or GraphQL, as they came. */
  readonly errors: readonly unknown[];
}

export type Meaning =
  /** Repeating it unchanged cannot help. */
  | { readonly kind: "final"; readonly code: GitHubErrorCode }
  /** A rate limit: nothing was done, and the same request is welcome after `ms`. */
  | { readonly kind: "later"; readonly ms: number; readonly limit: "primary" | "secondary" }
  /** It may have been done or not. */
  | { readonly kind: "uncertain" }
  /** The token was refused: once more with a new one. */
  | { readonly kind: "renew" }
  /** `not accessible`, which GitHub also says for seconds after a permission was granted: once more. */
  | { readonly kind: "once-more"; readonly code: GitHubErrorCode };

/** GitHub asks for at least a minute when a secondary limit names no time. https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const SECONDARY_WAIT_MS = 60_000;

const final = (code: GitHubErrorCode): Meaning => ({ kind: "final", code });

/** First match wins. The texts are GitHub's own, matched on message and `errors[].message` together. */
const BY_TEXT: readonly (readonly [statuses: readonly number[], text: RegExp, code: GitHubErrorCode])[] = [
  [[200, 403], /is locked|lock prevents/i, "locked"],
  [[200, 403], /archived/i, "archived"],
  [[404, 409], /repository is empty/i, "empty-repository"],
  [[422], /reference already exists/i, "reference-exists"],
  [[422], /pull request already exists/i, "pull-request-exists"],
  [[422], /draft pull requests are not supported/i, "draft-not-supported"],
  [[422], /no commits between/i, "no-commits-between"],
  [
    [200, 409, 422],
    /not a fast.forward|expected branch to point to|reference does not exist|no ref found|is at [0-9a-f]{40} but expected/i,
    "branch-moved",
  ],
  [[422], /too long|maximum is \d+ characters/i, "body-too-long"],
  [[200], /could not resolve to a/i, "not-found"],
];
/** `errors[].type` of GraphQL and `errors[].code` of REST, where no text said more. */
const BY_CODE: ReadonlyMap<string, GitHubErrorCode> = new Map([
  ["STALE_DATA", "branch-moved"],
  ["NOT_FOUND", "not-found"],
  ["FORBIDDEN", "forbidden"],
  ["INSUFFICIENT_SCOPES", "missing-permission"],
]);
const BY_STATUS: Readonly<Record<number, GitHubErrorCode>> = {
  401: "bad-credentials",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  410: "gone",
  451: "gone",
};

/** What an unsuccessful answer means; a status code is not a meaning. `now` in milliseconds since 1970. */
export function classify(answer: BadAnswer, now: number): Meaning {
  const { status, headers } = answer;
  if (status === undefined || status === 408 || status >= 500) return { kind: "uncertain" };
  if (headers[GUARD_HEADER] !== undefined) return final(headers[GUARD_HEADER] === "redirected" ? "moved" : "refused-by-guard");
  const text = [answer.message, ...answer.errors.map(errorText)].join("\n");
  const limited = rateLimit(answer, text, now);
  if (limited !== undefined) return limited;
  if (status === 401) return { kind: "renew" };
  for (const [statuses, pattern, code] of BY_TEXT) if (statuses.includes(status) && pattern.test(text)) return final(code);
  if ((status === 403 || status === 200) && /not accessible/i.test(text)) return { kind: "once-more", code: "missing-permission" };
  // GraphQL answers 200 to what REST calls a server error.
  const named = answer.errors.flatMap(codesOf);
  if (status === 200 && (named.includes("SERVICE_UNAVAILABLE") || /something went wrong|timed? ?out|loading/i.test(text))) {
    return { kind: "uncertain" };
  }
  const code = named.map((name) => BY_CODE.get(name)).find((each) => each !== undefined);
  return final(code ?? BY_STATUS[status] ?? "validation");
}

function rateLimit({ status, headers, errors }: BadAnswer, text: string, now: number): Meaning | undefined {
  const isGraphqlLimit = status === 200 && errors.some((error) => codesOf(error).includes("RATE_LIMITED"));
  if (status !== 403 && status !== 429 && !isGraphqlLimit) return undefined;
  const named = retryAfterMs(headers["retry-after"], now);
  if (named !== undefined) return { kind: "later", ms: named, limit: "secondary" };
  if (/secondary rate limit|abuse detection/i.test(text)) return { kind: "later", ms: SECONDARY_WAIT_MS, limit: "secondary" };
  if (headers["x-ratelimit-remaining"] === "0" || /API rate limit (already )?exceeded/i.test(text) || isGraphqlLimit) {
    return { kind: "later", ms: untilResetMs(headers, now), limit: "primary" };
  }
  return status === 429 ? { kind: "later", ms: SECONDARY_WAIT_MS, limit: "secondary" } : undefined;
}

/** Until the reset plus one second by GitHub's own clock; a reset that has passed (or is missing) says nothing: a minute then. */
function untilResetMs(headers: BadAnswer["headers"], now: number): number {
  const serverNow = Date.parse(headers["date"] ?? "");
  const ms = Number(headers["x-ratelimit-reset"]) * 1000 + 1000 - (Number.isNaN(serverNow) ? now : serverNow);
  return ms > 0 ? ms : SECONDARY_WAIT_MS;
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  return "message" in error && typeof error.message === "string" ? error.message : "";
}

/** What an error is called by machines. */
function codesOf(error: unknown): string[] {
  if (typeof error !== "object" || error === null) return [];
  const [type, code] = ["type" in error ? error.type : undefined, "code" in error ? error.code : undefined];
  return [type, code].filter((name): name is string => typeof name === "string");
}
