import { createPrivateKey, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createAppAuth } from "@octokit/auth-app";
import { request } from "@octokit/request";
import { ConfigurationError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { badAnswer, reading } from "./answer.ts";
import type { Clock } from "./clock.ts";
import { octokitLog } from "./octokit.ts";
import type { Credentials } from "./octokit.ts";

/** GitHub refuses a JWT from the future; its own advice is a minute of slack. It accepts ten minutes of life at most. */
const BACKDATED_S = 60;
const LIFE_S = 540;
/** An installation token lives an hour; it is replaced this long before its end. */
const EARLY_MS = 5 * 60_000;

export interface AppCredentials {
  /** The App's own credentials (JWT). */
  readonly app: Credentials;
  /** The credentials of one installation. */
  installation(id: number): Credentials & { token(): Promise<string> };
}

export interface AppCredentialsOptions {
  readonly appId: number | string;
  readonly privateKey: string;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of each token that is issued, so that its value can be masked wherever it might show. */
  readonly onToken?: (token: string) => void;
}

interface StoredToken {
  readonly token: string;
  readonly expiresAt: number;
}

/**
 * The App's JWTs and installation tokens. A clock that GitHub finds wrong is corrected from its Date header. Tokens are kept per
 * installation until five minutes before their end, and callers that ask at once share one request.
 * @throws {ConfigurationError} when the private key is none.
 */
export function appCredentials({ appId, privateKey, baseUrl, fetch, clock, log, onToken }: AppCredentialsOptions): AppCredentials {
  const key = parsedKey(privateKey);
  let skewMs = 0;
  const now = () => clock.now() + skewMs;
  const auth = createAppAuth({
    appId,
    createJwt: () => Promise.resolve(signJwt(key, appId, Math.floor(now() / 1000))),
    request: request.defaults({ baseUrl, request: { fetch } }),
    log: octokitLog(log),
  });
  const adjusted = ({ message, date }: Parameters<Credentials["refused"]>[1]): boolean => {
    const serverTime = Date.parse(date ?? "");
    if (!/'(Issued at|Expiration time)' claim/i.test(message) || Number.isNaN(serverTime)) return false;
    skewMs = serverTime - clock.now();
    log.warn({ skewMs }, "clock differs from GitHub's");
    return true;
  };
  const exchange = async (installationId: number): Promise<StoredToken> => {
    // The library's own cache is passed over: it knows neither our clock nor that a token was refused.
    const ask = () => auth({ type: "installation", installationId, refresh: true });
    const { token, expiresAt } = await ask().catch((error: unknown) => {
      const answer = badAnswer(error);
      if (answer?.status !== 401 || !adjusted({ message: answer.message, date: answer.headers["date"] })) throw error;
      return ask();
    });
    return { token, expiresAt: Date.parse(expiresAt) };
  };
  const held = new Map<number, StoredToken>();
  const asked = new Map<number, Promise<StoredToken>>();
  const current = async (installationId: number): Promise<string> => {
    const known = held.get(installationId);
    if (known !== undefined && known.expiresAt - EARLY_MS > now()) return known.token;
    const under = asked.get(installationId) ?? reading(`get a token for installation ${installationId}`, () => exchange(installationId));
    asked.set(installationId, under);
    try {
      const fresh = await under;
      held.set(installationId, fresh);
      onToken?.(fresh.token);
      return fresh.token;
    } finally {
      asked.delete(installationId);
    }
  };
  return {
    app: {
      authorization: async () => `bearer ${(await auth({ type: "app" })).token}`,
      refused: (_authorization, answer) => adjusted(answer),
    },
    installation: (id) => ({
      token: () => current(id),
      authorization: async () => `token ${await current(id)}`,
      refused(authorization) {
        // Another request may have replaced the refused token meanwhile.
        if (authorization === `token ${held.get(id)?.token}`) held.delete(id);
        return true;
      },
    }),
  };
}

function parsedKey(privateKey: string): KeyObject {
  try {
    // Environment variables often carry the line ends as two characters.
    return createPrivateKey(privateKey.replaceAll("\\n", "\n"));
  } catch (error) {
    throw new ConfigurationError("PRIVATE_KEY is not a private key in PEM form.", {
      code: "private-key-malformed",
      hint: "Generate one on the App's settings page and pass the whole .pem file.",
      cause: error,
    });
  }
}

/** RS256, as GitHub asks of Apps. https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
function signJwt(key: KeyObject, appId: number | string, nowS: number): { readonly jwt: string; readonly expiresAt: string } {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const expires = nowS + LIFE_S;
  const signed = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: nowS - BACKDATED_S, exp: expires, iss: String(appId) })}`;
  return {
    jwt: `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  };
}
