import { createHmac, timingSafeEqual } from "node:crypto";

const SHAPE = /^sha256=[0-9a-f]{64}$/;

/**
 * Whether a delivery's `X-Hub-Signature-256` was made over exactly these bytes with one of the secrets. Every secret is tried in constant time;
 * the older `X-Hub-Signature` (SHA-1) is never asked. Source: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function isSigned(bytes: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  if (!SHAPE.test(signature)) return false;
  const given = Buffer.from(signature.slice("sha256=".length), "hex");
  let isGood = false;
  for (const secret of secrets) {
    if (secret !== "" && timingSafeEqual(createHmac("sha256", secret).update(bytes).digest(), given)) isGood = true;
  }
  return isGood;
}
