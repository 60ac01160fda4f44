import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { listedKeys } from "../store/receipts.ts";
import type { Executor } from "../store/sql.ts";

const PATH = "/.well-known/sallyport-keys.json";

/** Whether a request asks for the keys by which receipts are verified. */
export const isKeysPage = ({ url = "/" }: Pick<IncomingMessage, "url">): boolean => url.split("?")[0] === PATH;

/**
 * The public keys of this server, and of all machines that share its database, as a JSON Web Key Set. For everybody: that is what public keys are
 * for, and nothing else stands there. Never rejects. Source: RFC 7517 5, RFC 8037 2
 */
export function createKeysPage({ database, log }: { readonly database: Executor; readonly log: Logger }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const say = (status: number, type: string, text: string, headers: Readonly<Record<string, string>> = {}): void => {
      // What was not read of the body must not be taken for the next request.
      if (!request.complete) response.setHeader("connection", "close");
      response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "x-content-type-options": "nosniff", ...headers });
      response.end(text);
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      return say(405, "text/plain", "keys are asked with GET\n", { allow: "GET, HEAD" });
    }
    try {
      const keys = (await listedKeys(database)).map(({ kid, x, addedAt, usedAt }) => ({
        kty: "OKP",
        crv: "Ed25519",
        x,
        kid,
        use: "sig",
        alg: "EdDSA",
        added_at: addedAt.toISOString(),
        used_at: usedAt.toISOString(),
      }));
      say(200, "application/json", `${JSON.stringify({ keys }, null, 2)}\n`, { "cache-control": "public, max-age=300" });
    } catch (error) {
      log.warn({ why: messageOf(error) }, "the keys could not be told");
      say(503, "text/plain", "the keys could not be told\n", { "cache-control": "no-store" });
    }
  };
}
