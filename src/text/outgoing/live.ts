import MarkdownIt from "markdown-it";
import { rawHtmlBlocks, scanMarkdown, type Segment } from "../blocks.ts";
import { stripInvisible } from "../hidden.ts";
import { readHtml } from "../html.ts";
import { linkTail } from "../link.ts";

/** Stands in `shown` for a tag, a bracket of a link or its destination: not shown, yet words end at it. */
export const MARKUP = "\u0000";
/** Stands in `shown` for a code span: nothing in it is live. */
export const CODE = "\ufffc";

/** A tag that was read, `<name>` when it is one of the few that may stay as they are. */
interface TagPiece {
  readonly kind: "tag";
  readonly name: string;
  readonly closing: boolean;
  /** Nothing but the name stands in it. */
  readonly bare: boolean;
}
/** A link or image with its destination, brackets and all. */
export interface LinkPiece {
  readonly kind: "link";
  readonly image: boolean;
  /** Where the text between the brackets starts and ends. */
  readonly words: readonly [number, number];
  /** The destination as it is written, and without its brackets and escapes. */
  readonly raw: string;
  readonly destination: string;
  /** Where the destination, with its angle brackets, ends: a title may follow. */
  readonly destinationEnd: number;
  /** Where in `shown` the words begin. */
  readonly shownAt: number;
}
/** `[label]: destination`, or what could be read as one; it starts at the colon. */
interface DefinitionPiece {
  readonly kind: "definition";
  readonly blank: string;
  readonly destination: string;
}
/** `<scheme:…>`. */
interface AutolinkPiece {
  readonly kind: "autolink";
  readonly address: string;
}
/** Tells a reader nothing: an entity for an invisible character, an HTML comment. */
interface HiddenPiece {
  readonly kind: "hidden";
}
/** A `<` that a browser could take for the start of a tag, though no whole tag was read. */
interface AnglePiece {
  readonly kind: "angle";
}
/** `![` of an image whose destination stands elsewhere; it starts at the bracket. */
interface ReferencePiece {
  readonly kind: "image-reference";
}
export type Piece = (TagPiece | LinkPiece | DefinitionPiece | AutolinkPiece | HiddenPiece | AnglePiece | ReferencePiece) & {
  readonly start: number;
  readonly end: number;
};

/** A Markdown text as it will be seen: what of it is live, and where in the source each shown character stands. */
export interface LiveText {
  readonly source: string;
  readonly segments: readonly Segment[];
  /** Outside code: escapes and entities resolved, markup and code as one stand-in each. */
  readonly shown: string;
  /** For each UTF-16 unit of `shown`, where its source starts and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly pieces: readonly Piece[];
  /** Backticks of no code span, each alone. */
  readonly strays: readonly number[];
  /** Whether raw HTML stands there, where Markdown means nothing. */
  readonly isRaw: (at: number) => boolean;
}

const { unescapeAll } = new MarkdownIt().utils;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z0-9]{1,31});/iy;
/** A browser reads these without their semicolon too. */
const RAW_ENTITY = /&(?:#\d{1,7}(?!\d)|#x[\da-f]{1,6}(?![\da-f])|[a-z][a-z0-9]{1,31}(?=;));?/iy;
const BARE_TAG = /^<(\/?)([a-z][a-z0-9]*) ?\/?>$/i;
const RAW_CODE = /<code>[^<]*<\/code>/y;
const DEFINITION = /:([\s>]*)(<[^<>\n]*>|[^\s<]\S*)/y;
/** The longest tag that `readHtml` reads. */
const LONGEST_TAG = 8192;

/** Reads a text for what of it is live. Time grows linearly with the text. */
export function readLive(source: string): LiveText {
  const segments = scanMarkdown(source);
  const raw = rawHtmlBlocks(source);
  const shown: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const pieces: Piece[] = [];
  const strays: number[] = [];
  const missing = new Set<string>();
  const hasDefinitions = source.includes("]:");
  const lastAngle = source.lastIndexOf(">");
  let openers: { readonly at: number; readonly shownAt: number; readonly image: boolean }[] = [];
  let rawIndex = 0;

  const show = (characters: string, start: number, end: number): void => {
    for (let unit = 0; unit < characters.length; unit += 1) {
      shown.push(characters.charAt(unit));
      starts.push(start);
      ends.push(end);
    }
  };
  const isRawHere = (at: number): boolean => {
    while (rawIndex < raw.length && at >= (raw[rawIndex]?.[1] ?? 0)) rawIndex += 1;
    return at >= (raw[rawIndex]?.[0] ?? Infinity);
  };
  const sticky = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };

  for (const [from, to, kind] of stretches(segments)) {
    if (kind === "code-block") openers = [];
    if (kind === "comment") pieces.push({ kind: "hidden", start: from, end: to });
    if (kind !== "live") {
      if (kind !== "comment") show(kind === "code-block" ? "\n" : CODE, from, to);
      continue;
    }
    for (let at = from; at < to;) at = readOne(at, to);
  }
  return { source, segments, shown: shown.join(""), starts, ends, pieces, strays, isRaw: within(raw) };

  /** Reads what starts at `at`; answers where the next begins. */
  function readOne(at: number, to: number): number {
    const character = source.charAt(at);
    const inRaw = isRawHere(at);
    switch (character) {
      case "\\":
        if (inRaw || !/[!-/:-@[-`{-~]/.test(source.charAt(at + 1))) break;
        show(source.charAt(at + 1), at, at + 2);
        return at + 2;
      case "&":
        return readEntity(at, inRaw);
      case "<":
        return inRaw ? readRawTag(at, to) : readTag(at, to);
      case "`":
        if (!inRaw) strays.push(at);
        break;
      case "[":
        if (inRaw) break;
        openers.push({ at, shownAt: shown.length, image: source[at - 1] === "!" && source[at - 2] !== "\\" });
        break;
      case "]":
        if (!inRaw) return readBracket(at, to);
        break;
      case "\n":
        if (/^[ \t>]*$/.test(source.slice(at + 1, at + 80).split("\n", 1)[0] ?? "")) openers = [];
        break;
      default:
    }
    show(character, at, at + 1);
    return at + 1;
  }

  function readEntity(at: number, inRaw: boolean): number {
    const hit = sticky(inRaw ? RAW_ENTITY : ENTITY, at)?.[0];
    const decoded = hit === undefined ? undefined : unescapeAll(hit.endsWith(";") ? hit : `${hit};`);
    if (hit === undefined || decoded === undefined || decoded.startsWith("&#") || decoded === hit) {
      show("&", at, at + 1);
      return at + 1;
    }
    const end = at + hit.length;
    if (stripInvisible(decoded) === "") pieces.push({ kind: "hidden", start: at, end });
    else show(decoded, at, end);
    return end;
  }

  function readRawTag(at: number, to: number): number {
    const code = sticky(RAW_CODE, at)?.[0];
    if (code !== undefined) {
      show(CODE, at, at + code.length);
      return at + code.length;
    }
    const { tag, end = at } = readHtml(source, at, to, missing) ?? {};
    if (tag !== undefined) return tagAt(at, end, tag.name, tag.closing, BARE_TAG.test(source.slice(at, end)));
    if (/[a-z/!?]/i.test(source.charAt(at + 1))) pieces.push({ kind: "angle", start: at, end: at + 1 });
    show("<", at, at + 1);
    return at + 1;
  }

  function readTag(at: number, to: number): number {
    const html = readHtml(source, at, to, missing);
    if (html === undefined) {
      if (lastAngle - at > LONGEST_TAG && /[a-z/]/i.test(source.charAt(at + 1))) pieces.push({ kind: "angle", start: at, end: at + 1 });
      show("<", at, at + 1);
      return at + 1;
    }
    const { end, kind, tag } = html;
    if (kind === "comment") {
      pieces.push({ kind: "hidden", start: at, end });
      return end;
    }
    const inner = source.slice(at + 1, end - 1);
    if (tag !== undefined) return tagAt(at, end, tag.name, tag.closing, BARE_TAG.test(source.slice(at, end)));
    if (!/^https?:/i.test(inner)) {
      // An e-mail address stays; of any other scheme, only the words are shown.
      if (/^[a-z][a-z0-9+.-]{1,31}:/i.test(inner)) pieces.push({ kind: "angle", start: at, end: at + 1 });
      show("<", at, at + 1);
      return at + 1;
    }
    pieces.push({ kind: "autolink", start: at, end, address: inner });
    show(MARKUP, at, end);
    show(inner, at, end);
    show(MARKUP, at, end);
    return end;
  }

  function tagAt(start: number, end: number, name: string, closing: boolean, bare: boolean): number {
    pieces.push({ kind: "tag", start, end, name: name.toLowerCase(), closing, bare });
    show(MARKUP, start, end);
    return end;
  }

  function readBracket(at: number, to: number): number {
    const opener = openers.pop();
    const next = source[at + 1];
    if (next === "(") {
      const tail = linkTail(source, at + 2, to);
      if (tail !== undefined) {
        const raw = source.slice(...tail.destination);
        const start = opener === undefined ? at : opener.at - (opener.image ? 1 : 0);
        pieces.push({
          kind: "link",
          start,
          end: tail.end,
          image: opener?.image ?? false,
          words: [opener === undefined ? at : opener.at + 1, at],
          raw,
          destination: unescapeAll(raw.startsWith("<") ? raw.slice(1, -1) : raw),
          destinationEnd: tail.destination[1],
          shownAt: opener?.shownAt ?? shown.length,
        });
        if (opener !== undefined) {
          shown[opener.shownAt] = MARKUP;
          show(MARKUP, at, tail.end);
          return tail.end;
        }
      }
    }
    if (opener?.image === true && hasDefinitions) pieces.push({ kind: "image-reference", start: opener.at, end: opener.at });
    show("]", at, at + 1);
    if (next !== ":" || opener === undefined) return at + 1;
    const [whole, blank = "", raw = ""] = sticky(DEFINITION, at + 1) ?? [];
    if (whole !== undefined) {
      const destination = unescapeAll(raw.startsWith("<") ? raw.slice(1, -1) : raw);
      pieces.push({ kind: "definition", start: at + 1, end: at + 1 + whole.length, blank, destination });
    }
    return at + 1;
  }
}

function within(ranges: readonly (readonly [number, number])[]): (at: number) => boolean {
  return (at) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.[1] ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return at >= (ranges[low]?.[0] ?? Infinity);
  };
}

/** The segments with all that is live joined where it touches: what a link or a tag holds may be painted in several kinds. */
function stretches(segments: readonly Segment[]): (readonly [number, number, "live" | "code-block" | "code-span" | "comment"])[] {
  const joined: [number, number, "live" | "code-block" | "code-span" | "comment"][] = [];
  for (const { kind, start, end } of segments) {
    const own = kind === "code-block" || kind === "code-span" || kind === "comment" ? kind : "live";
    const last = joined.at(-1);
    if (own === "live" && last?.[2] === "live") last[1] = end;
    else joined.push([start, end, own]);
  }
  return joined;
}
