import { byteMatches, lineAt } from "./byte-matches.ts";
import { explainMiss } from "./explain-miss.ts";

export interface Edit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
}

/** `lines`: where the replaced texts stood, 1-based, the first few. A refused edit has changed nothing. */
export type EditOutcome =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly replaced: number; readonly lines: readonly number[] }
  | { readonly ok: false; readonly why: string };

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** How many line numbers an answer names. */
const NAMED_LINES = 10;
/** How many bytes one edit may add: a guard for this process, not a policy; that is the gate's. */
const MOST_ADDED = 64 * 1024 * 1024;

/**
 * Replaces the exact bytes of one text by another. Pure, linear, never fuzzy: it works on bytes, so what is no UTF-8 elsewhere in the file stays
 * as it is, and replacements are literal. A byte order mark is neither added nor lost. In a file that uses CRLF throughout, line feeds of
 * both strings stand for CRLF.
 */
export function applyEdit(file: Uint8Array, { oldString, newString, replaceAll = false }: Edit): EditOutcome {
  if (oldString === "")
    return refused("old_string is empty. It must be text that stands in the file; write_file makes a new file or replaces a whole one.");
  if (oldString === newString) return refused("old_string and new_string are the same, so nothing would change.");
  const inFile = usesCrlfThroughout(file) ? toCrlf : asItIs;
  const needle = Buffer.from(inFile(oldString));
  const fresh = Buffer.from(inFile(newString));
  const found = byteMatches(file, needle);
  if (found.length === 0) return refused(`old_string was not found. ${alreadyThere(file, fresh)}${explainMiss(file, oldString)}`);
  if (found.length > 1 && !replaceAll) {
    return refused(
      `old_string stands ${found.length} times in the file (${namedLines(file, found)}). Add neighbouring lines until it stands once, or set replace_all.`,
    );
  }
  const places = withoutOverlaps(found, needle.length);
  if (places.length * (fresh.length - needle.length) > MOST_ADDED)
    return refused(`new_string would be put in ${places.length} places; the file would grow by more than 64 MiB.`);
  const bytes = keepByteOrderMark(file, replaceAt(file, places, needle.length, fresh));
  if (Buffer.compare(bytes, file) === 0)
    return refused("Nothing would change: the byte order mark and the line endings of the file stay as they are.");
  return { ok: true, bytes, replaced: places.length, lines: places.slice(0, NAMED_LINES).map((offset) => lineAt(file, offset)) };
}

/** Shorter texts stand in a file by chance. */
const TELLING_BYTES = 12;

/** Models repeat an edit whose answer they lost sight of: what they wanted stands there already. */
function alreadyThere(file: Uint8Array, fresh: Uint8Array): string {
  const [offset] = fresh.length < TELLING_BYTES ? [] : byteMatches(file, fresh, 1);
  return offset === undefined ? "" : `new_string already stands at line ${lineAt(file, offset)}, so the edit may have been made before. `;
}

function refused(why: string): EditOutcome {
  return { ok: false, why };
}

/** Whether there are line feeds and each follows a carriage return. */
export function usesCrlfThroughout(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(LINE_FEED);
  if (at < 0) return false;
  for (; at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) if (bytes[at - 1] !== CARRIAGE_RETURN) return false;
  return true;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function asItIs(text: string): string {
  return text;
}

function withoutOverlaps(found: readonly number[], length: number): readonly number[] {
  let free = 0;
  return found.filter((offset) => {
    if (offset < free) return false;
    free = offset + length;
    return true;
  });
}

function replaceAt(file: Uint8Array, places: readonly number[], length: number, fresh: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let copied = 0;
  for (const offset of places) {
    parts.push(file.subarray(copied, offset), fresh);
    copied = offset + length;
  }
  parts.push(file.subarray(copied));
  return Buffer.concat(parts);
}

/** The mark belongs to the file, not to the text in it: it stays when an edit leaves it out, and is not doubled or brought in by one. */
function keepByteOrderMark(before: Uint8Array, after: Uint8Array): Uint8Array {
  const marked = startsWithMark(before);
  if (marked && !startsWithMark(after)) return Buffer.concat([BOM, after]);
  const surplus = marked
    ? startsWithMark(after.subarray(BOM.length)) && !startsWithMark(before.subarray(BOM.length))
    : startsWithMark(after);
  return surplus ? after.subarray(BOM.length) : after;
}

function startsWithMark(bytes: Uint8Array): boolean {
  return BOM.every((byte, at) => bytes[at] === byte);
}

function namedLines(file: Uint8Array, found: readonly number[]): string {
  const lines = [...new Set(found.slice(0, NAMED_LINES).map((offset) => lineAt(file, offset)))];
  const more = found.length > NAMED_LINES ? ", …" : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
}
