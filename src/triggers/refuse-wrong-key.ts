import { ConfigurationError } from "../core/errors.ts";

/** Milliseconds in which a wrong key is noticed at the start. */
const IDENTITY_WITHIN_MS = 2_000;

/** Stops the start for credentials that GitHub refuses; a GitHub that cannot be reached now may be reached later. */
export async function refuseWrongKey(identity: () => Promise<unknown>): Promise<void> {
  const asked = identity().catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error;
  });
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, IDENTITY_WITHIN_MS).unref())]);
  // A refusal that comes later stands in the log, and deliveries are answered 503.
  asked.catch(() => undefined);
}
