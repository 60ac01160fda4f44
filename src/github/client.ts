import type { Logger } from "../core/log.ts";
import type { PassLedger } from "../core/pass.ts";
import { appCredentials } from "./app-credentials.ts";
import { reading } from "./answer.ts";
import { conditionalFetch } from "./conditional-fetch.ts";
import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { gitHubOctokit, transport } from "./octokit.ts";
import type { Credentials, GitHubOctokit } from "./octokit.ts";
import { TIME_LIMIT_MS, timedFetch } from "./time-limit.ts";
import { createPictureFetch, type FetchPicture } from "./pictures/fetch-picture.ts";
import { gitHubAddress } from "./repository-url.ts";
import type { GitHubAddress } from "./repository-url.ts";

interface GitHubOptions {
  /** `https://api.github.com`, or `https://<host>/api/v3` of an Enterprise server. */
  readonly baseUrl: string;
  /** Where they are not to be derived from the base: the GraphQL address, and the origin of GitHub's web pages. */
  readonly graphqlUrl?: string;
  readonly webUrl?: string;
  readonly ledger: PassLedger;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
  readonly now?: Clock["now"];
  readonly sleep?: Clock["sleep"];
  /** After this long without a complete answer a request is given up; 30 s by default. */
  readonly timeLimitMs?: number;
}
export interface GitHubAppOptions extends GitHubOptions {
  readonly appId: number | string;
  /** PEM; line ends may be written as `\n`. */
  readonly privateKey: string;
  /** Told of each token that is issued, so that its value can be masked wherever it might show. */
  readonly onToken?: (token: string) => void;
}
export interface TokenSessionOptions extends GitHubOptions {
  readonly token: string;
  /** The login that the token writes as: `github-actions[bot]`. */
  readonly botLogin: string;
  /** The run that writes; without one nothing is written. */
  readonly runId?: string;
}

/** One installation's GitHub. Everything in here goes through the wire guard. */
export interface GitHubSession {
  readonly octokit: GitHubOctokit;
  readonly address: GitHubAddress;
  /** The web origin, for git remotes and links: `https://github.com`. */
  readonly origin: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** A refused token can be replaced by a new one. */
  readonly renews: boolean;
  /** A token that is good for at least five minutes. For git's fetch only; Octokit has its own. */
  token(): Promise<string>;
  /** Pictures of threads, from uploads of this GitHub only: the one thing that is fetched beside the API. */
  readonly picture: FetchPicture;
  /** The login under which this session's comments appear: `sallyport[bot]`. */
  botLogin(): Promise<string>;
}

interface AppIdentity {
  readonly id: number;
  readonly slug: string;
  readonly botLogin: string;
}

export interface GitHubApp {
  readonly address: GitHubAddress;
  /** Speaks as the App itself: `/app`, its installations and its deliveries. */
  readonly octokit: GitHubOctokit;
  /** Who this App is; asked once. @throws {GitHubError} `bad-credentials` when id and key do not belong together. */
  identity(): Promise<AppIdentity>;
  /** Sessions of one installation share its token. Only with a run's id can one write, and only with passes of that run. */
  session(installationId: number, log?: Logger, runId?: string): GitHubSession;
}

/** @throws {ConfigurationError} when the private key is none. */
export function createGitHubApp(options: GitHubAppOptions): GitHubApp {
  const { address, clock, fetch, fetchFor, plainFetch, log } = prepared(options, conditionalFetch);
  const credentials = appCredentials({
    appId: options.appId,
    privateKey: options.privateKey,
    baseUrl: address.baseUrl,
    fetch,
    clock,
    log,
    ...(options.onToken === undefined ? {} : { onToken: options.onToken }),
  });
  const octokit = gitHubOctokit(fetch, address, credentials.app, log);
  let known: Promise<AppIdentity> | undefined;
  const identity = async (): Promise<AppIdentity> => {
    known ??= readIdentity(octokit);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return {
    address,
    octokit,
    identity,
    session(installationId, sessionLog = log, runId) {
      const installation = credentials.installation(installationId);
      return {
        octokit: gitHubOctokit(fetchFor(runId), address, installation, sessionLog),
        address,
        origin: address.origin,
        log: sessionLog,
        clock,
        renews: true,
        token: () => installation.token(),
        picture: createPictureFetch({ fetch: plainFetch, origin: address.origin, token: () => installation.token() }),
        botLogin: async () => (await identity()).botLogin,
      };
    },
  };
}

/** A session from a token that somebody else gave: the Action's. It cannot be renewed. */
export function createTokenSession(options: TokenSessionOptions): GitHubSession {
  const { address, clock, fetchFor, plainFetch, log } = prepared(options);
  const credentials: Credentials = { authorization: () => Promise.resolve(`token ${options.token}`), refused: () => false };
  return {
    octokit: gitHubOctokit(fetchFor(options.runId), address, credentials, log),
    address,
    origin: address.origin,
    log,
    clock,
    renews: false,
    token: () => Promise.resolve(options.token),
    picture: createPictureFetch({ fetch: plainFetch, origin: address.origin, token: () => Promise.resolve(options.token) }),
    botLogin: () => Promise.resolve(options.botLogin),
  };
}

/** `around` is put around the fetch of the API. */
function prepared(
  { baseUrl, graphqlUrl, webUrl, ledger, log, fetch = globalThis.fetch, ...options }: GitHubOptions,
  around: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch = (same) => same,
) {
  const { now, sleep, timeLimitMs = TIME_LIMIT_MS } = options;
  const address = gitHubAddress(baseUrl, {
    ...(graphqlUrl === undefined ? {} : { graphqlUrl }),
    ...(webUrl === undefined ? {} : { origin: webUrl }),
  });
  const clock: Clock = { ...systemClock, ...(now && { now }), ...(sleep && { sleep }) };
  const asked = around(fetch);
  const fetchFor = (runId: string | undefined): typeof globalThis.fetch =>
    transport({ address, ledger, fetch: asked, clock, log, timeLimitMs, ...(runId !== undefined && { runId }) });
  return { address, clock, log, fetch: fetchFor(undefined), fetchFor, plainFetch: timedFetch(fetch, timeLimitMs) };
}

async function readIdentity(octokit: GitHubOctokit): Promise<AppIdentity> {
  const { data } = await reading("read the App's own identity", () => octokit.rest.apps.getAuthenticated());
  if (data === null || data.slug === undefined) throw new TypeError("GitHub answered GET /app without a slug");
  return { id: data.id, slug: data.slug, botLogin: `${data.slug}[bot]` };
}
