import { scanMarkdown } from "./blocks.ts";

/** `![alt](address "title")`; the pattern's parts are bounded, so that time stays linear. */
const INLINE = /!\[[^\]\n]{0,500}\]\(\s{0,10}<?(https?:\/\/[^\s<>()]{1,2000})/gi;
/** `![alt][id]`, `![id][]`, `![id]`. */
const REFERENCE = /!\[([^\]\n]{0,500})\](?:\[([^\]\n]{0,200})\])?(?!\()/g;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,500})\]:\s{0,10}<?(https?:\/\/[^\s<>]{1,2000})/gim;
const HTML =
  /<img\b[^<>]{0,2000}?\bsrc\s{0,5}=\s{0,5}(?:"(https?:\/\/[^"\s]{1,2000})"|'(https?:\/\/[^'\s]{1,2000})'|(https?:\/\/[^\s"'<>]{1,2000}))/gi;

/**
 * The addresses of the pictures that a Markdown text shows, in its order, each once. What stands in code or in a comment shows none.
 * Linear in the text's length.
 */
export function pictureReferences(text: string): readonly string[] {
  const shown = scanMarkdown(text)
    .map(({ kind, start, end }) => (kind === "code-block" || kind === "code-span" || kind === "comment" ? " " : text.slice(start, end)))
    .join("");
  const definitions = new Map([...shown.matchAll(DEFINITION)].map(([, id = "", address = ""]) => [id.toLowerCase(), address]));
  const found: { readonly at: number; readonly address: string }[] = [];
  for (const { index, 1: address = "" } of shown.matchAll(INLINE)) found.push({ at: index, address });
  for (const match of shown.matchAll(HTML)) found.push({ at: match.index, address: match[1] ?? match[2] ?? match[3] ?? "" });
  for (const { index, 1: alt = "", 2: id } of shown.matchAll(REFERENCE)) {
    const address = definitions.get((id === undefined || id === "" ? alt : id).toLowerCase());
    if (address !== undefined) found.push({ at: index, address });
  }
  // HTML writes an ampersand as an entity.
  const addresses = found.toSorted((a, b) => a.at - b.at).map(({ address }) => address.replaceAll("&amp;", "&"));
  return [...new Set(addresses)];
}
