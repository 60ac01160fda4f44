import type { SecretMatch } from "./match.ts";
import { isPlaceholder } from "./placeholder.ts";

/** A name that ends in a word for a credential, an assignment, and a value in quotes or to the end of the word. Bounded, so linear. */
const ASSIGNMENT =
  /(?:secret|token|passwd|password|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?)["'`\]]{0,2}[ \t]{0,8}(?::=|=>|[=:])[ \t]{0,8}(?:Bearer |Basic )?["'`]?([A-Za-z0-9+/_.~-]{20,200}={0,2})(?=["'`\s,;)}\]]|$)/gi;
/** Values of these names are public, or name a thing and are not one. */
const PUBLIC =
  /(?:public|csrf|xsrf|page|next|continuation|cursor|cancel|cancellation|design|syntax|sync|lex|bpe|css)[_-]?token|public[_-]?key/i;
/** Where made-up values are at home: there they are pointed out and no more. */
const MADE_UP =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|fixtures?|mocks?|__mocks__|examples?|samples?|docs?|snapshots?|stories|testdata|e2e|cypress)(?:[/._-]|$)|\.(?:md|mdx|rst|adoc)$/i;
const HEX = /^[0-9a-f]+$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Bits for each character that random text of mixed letters and digits has at these lengths, and words do not. */
const LEAST_ENTROPY = 3.7;
const LEAST_HEX_ENTROPY = 2.9;
/** Shorter values are not rarely a sample, or a hash of something known. */
const SURE_LENGTH = 24;
/** How much before a match is looked at for the name's beginning. */
const NAME_BEFORE = 24;

/**
 * Values that look random, assigned to a name for a credential: what has no issuer's prefix. A sure sign only when the value is long and of
 * mixed characters; elsewhere a hint.
 */
export function findAssignments(path: string, text: string): readonly SecretMatch[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap(({ 0: whole, 1: value = "", index }) => {
    const name = text.slice(Math.max(0, index - NAME_BEFORE), index + 16);
    if (PUBLIC.test(name) || !isRandom(value) || isPlaceholder(value)) return [];
    const isHint = MADE_UP.test(path) || UUID.test(value) || value.length < SURE_LENGTH;
    return [
      {
        kind: "credential in a variable",
        value,
        index: index + whole.indexOf(value),
        severity: isHint ? ("warn" as const) : ("block" as const),
      },
    ];
  });
}

/** Whether a value is of mixed characters in no order: no words, no path, no version, no identifier in camel case. */
function isRandom(value: string): boolean {
  // A name within another: a type, a function of a module.
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value)) return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (HEX.test(value)) return value.length >= 32 && digits >= 4 && digits < value.length && entropyOf(value) >= LEAST_HEX_ENTROPY;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || digits < 2) return false;
  // Words of a path or a dotted name are long and without digits; a random text has none of six lower-case letters in a row but by chance.
  const words = value.match(/[a-z]{5,}/g)?.join("").length ?? 0;
  return words < value.length / 3 && entropyOf(value) >= LEAST_ENTROPY;
}

/** Shannon entropy in bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
