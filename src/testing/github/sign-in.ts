import { createHash, randomBytes } from "node:crypto";
import type { Caller } from "./access/authenticate.ts";
import { ApiError } from "./api-error.ts";
import { accountOf, publicUserPayload } from "./payloads/account.ts";
import type { RecordedRequest } from "./record.ts";
import { ok, type Answer } from "./route.ts";
import { addToken, addUser } from "./seed/accounts.ts";
import type { World } from "./state.ts";

/** Who sits at the browser, signed in to GitHub, and where the App's settings say that people come back to: where its manifest says so when left out. */
export interface Visitor {
  readonly login: string;
  readonly callback?: string;
}

/** From now on this account confirms at once whatever an App asks it for. */
export function browseAs(world: World, visitor: Visitor): void {
  addUser(world, visitor.login);
  world.visitor = visitor;
}

/**
 * GitHub's pages of the web flow: one that sends the visitor back with a code and their state, one that changes a code, once, into a token, for
 * whoever holds the verifier of its challenge. Undefined for every other page.
 */
export function answerSignIn(world: World, request: RecordedRequest): Answer | undefined {
  const { method, path, query, body } = request;
  const { visitor, client } = world;
  if (method === "GET" && path === "/login/oauth/authorize" && visitor !== undefined) {
    const callback = visitor.callback ?? client?.callback;
    if (callback === undefined || (client !== undefined && query["client_id"] !== client.id)) return undefined;
    const code = randomBytes(10).toString("hex");
    world.signInCodes.set(code, { login: visitor.login, challenge: query["code_challenge"] ?? "" });
    const location = new URL(callback);
    location.searchParams.set("code", code);
    if (query["state"] !== undefined) location.searchParams.set("state", query["state"]);
    return { status: 302, headers: { location: location.href } };
  }
  if (method !== "POST" || path !== "/login/oauth/access_token" || typeof body !== "string") return undefined;
  const form = new URLSearchParams(body);
  if (client !== undefined && (form.get("client_id") !== client.id || form.get("client_secret") !== client.secret))
    return ok({ error: "incorrect_client_credentials" });
  const asked = world.signInCodes.get(form.get("code") ?? "");
  world.signInCodes.delete(form.get("code") ?? "");
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (asked === undefined || asked.challenge !== challenge) return ok({ error: "bad_verification_code" });
  return ok({ access_token: addToken(world, { login: asked.login }), token_type: "bearer", scope: "" });
}

/** Who a token speaks for. */
export function answerUser(world: World, caller: Caller): Answer {
  if (caller.kind !== "user") throw new ApiError(401, "Requires authentication");
  return ok(publicUserPayload(world, accountOf(world, caller.login)));
}
