import { isPublishableDestination, namesThread } from "./address.ts";
import { span, type Edit } from "./edit.ts";
import { endsInClosingWord } from "./found.ts";
import type { LinkPiece, LiveText, Piece } from "./live.ts";
import type { OutgoingPolicy } from "./policy.ts";

/** HTML that only shapes what is there. It stays without its attributes; everything else is shown as text. */
const KEPT: ReadonlySet<string> = new Set(
  "b br code del details em hr i ins kbd li mark ol p s small strong sub summary sup table tbody td th thead tr u ul var".split(" "),
);
const VOID: ReadonlySet<string> = new Set(["br", "hr"]);
/** An address longer than this is cut where it is shown; nobody reads it, and nobody follows it. */
const LONGEST_SHOWN = 300;

/** What is to change about tags, links, images and definitions, and the end tags that are missing at the end. */
export function editMarkup(
  live: LiveText,
  policy: OutgoingPolicy,
): { readonly edits: readonly Edit[]; readonly unclosed: readonly string[] } {
  const edits: Edit[] = [];
  const open: string[] = [];
  for (const piece of live.pieces) {
    const { start, end } = piece;
    switch (piece.kind) {
      case "hidden":
        edits.push({ start, end, insert: "", kind: "hidden text" });
        break;
      case "angle":
        edits.push({ start, end, insert: "&lt;", kind: "HTML" });
        break;
      case "tag":
        edits.push(...editTag(piece, open));
        break;
      case "autolink":
        if (!isPublishableDestination(piece.address, policy))
          edits.push({ start, end, insert: code(piece.address), kind: "links to hosts that are not listed", span: true });
        break;
      case "image-reference":
        edits.push({ start, end, insert: "\\", kind: "images" });
        break;
      case "definition":
        if (isPublishableDestination(piece.destination, policy)) break;
        edits.push({
          start,
          end,
          insert: `\\:${piece.blank || " "}${code(piece.destination)}`,
          kind: "links to hosts that are not listed",
          span: true,
        });
        break;
      case "link":
        edits.push(...editLink(piece, live, policy));
        break;
      default:
        throw new TypeError(`nothing is known of ${(piece satisfies never as Piece).kind}`);
    }
  }
  return { edits, unclosed: open.reverse() };
}

function editTag({ start, end, name, closing, bare }: Piece & { readonly kind: "tag" }, open: string[]): readonly Edit[] {
  const escape: Edit = { start, end: start + 1, insert: "&lt;", kind: "HTML" };
  if (!KEPT.has(name) || (closing && VOID.has(name))) return [escape];
  if (VOID.has(name) || !closing) {
    if (!VOID.has(name)) open.push(name);
    return bare ? [] : [{ start, end, insert: `<${name}>`, kind: "HTML" }];
  }
  const depth = open.lastIndexOf(name);
  if (depth < 0 || !bare) return [escape];
  const between = open.splice(depth).slice(1).reverse();
  return between.length === 0 ? [] : [{ start, end: start, insert: between.map((inner) => `</${inner}>`).join(""), kind: "HTML" }];
}

function editLink(link: Piece & LinkPiece, live: LiveText, policy: OutgoingPolicy): readonly Edit[] {
  const { start, end, words, raw, destination, destinationEnd, image, shownAt } = link;
  const isOpened = words[0] > start;
  const closes = isOpened && leadsToThread(destination, policy) && endsInClosingWord(live.shown.slice(0, shownAt));
  // What is no link to another reader must not come to life inside the brackets.
  const mayStay = !closes && !image && !/[<>`\s]/.test(raw) && isPublishableDestination(destination, policy);
  if (mayStay) {
    const blank = live.source.slice(destinationEnd, end - 1).trim() === "";
    return blank ? [] : [{ start: destinationEnd, end: end - 1, insert: "", kind: "hidden text" }];
  }
  const kind = image ? "images" : closes ? "closing words" : "links to hosts that are not listed";
  const tail = { start: words[1], end, insert: ` (${code(destination)})`, kind } as const;
  if (!isOpened) return [{ ...tail, start: words[1] + 1 }];
  const said = live.source.slice(...words).trim();
  if (said === "" || said === destination) return [{ start, end, insert: code(destination), kind, span: true }];
  return [{ start, end: words[0], insert: "", kind }, tail];
}

function leadsToThread(destination: string, { origin }: OutgoingPolicy): boolean {
  return URL.canParse(destination, `${origin}/`) && namesThread(new URL(destination, `${origin}/`).href);
}

function code(address: string): string {
  const shown = address.length > LONGEST_SHOWN ? `${address.slice(0, LONGEST_SHOWN).toWellFormed()}…` : address;
  return span(shown.trim() === "" ? "#" : shown);
}
