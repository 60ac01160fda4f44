import { randomBytes } from "node:crypto";
import { repositoryOf, takeId, type Account, type Permissions, type World } from "../state.ts";

const HOUR_MS = 3_600_000;

/** Makes an account, or answers the one there is. Logins have no case; one that ends with `[bot]` is a bot's. */
export function addUser(world: World, login: string, type: Account["type"] = login.endsWith("[bot]") ? "Bot" : "User"): Account {
  const key = login.toLowerCase();
  const known = world.accounts.get(key);
  if (known) return known;
  const account: Account = { login, id: takeId(world), type };
  world.accounts.set(key, account);
  return account;
}

export interface TokenOptions {
  /** Who it speaks for; the App's bot when absent, and then it is an installation token. */
  readonly login?: string;
  readonly permissions?: Permissions;
  /** Full names; every repository when absent. */
  readonly repositories?: readonly string[];
  /** Lifetime in milliseconds; an hour when absent. Negative for one that has expired. */
  readonly lifetimeMs?: number;
}

/** Makes a token as GitHub would hand it out: `ghs_…` for the App's installation or any other bot, `ghp_…` for a person. */
export function addToken(world: World, { login, permissions, repositories, lifetimeMs = HOUR_MS }: TokenOptions = {}): string {
  const account = addUser(world, login ?? world.app.botLogin);
  const kind = account.type === "Bot" ? "installation" : "user";
  const token = `${kind === "installation" ? "ghs" : "ghp"}_${randomBytes(18).toString("hex")}`;
  world.tokens.set(token, {
    kind,
    login: account.login,
    // No token is without this one.
    permissions: { metadata: "read", ...(permissions ?? world.app.permissions) },
    repositoryIds: repositories?.map((name) => repositoryOf(world, name).id),
    expiresAt: Date.now() + lifetimeMs,
  });
  return token;
}
