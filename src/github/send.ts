import type { MintPass } from "../core/pass.ts";
import { PASS_HEADER } from "../core/pass.ts";
import { badAnswer, gitHubError, textHeaders } from "./answer.ts";
import { classify } from "./classify.ts";
import type { BadAnswer, Meaning } from "./classify.ts";
import type { GitHubSession } from "./client.ts";
import { GitHubError } from "./errors.ts";
import { backoffMs } from "./patient-fetch.ts";

/** A write as it goes over the wire. The body is serialised once; what the pass is bound to is what is sent. */
export interface WriteRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Relative to the API, encoded: made by `repositoryPath`, or `/graphql`. */
  readonly path: string;
  /** Absent for a request without one. */
  readonly body?: object;
}

export interface SendOptions {
  readonly session: GitHubSession;
  readonly mint: MintPass;
  readonly signal?: AbortSignal;
  /** Throws once the write is another worker's. Asked before a write is sent again: much may have happened while it waited. */
  readonly assertCurrent?: () => Promise<void>;
  /** How often one write is sent at most when its answers stay uncertain. */
  readonly tries?: number;
  /** How long one write waits for rate limits in all, in milliseconds. */
  readonly longestWaitMs?: number;
}

export interface Sending<T> {
  /** For messages: `comment on acme/app#5`. */
  readonly doing: string;
  /** What the answer's data means; undefined when it is not what GitHub promises. */
  readonly accept: (data: unknown) => T | undefined;
  /** Looks whether the effect is there. Absent where sending twice is harmless (git objects, reactions). */
  readonly find?: () => Promise<T | undefined>;
}

const SEND_TRIES = 5;
/** A primary limit resets within the hour; past that a run is better failed than held. */
const LONGEST_WAIT_MS = 65 * 60_000;
/** GitHub's own advice is to give up on a limit that does not end. */
const MOST_LIMITS = 3;

/**
 * Sends one write, each try with a pass of its own. After an uncertain answer it looks before it sends again; a rate limit is waited
 * out; every other refusal is final, but for a refused token and `not accessible`, which are tried once more.
 * @throws {GitHubError} with what the refusal means; `uncertain` when the tries are used up and the effect is not there.
 */
export async function send<T>(request: WriteRequest, { doing, accept, find }: Sending<T>, options: SendOptions): Promise<T> {
  const { session, signal, tries = SEND_TRIES, longestWaitMs = LONGEST_WAIT_MS } = options;
  const { clock, log } = session;
  let uncertain = 0;
  let limits = 0;
  let waited = 0;
  const repeated = new Set<Meaning["kind"]>();
  for (let isRepeated = false; ; isRepeated = true) {
    signal?.throwIfAborted();
    if (isRepeated) await options.assertCurrent?.();
    const answer = await sendOnce(request, options);
    const accepted = "data" in answer ? accept(answer.data) : undefined;
    if (accepted !== undefined) return accepted;
    const bad: BadAnswer =
      "data" in answer ? { status: undefined, headers: {}, message: "an answer without what was asked for", errors: [] } : answer;
    const meaning = classify(bad, clock.now());
    log.info({ path: request.path, status: bad.status, meaning: meaning.kind, message: bad.message }, "write was not accepted");
    switch (meaning.kind) {
      case "uncertain": {
        let looked: Looked<T> | undefined;
        do {
          if (++uncertain > tries) throw lost(doing, bad, looked);
          await clock.sleep(backoffMs(uncertain), signal);
          looked = await look(find);
          if (looked.status === "found") return looked.effect;
        } while (looked.status === "unknown");
        if (uncertain >= tries) throw lost(doing, bad, looked);
        break;
      }
      case "later": {
        limits++;
        waited += meaning.ms;
        if (waited > longestWaitMs || limits > MOST_LIMITS) throw gitHubError(doing, bad, meaning);
        await clock.sleep(meaning.ms, signal);
        break;
      }
      case "renew":
      case "once-more": {
        if (repeated.has(meaning.kind) || (meaning.kind === "renew" && !session.renews)) throw gitHubError(doing, bad, meaning);
        repeated.add(meaning.kind);
        if (meaning.kind === "once-more") await clock.sleep(backoffMs(2), signal);
        break;
      }
      case "final": {
        // A refusal after a lost answer may be the echo of our own success: the reference or pull request that exists is ours.
        const looked = uncertain > 0 ? await look(find) : undefined;
        if (looked?.status === "found") return looked.effect;
        throw gitHubError(doing, bad, meaning);
      }
    }
  }
}

type Looked<T> = { readonly status: "found"; readonly effect: T } | { readonly status: "absent" | "unknown" };

/** While GitHub cannot be asked whether the effect is there, nothing is known, and nothing may be sent. */
async function look<T>(find: Sending<T>["find"]): Promise<Looked<T>> {
  try {
    const effect = await find?.();
    return effect === undefined ? { status: "absent" } : { status: "found", effect };
  } catch (error) {
    if (error instanceof GitHubError) return { status: "unknown" };
    throw error;
  }
}

function lost(doing: string, { status, message }: BadAnswer, looked: Looked<unknown> | undefined): GitHubError {
  const now = looked?.status === "absent" ? "it is not there" : "whether it is there could not be asked";
  return new GitHubError(`Could not ${doing}: GitHub gave no clear answer (${message || status}), and ${now}`, {
    code: "uncertain",
    status,
    hint: "Check https://www.githubstatus.com, then ask again.",
  });
}

/** One try: a pass, a request, and what came of it. A GraphQL answer with errors is a bad one, whatever its status. */
async function sendOnce(
  { method, path, body }: WriteRequest,
  { session, mint, signal }: SendOptions,
): Promise<{ readonly data: unknown } | BadAnswer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  // A pass lives for a short while: the token must not be asked for in its time.
  await session.token();
  const pass = mint({ method, path, body: text });
  const { baseUrl, graphqlUrl } = session.address;
  try {
    const response = await session.octokit.request({
      method,
      url: path === "/graphql" ? graphqlUrl : baseUrl + path,
      ...(body === undefined ? {} : { data: text }),
      headers: { [PASS_HEADER]: pass.id },
      ...(signal === undefined ? {} : { request: { signal } }),
    });
    const data: unknown = response.data;
    const errors = path === "/graphql" ? errorsIn(data) : [];
    if (errors.length === 0) return { data };
    return { status: response.status, headers: textHeaders(response.headers), message: "", errors };
  } catch (error) {
    signal?.throwIfAborted();
    const answer = badAnswer(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

function errorsIn(data: unknown): readonly unknown[] {
  return typeof data === "object" && data !== null && "errors" in data && Array.isArray(data.errors) ? data.errors : [];
}
