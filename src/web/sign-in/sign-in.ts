import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import { html } from "../html.ts";
import { APPROVALS_PATH, BASE, layOut } from "../layout.ts";
import type { Answer } from "../answer.ts";
import { cookie, cookieOf } from "./requests.ts";
import type { Seal } from "./seal.ts";

/** Somebody who has told GitHub, and GitHub us, who they are. */
export interface Person {
  readonly id: number;
  readonly login: string;
}

/** GitHub's web flow. */
export interface SignInPort {
  address(wish: { readonly state: string; readonly challenge: string }): string;
  identify(code: string, verifier: string): Promise<Person>;
}

export const SIGN_IN_PATH = `${BASE}/sign-in`;
const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
/** Where somebody may be sent once they are signed in. */
const TARGET = /^\/sallyport\/(?:approvals(?:\/[a-z]{5}-[a-z]{5})?|runs\/[0-9a-z]{26}\/replay)$/;

/** Browsers take a cookie with this prefix from this very host alone, and only encrypted or on this machine. */
const SESSION = "__Host-sallyport";
const PENDING = "__Host-sallyport-sign-in";
/** Seconds. Who somebody is holds for an hour; what they may is asked each time. */
const SESSION_FOR = 60 * 60;
const PENDING_FOR = 10 * 60;

/** Signing in and out. Nothing is stored here: a browser keeps who somebody is, sealed. */
export interface SignInDoor {
  /** Who sends this; undefined for whoever is not signed in. */
  personOf(request: Pick<IncomingMessage, "headers">): Person | undefined;
  /** Undefined for every other path. */
  answer(path: string, request: IncomingMessage, parameters: URLSearchParams): Promise<Answer | undefined>;
  /** The header that ends a session in the browser. */
  readonly forgotten: string;
}

export function createSignInDoor({
  port,
  seal,
  log,
}: {
  readonly port: SignInPort;
  readonly seal: Seal;
  readonly log: Logger;
}): SignInDoor {
  function begin(parameters: URLSearchParams): Answer {
    const state = randomBytes(24).toString("base64url");
    const verifier = randomBytes(48).toString("base64url");
    const to = parameters.get("to") ?? "";
    const pending = JSON.stringify({ state, verifier, to: TARGET.test(to) ? to : APPROVALS_PATH });
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return redirect(port.address({ state, challenge }), [cookie(PENDING, seal.close("sign-in", pending, PENDING_FOR), PENDING_FOR)]);
  }

  async function finish(request: IncomingMessage, parameters: URLSearchParams): Promise<Answer> {
    const sealed = cookieOf(request, PENDING);
    const opened = sealed === undefined ? undefined : seal.open("sign-in", sealed);
    const [state, code] = [parameters.get("state"), parameters.get("code")];
    // What was sealed is what `begin` wrote.
    const pending = opened === undefined ? undefined : (JSON.parse(opened) as { state: string; verifier: string; to: string });
    if (pending === undefined || code === null || code.length > 200 || state !== pending.state)
      return refused(400, "This sign-in was not begun in this browser, or more than ten minutes ago.");
    try {
      const { id, login } = await port.identify(code, pending.verifier);
      log.info({ login }, "somebody signed in to the dashboard");
      const session = seal.close("session", JSON.stringify({ id, login }), SESSION_FOR);
      return redirect(pending.to, [cookie(SESSION, session, SESSION_FOR), cookie(PENDING, "", 0)]);
    } catch (error) {
      log.warn({ why: messageOf(error) }, "a sign-in failed");
      return refused(502, "GitHub did not say who you are.");
    }
  }

  return {
    personOf(request) {
      const sealed = cookieOf(request, SESSION);
      const opened = sealed === undefined ? undefined : seal.open("session", sealed);
      return opened === undefined ? undefined : (JSON.parse(opened) as Person);
    },
    async answer(path, request, parameters) {
      if (request.method !== "GET" || (path !== SIGN_IN_PATH && path !== CALLBACK_PATH)) return undefined;
      return path === SIGN_IN_PATH ? begin(parameters) : finish(request, parameters);
    },
    forgotten: cookie(SESSION, "", 0),
  };
}

function redirect(location: string, cookies: readonly string[]): Answer {
  return { status: 303, body: "", headers: { location, "set-cookie": cookies } };
}

function refused(status: number, why: string): Answer {
  const body = html`<p>${why} <a href="${APPROVALS_PATH}">Begin again</a></p>`;
  return { status, body: layOut({ title: "Not signed in", nav: false, body }) };
}
