import { readEscapes } from "./escapes.ts";
import { secretParts } from "./secret-parts.ts";

/** Any run of this many letters and digits of a held secret gives it away. */
const RUN = 12;
/** A run of fewer different characters than this is no secret: it would match padding. */
const LEAST_VARIETY = 6;
const RADIX = 36;
const FILTER_SIZE = RADIX ** 4;

/** Answers whether a text holds a run of a held secret, plain or in an encoding that a reader could undo. Linear in the text's length. */
export type HeldMatcher = (text: string) => boolean;

/** Builds matchers and keeps the last one: building costs some milliseconds, and the values change once an hour. */
export function createHeldMatcher(): (values: readonly string[]) => HeldMatcher {
  let last: { readonly key: string; readonly matcher: HeldMatcher } | undefined;
  return (values) => {
    const key = JSON.stringify(values);
    if (last?.key !== key) last = { key, matcher: matchHeld(values) };
    return last.matcher;
  };
}

/**
 * Builds a matcher for the values of held secrets. Both sides are reduced to lower-case letters and digits, so splitting by blanks, quotes,
 * plus signs, emphasis, line breaks or invisible characters hides nothing; known are also reversal, base64 at its three offsets, hex,
 * base32, letters rotated by thirteen, binary digits, the first letters of lines, percent escapes, HTML entities, escapes of programming languages, full-width and tag characters, and one character a word.
 * Values with fewer than twelve letters and digits are not looked for: they would match ordinary words.
 */
export function matchHeld(values: readonly string[]): HeldMatcher {
  const runs = new Set<string>();
  const hexRuns = new Set<string>();
  for (const part of values.flatMap(secretParts)) {
    addRuns(runs, reduce(part), RUN);
    addRuns(runs, reduce(Array.from(part).reverse().join("")), RUN);
    for (const encoded of [...base64Forms(part), ...base32Forms(part), rotated(part)]) addRuns(runs, reduce(encoded), RUN);
    addRuns(hexRuns, Buffer.from(part).toString("hex"), 2 * RUN);
  }
  if (runs.size === 0) return () => false;
  const filter = new Uint8Array(FILTER_SIZE);
  for (const run of [...runs, ...hexRuns]) filter[codeOf(run)] = 1;
  return (text) => views(text).some((view) => hasRun(view, runs, hexRuns, filter));
}

function hasRun(text: string, runs: ReadonlySet<string>, hexRuns: ReadonlySet<string>, filter: Uint8Array): boolean {
  let code = 0;
  for (let index = 0; index < text.length; index++) {
    code = (code * RADIX + digitOf(text.charCodeAt(index))) % FILTER_SIZE;
    if (index < 3 || filter[code] === 0) continue;
    const start = index - 3;
    if (runs.has(text.slice(start, start + RUN)) || hexRuns.has(text.slice(start, start + 2 * RUN))) return true;
  }
  return false;
}

/** The first four characters as one number: the filter's key. */
function codeOf(run: string): number {
  return [0, 1, 2, 3].reduce((code, index) => code * RADIX + digitOf(run.charCodeAt(index)), 0);
}

/** 0–9 for digits, 10–35 for lower-case letters. */
function digitOf(unit: number): number {
  return unit < 58 ? unit - 48 : unit - 87;
}

function addRuns(runs: Set<string>, text: string, length: number): void {
  for (let start = 0; start + length <= text.length; start++) {
    const run = text.slice(start, start + length);
    if (new Set(run).size >= LEAST_VARIETY && !isCounting(run)) runs.add(run);
  }
}

/** A run that mostly counts up or down (`0123456789ab`) stands in ordinary files, and says nothing of a secret that holds it. */
function isCounting(run: string): boolean {
  let steps = 0;
  for (let index = 1; index < run.length; index++) if (Math.abs(run.charCodeAt(index) - run.charCodeAt(index - 1)) === 1) steps++;
  return steps >= run.length - 4;
}

/** The forms in which a text is looked at, each reduced: as it stands, decoded once and twice, and its words of one character. */
function views(text: string): readonly string[] {
  const once = readEscapes(text);
  const twice = once === text ? once : readEscapes(once);
  return [...new Set([text, once, twice])].flatMap((form) => {
    const plain = readable(form);
    return [
      reduce(plain),
      ...hidden(plain).map(reduce),
      (plain.match(/(?<![A-Za-z0-9])[A-Za-z0-9](?![A-Za-z0-9])/g) ?? []).join("").toLowerCase(),
    ];
  });
}

/** What a text holds as binary digits, and as the first letters of its lines. */
function hidden(text: string): readonly string[] {
  const bits = (text.match(/(?:[01]{8}[\s,_-]{0,2}){12,}/g) ?? []).map((run) =>
    (run.match(/[01]{8}/g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join(""),
  );
  const initials = Array.from(text.matchAll(/^[^\S\n]{0,8}(?:[-*>#.]{1,3} ?)?(\S)/gm), ([, initial]) => initial).join("");
  return [...bits, ...(initials.length >= RUN ? [initials] : [])];
}

/** Letters thirteen places further. */
function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)));
}

/** Base32 of the text at each offset of a longer one, without the characters that its neighbours share. Source: RFC 4648. */
function base32Forms(text: string): readonly string[] {
  return [0, 1, 2, 3, 4].map((offset) => {
    const bits = Array.from(Buffer.from(`${"\0".repeat(offset)}${text}`), (byte) => byte.toString(2).padStart(8, "0")).join("");
    const letters = (bits.match(/[01]{5}/g) ?? []).map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]);
    return letters.slice(Math.ceil((offset * 8) / 5)).join("");
  });
}

/** Compatibility forms (full width and the like) and tag characters as the letters they show. */
function readable(text: string): string {
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  return text.normalize("NFKC").replace(/[\u{e0020}-\u{e007e}]/gu, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000));
}

function reduce(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, "").toLowerCase();
}

/** Base64 of the text as it would stand at each offset of a longer one, without the characters that its neighbours share. */
function base64Forms(text: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${"\0".repeat(offset)}${text}`).toString("base64");
    const end = encoded.endsWith("=") ? encoded.replace(/=+$/, "").length - 1 : encoded.length;
    return encoded.slice(offset === 0 ? 0 : offset + 1, end);
  });
}
