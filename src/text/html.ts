/** A piece of inline HTML: a tag (`html`), an address in angle brackets (`link`), or markup that is never shown (`comment`). */
export interface Html {
  readonly kind: "html" | "comment" | "link";
  readonly end: number;
  readonly tag?: { readonly name: string; readonly closing: boolean; /** An `a` with an address. */ readonly link: boolean };
}

/** Longest tag that is read, in UTF-16 units; a longer one is text. */
const LONGEST_TAG = 8192;
const OPEN = /^<([a-z][a-z0-9-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/i;
const CLOSE = /^<\/([a-z][a-z0-9-]*)\s*>/i;
const ADDRESS = /^<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>\u0000-\u0020]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+)>/i;
/** Opening and closing of what a page never shows, with where the search for the end begins. Source: CommonMark 6.6. */
const UNSEEN: readonly (readonly [string, string, number])[] = [
  ["<!--", "-->", 2],
  ["<?", "?>", 2],
  ["<![CDATA[", "]]>", 9],
];

/**
 * Reads the HTML that starts at `at`, where a `<` stands, and ends before `end`.
 * `missing` remembers across calls on one block which ends are nowhere ahead, so that hostile repetition is not searched again.
 */
export function readHtml(text: string, at: number, end: number, missing: Set<string>): Html | undefined {
  for (const [opening, closing, skip] of UNSEEN) {
    if (text.startsWith(opening, at)) return readUnseen(text, at + skip, end, closing, missing);
  }
  if (/[A-Za-z]/.test(text.charAt(at + 2)) && text[at + 1] === "!") return readUnseen(text, at + 2, end, ">", missing);
  const ahead = text.slice(at, Math.min(end, at + LONGEST_TAG));
  const tag = OPEN.exec(ahead) ?? CLOSE.exec(ahead);
  if (tag !== null) {
    const whole = tag[0];
    const name = (tag[1] ?? "").toLowerCase();
    return { kind: "html", end: at + whole.length, tag: { name, closing: whole[1] === "/", link: /\shref\s*=/i.test(whole) } };
  }
  const address = ADDRESS.exec(ahead);
  return address === null ? undefined : { kind: "link", end: at + address[0].length };
}

function readUnseen(text: string, from: number, end: number, closing: string, missing: Set<string>): Html | undefined {
  if (missing.has(closing)) return undefined;
  // Within the block only: a search through all that follows would make many blocks cost the square of their number.
  const found = text.slice(from, end).indexOf(closing);
  if (found >= 0) return { kind: "comment", end: from + found + closing.length };
  missing.add(closing);
  return undefined;
}
