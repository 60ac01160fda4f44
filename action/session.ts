import type { Logger } from "../src/core/log.ts";
import type { PassLedger } from "../src/core/pass.ts";
import { createTokenSession, type GitHubSession } from "../src/github/client.ts";
import type { Inputs } from "./inputs.ts";

export interface SessionOptions {
  readonly inputs: Pick<Inputs, "token" | "botLogin">;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly ledger: PassLedger;
  readonly log: Logger;
  readonly fetch: typeof fetch;
  /** Milliseconds between the tries of one read are waited by this. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** The run that writes; without one nothing is written. */
  readonly runId?: string;
}

/** What GitHub's runner sets on github.com. */
const API_URL = "https://api.github.com";

/** The workflow's token at the GitHub that the runner belongs to. */
export function openSession({ inputs: { token, botLogin }, variables, ...options }: SessionOptions): GitHubSession {
  return createTokenSession({
    baseUrl: variables["GITHUB_API_URL"] ?? API_URL,
    ...(variables["GITHUB_GRAPHQL_URL"] === undefined ? {} : { graphqlUrl: variables["GITHUB_GRAPHQL_URL"] }),
    ...(variables["GITHUB_SERVER_URL"] === undefined ? {} : { webUrl: variables["GITHUB_SERVER_URL"] }),
    token,
    botLogin,
    ...options,
  });
}
