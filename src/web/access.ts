import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Whether somebody may look. `why` is for them to read. */
export type Access =
  | { readonly ok: true; /** By what they may. */ readonly by: "token" | "machine" }
  | { readonly ok: false; readonly status: 401 | 403; readonly why: string };

export type JudgeAccess = (request: Pick<IncomingMessage, "headers" | "headersDistinct" | "socket">) => Access;

/** What a proxy adds. Whoever comes through one is not on this machine, whatever the header says. */
const FORWARDING = /^(?:forwarded|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-original-.*|via|true-client-ip|cf-connecting-ip)$/;
const LOOPBACK_PEER = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * The one rule of who may see pages. With a token only the token opens them, as a bearer or as the password of HTTP basic authentication, on
 * this machine too; an empty token opens them to nobody. Without one they are for callers on this machine alone.
 */
export function createAccess({ token }: { readonly token?: string }): JudgeAccess {
  return token === undefined ? judgeLoopback : withToken(token);
}

function withToken(token: string): JudgeAccess {
  const expected = digest(token);
  return ({ headers }) => {
    const presented = presentedToken(headers.authorization);
    // Digests have one length, so that the comparison tells nothing, the token's length included.
    if (presented !== undefined && presented !== "" && timingSafeEqual(digest(presented), expected)) return { ok: true, by: "token" };
    return { ok: false, status: 401, why: "Give SALLYPORT_DASHBOARD_TOKEN as the password; any user name will do." };
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Source: RFC 6750 2.1, RFC 7617 2: the name of a scheme has no case, a password may hold colons, a user name none. */
function presentedToken(authorization: string | undefined): string | undefined {
  const [, scheme, credentials] = /^(bearer|basic) +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (scheme === undefined || credentials === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer") return credentials;
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : pair.slice(colon + 1);
}

function judgeLoopback({ headers, headersDistinct, socket }: Parameters<JudgeAccess>[0]): Access {
  const refuse = (why: string): Access => ({ ok: false, status: 403, why });
  const isFar = !LOOPBACK_PEER.test(socket.remoteAddress ?? "") || Object.keys(headers).some((name) => FORWARDING.test(name));
  if (isFar) {
    return refuse(
      "Without SALLYPORT_DASHBOARD_TOKEN the dashboard answers the machine it runs on alone. Set that variable to look from elsewhere.",
    );
  }
  // A page of somebody else's can make a browser here ask for a name of theirs that leads to this machine (DNS rebinding).
  const hosts = headersDistinct["host"] ?? [];
  if (hosts.length === 1 && LOOPBACK_HOST.test(hosts[0] ?? "")) return { ok: true, by: "machine" };
  return refuse(
    "Without SALLYPORT_DASHBOARD_TOKEN the dashboard answers to localhost and 127.0.0.1 alone, not to other names of this machine.",
  );
}
