import { LONGEST_SCANNED } from "../blocks.ts";
import { boundText } from "../bound.ts";
import { cleanOutgoing } from "./clean.ts";
import type { Cleaned, OutgoingPolicy } from "./policy.ts";

/** Cuts after which a text is given up: each cut may make live what was code, and what makes that inert takes room again. */
const MOST_CUTS = 4;

/** `cleanOutgoing`, with the result at most `limit` bytes long; `note` says in the last line what was cut, as `boundText` does. */
export function cleanAndBound(text: string, policy: OutgoingPolicy, limit: number, note: string): Cleaned {
  // Too long to be read as Markdown: cut before it is cleaned.
  const whole = cleanOutgoing(text.length > LONGEST_SCANNED ? boundText(text, limit, note) : text, policy);
  let current = whole.text;
  for (let cut = 0; cut < MOST_CUTS; cut += 1) {
    if (Buffer.byteLength(current) <= limit) return { text: current, removed: whole.removed };
    current = cleanOutgoing(boundText(current, Math.floor(limit * (1 - cut / 4)), note), policy).text;
  }
  return { text: boundText(" ".repeat(limit + 1), limit, note).trim(), removed: whole.removed };
}
