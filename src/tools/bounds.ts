/** How many UTF-8 bytes a tool shows at once: about a third of what a result may be, so that several reads fit into a conversation. */
export const SHOWN_BYTES = 30_000;

/** The length of the longest start of `bytes` within `limit` that does not end inside a UTF-8 character. */
export function cutAtCharacter(bytes: Uint8Array, limit: number): number {
  if (bytes.length <= limit) return bytes.length;
  let end = limit;
  // A character has at most three continuation bytes; more of them are no UTF-8 and may be cut anywhere.
  for (let back = 0; back < 3 && isContinuation(bytes[end]); back++) end--;
  return isContinuation(bytes[end]) ? limit : end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** The first lines of a text within `limit` bytes, and how many of its lines they are. A first line that is too long is cut. */
export function keepLines(text: string, limit = SHOWN_BYTES): { readonly text: string; readonly shown: number; readonly total: number } {
  const bytes = Buffer.from(text);
  const total = countLines(bytes);
  if (bytes.length <= limit) return { text, shown: total, total };
  const lastBreak = bytes.lastIndexOf(0x0a, limit - 1);
  const end = lastBreak < 0 ? cutAtCharacter(bytes, limit) : lastBreak + 1;
  return { text: bytes.toString("utf8", 0, end), shown: lastBreak < 0 ? 0 : countLines(bytes.subarray(0, end)), total };
}

/** A text of at most `limit` UTF-16 units, never cut inside a character, with a mark where it was cut. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

/** Lines as editors count them: a final line break ends the last line and begins none. */
export function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== 0x0a ? lines + 1 : lines;
}
