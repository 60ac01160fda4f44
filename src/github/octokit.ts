import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import type { Logger } from "../core/log.ts";
import { PASS_HEADER } from "../core/pass.ts";
import type { PassLedger } from "../core/pass.ts";
import { badAnswer } from "./answer.ts";
import type { Clock } from "./clock.ts";
import { patientFetch } from "./patient-fetch.ts";
import type { GitHubAddress } from "./repository-url.ts";
import { timedFetch } from "./time-limit.ts";
import { guardFetch } from "./wire-guard.ts";

/** Octokit without retries and throttling: Probot's would wait 3 s between comments and send a failed write four times. */
const BareOctokit = Octokit.plugin(restEndpointMethods, paginateRest);
export type GitHubOctokit = InstanceType<typeof BareOctokit>;

export interface TransportOptions {
  readonly address: GitHubAddress;
  readonly ledger: PassLedger;
  /** Whose requests these are; without it no pass counts. */
  readonly runId?: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timeLimitMs: number;
}

/** The one way to GitHub: patience for reads, over the wire guard, over the time limit, over the given fetch. */
export function transport({ address, ledger, runId, fetch, clock, log, timeLimitMs }: TransportOptions): typeof globalThis.fetch {
  const guarded = guardFetch({
    fetch: timedFetch(fetch, timeLimitMs),
    baseUrl: address.baseUrl,
    graphqlUrl: address.graphqlUrl,
    ledger,
    ...(runId !== undefined && { runId }),
    log,
  });
  return patientFetch({ fetch: guarded, clock, log });
}

/** Who an Octokit speaks as. */
export interface Credentials {
  /** The value of the `authorization` header. */
  authorization(): Promise<string>;
  /** Called when GitHub refused that value with this answer; true when another one can be had. */
  refused(authorization: string, answer: { readonly message: string; readonly date: string | undefined }): boolean;
}

/** An Octokit over the transport. A read whose credentials were refused is sent once more with new ones; a write's pass is spent by then. */
export function gitHubOctokit(
  fetch: typeof globalThis.fetch,
  { baseUrl }: GitHubAddress,
  credentials: Credentials,
  log: Logger,
): GitHubOctokit {
  const octokit = new BareOctokit({ baseUrl, userAgent: "sallyport", log: octokitLog(log), request: { fetch, log: octokitLog(log) } });
  octokit.hook.wrap("request", async (request, options) => {
    const authorization = await credentials.authorization();
    try {
      return await request({ ...options, headers: { ...options.headers, authorization } });
    } catch (error) {
      const answer = badAnswer(error);
      if (answer?.status !== 401) throw error;
      const renewed = credentials.refused(authorization, { message: answer.message, date: answer.headers["date"] });
      if (!renewed || options.headers[PASS_HEADER] !== undefined) throw error;
      return await request({ ...options, headers: { ...options.headers, authorization: await credentials.authorization() } });
    }
  });
  return octokit;
}

/** Octokit's own messages, under one static message each. */
export function octokitLog(log: Logger) {
  return {
    debug: (message: string) => log.debug({ octokit: message }, "octokit says"),
    info: (message: string) => log.info({ octokit: message }, "octokit says"),
    warn: (message: string) => log.warn({ octokit: message }, "octokit warns"),
    error: (message: string) => log.warn({ octokit: message }, "octokit warns"),
  };
}
