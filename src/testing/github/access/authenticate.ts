import { verify } from "node:crypto";
import type { Permissions, World } from "../state.ts";

/** Who asks. `refused` is a credential that GitHub answers with 401, and why. */
export type Caller =
  | { readonly kind: "none" }
  | { readonly kind: "app"; readonly login: string }
  | {
      readonly kind: "installation";
      readonly login: string;
      readonly permissions: Permissions;
      readonly repositoryIds: readonly number[] | undefined;
    }
  | { readonly kind: "user"; readonly login: string }
  | { readonly kind: "refused"; readonly why: string };

/** Longest time that an App's token may be valid for, in seconds. Source: https://docs.github.com/apps (generating a JWT) */
const LONGEST_JWT_SECONDS = 600;
/** How far the two clocks may differ, in seconds. */
const CLOCK_SKEW_SECONDS = 1;

/** Reads an `authorization` header: `Bearer` or `token` of the API, or git's `Basic`. */
export function authenticate(world: World, authorization: string | undefined): Caller {
  if (authorization === undefined) return { kind: "none" };
  const credential = credentialOf(authorization);
  if (credential.split(".").length === 3) return authenticateApp(world, credential);
  const token = world.tokens.get(credential);
  if (!token || token.expiresAt <= Date.now()) return { kind: "refused", why: "Bad credentials" };
  const { login, permissions, repositoryIds } = token;
  return token.kind === "user" ? { kind: "user", login } : { kind: "installation", login, permissions, repositoryIds };
}

function credentialOf(authorization: string): string {
  const basic = /^basic\s+(.+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return authorization.replace(/^(bearer|token)\s+/i, "");
  const [, ...password] = Buffer.from(basic, "base64").toString().split(":");
  return password.join(":");
}

function authenticateApp(world: World, jwt: string): Caller {
  const undecodable: Caller = { kind: "refused", why: "A JSON web token could not be decoded" };
  const [header = "", claims = "", signature = ""] = jwt.split(".");
  if (readJson(header)?.["alg"] !== "RS256") return undecodable;
  if (!verify("RSA-SHA256", Buffer.from(`${header}.${claims}`), world.app.publicKey, Buffer.from(signature, "base64url")))
    return undecodable;
  const { iat, exp, iss } = readJson(claims) ?? {};
  const now = Date.now() / 1000;
  if (typeof iat !== "number" || iat > now + CLOCK_SKEW_SECONDS) {
    const rule = "must be an Integer representing the time that the assertion was issued";
    return { kind: "refused", why: `'Issued at' claim ('iat') ${rule}` };
  }
  if (typeof exp !== "number" || exp <= now) {
    const rule = "must be a numeric value representing the future time at which the assertion expires";
    return { kind: "refused", why: `'Expiration time' claim ('exp') ${rule}` };
  }
  if (exp > now + LONGEST_JWT_SECONDS + CLOCK_SKEW_SECONDS) {
    return { kind: "refused", why: "'Expiration time' claim ('exp') is too far in the future" };
  }
  if (String(iss) !== String(world.app.id)) return { kind: "refused", why: "'Issuer' claim ('iss') must be the App's id" };
  return { kind: "app", login: world.app.botLogin };
}

function readJson(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
