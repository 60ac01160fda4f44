import { ConfigurationError, messageOf, SallyportError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Identity } from "./accept.ts";

/** Milliseconds after a failed attempt in which nobody is asked again: a flood of deliveries must not become a flood of requests. */
const PAUSE = 1000;

export interface IdentityOptions {
  /** Asks GitHub for the App itself (`GET /app`). */
  readonly ask: () => Promise<{ readonly id: number; readonly slug: string; readonly botLogin: string }>;
  readonly log: Logger;
  /** Milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Who the bot is, asked when first needed and kept. While GitHub cannot be reached each call rejects, and a later one asks again.
 * @throws {ConfigurationError} when GitHub does not take id and key: the start should stop with it.
 */
export function createIdentity({ ask, log, now = Date.now }: IdentityOptions): () => Promise<Identity> {
  let known: Promise<Identity> | undefined;
  let failed: { readonly at: number; readonly error: unknown } | undefined;

  async function learn(): Promise<Identity> {
    try {
      const { id, slug, botLogin } = await ask();
      return { appId: id, appSlug: slug, botLogin };
    } catch (error) {
      const meant = asConfiguration(error);
      failed = { at: now(), error: meant };
      known = undefined;
      log.error({ why: messageOf(meant) }, "the App could not be identified at GitHub; deliveries are answered 503 until it can");
      throw meant;
    }
  }

  return () => {
    if (known !== undefined) return known;
    if (failed !== undefined && now() - failed.at < PAUSE) return Promise.reject(failed.error);
    known = learn();
    return known;
  };
}

function asConfiguration(error: unknown): unknown {
  if (!(error instanceof SallyportError) || error.code !== "bad-credentials") return error;
  return new ConfigurationError("APP_ID and PRIVATE_KEY do not belong together: GitHub refused them (401 on GET /app).", {
    code: "bad-credentials",
    hint: "Compare the App ID, and the fingerprint of the key, with those on the App's settings page; GHE_HOST must name the GitHub that the App lives on.",
    cause: error,
  });
}
