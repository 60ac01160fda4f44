import { stripHidden } from "../../text/hidden.ts";
import { untrusted } from "../../text/untrusted.ts";
import { shorten } from "../bounds.ts";

/** UTF-16 units of a name or title that stands in a line of ours. */
const LONGEST_LINE = 300;

/** What an envelope says of the text in it; values are hostile too. */
export type EnvelopeFacts = Readonly<Record<string, string | number | undefined>>;

/** Wraps a text of GitHub's as data that names where it is from. */
export function envelope(facts: EnvelopeFacts, text: string): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined);
  return untrusted("github", Object.fromEntries(shown.map(([name, value]) => [name, oneLine(String(value))])), text);
}

/** A name or title as a part of one line. */
export function oneLine(text: string): string {
  return shorten(stripHidden(text).replace(/\s+/g, " ").trim().replaceAll('"', "'").replace(/[<>]/g, ""), LONGEST_LINE);
}

/** What people see of a Markdown text, as far as it fits, and how much more there is. */
export function cutText(text: string, longest: number): string {
  const seen = stripHidden(text);
  return seen.length <= longest ? seen : `${shorten(seen, longest)}\n[${seen.length - longest} more characters are left out]`;
}

/** The last of the texts that fit. */
export function newest(texts: readonly string[], room: number): readonly string[] {
  let left = room;
  let from = texts.length;
  while (from > 0) {
    left -= Buffer.byteLength(texts[from - 1] ?? "") + 1;
    if (left < 0) break;
    from--;
  }
  return texts.slice(from);
}
