import { z } from "zod";
import { messageOf, SallyportError } from "../core/errors.ts";
import { TIME_LIMIT_MS } from "./time-limit.ts";

/** Who somebody is on GitHub. */
export interface SignedIn {
  readonly id: number;
  readonly login: string;
}

export interface SignInOptions {
  /** The App's own, from its settings page. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** GitHub's web pages and its API, without a final slash. */
  readonly webUrl: string;
  readonly apiUrl: string;
  /** Told of the token, so that its value is masked wherever it might show. */
  readonly onToken?: (token: string) => void;
  readonly fetch?: typeof fetch;
}

/** How people tell who they are: GitHub's web flow, by which nothing but their name is learnt. */
export interface SignIn {
  /** Where they are sent. `challenge` is the SHA-256 of the verifier, base64url. */
  address(wish: { readonly state: string; readonly challenge: string }): string;
  /**
   * Who has come back with this code. Their token is used once and then forgotten.
   * @throws {SallyportError} when GitHub does not say.
   */
  identify(code: string, verifier: string): Promise<SignedIn>;
}

const tokenSchema = z.object({ access_token: z.string().min(1).max(1000) });
const userSchema = z.object({ id: z.int().positive(), login: z.string().regex(/^[\w-]{1,100}$/), type: z.literal("User") });

/**
 * Signs people in as the App's users. GitHub sends them back to the first callback address of the App's settings: no address of this server
 * is taken from a request. Source: https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
 */
export function createSignIn({ clientId, clientSecret, webUrl, apiUrl, onToken, fetch = globalThis.fetch }: SignInOptions): SignIn {
  const ask = async (url: string, init: RequestInit): Promise<unknown> => {
    let response: Response;
    try {
      response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    } catch (error) {
      throw unknown(`GitHub did not answer: ${messageOf(error)}.`);
    }
    // An error of the parser would quote what may hold a token.
    return response.ok ? await response.json().catch(() => undefined) : undefined;
  };
  return {
    address({ state, challenge }) {
      const parameters = { client_id: clientId, state, code_challenge: challenge, code_challenge_method: "S256", allow_signup: "false" };
      return `${webUrl}/login/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
    },
    async identify(code, verifier) {
      const given = await ask(`${webUrl}/login/oauth/access_token`, {
        method: "POST",
        headers: { accept: "application/json", "user-agent": "sallyport" },
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code, code_verifier: verifier }),
      });
      const token = tokenSchema.safeParse(given);
      if (!token.success) throw unknown("GitHub did not take the code that you came back with.");
      onToken?.(token.data.access_token);
      const user = userSchema.safeParse(
        await ask(`${apiUrl}/user`, {
          headers: { accept: "application/vnd.github+json", authorization: `Bearer ${token.data.access_token}`, "user-agent": "sallyport" },
        }),
      );
      if (!user.success) throw unknown("GitHub did not say that you are a person.");
      return { id: user.data.id, login: user.data.login };
    },
  };
}

/** Without the answer, which may hold a token. */
function unknown(what: string): SallyportError {
  return new SallyportError(what, { code: "sign-in-failed", hint: "Begin again from the approvals page." });
}
