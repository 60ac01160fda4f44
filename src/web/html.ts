const MARKUP = Symbol("markup");

/** Markup that `html` made. No data can pass for it: JSON has no symbols. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What may stand in a template: texts and numbers are escaped, lists are joined, undefined is nothing. */
export type Part = string | number | Html | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "`": "&#96;" };

/**
 * The one way in which pages are written: everything between the literal parts is escaped, for the text of an element and for an attribute
 * in quotation marks. It does not make an address safe to follow: see `webLink`.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = literals.reduce((sum, literal, index) => sum + markupOf(parts[index - 1]) + literal);
  return { [MARKUP]: markup };
}

/** The markup as text, to be sent. */
export function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return part.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? "");
  if (typeof part === "number") return String(part);
  if (isList(part)) return part.map(markupOf).join("");
  return part[MARKUP];
}

/** Array.isArray does not know read-only lists. */
function isList(part: Html | readonly Part[]): part is readonly Part[] {
  return Array.isArray(part);
}

/** A link to another site, when the address is one of the web; else the text alone. */
export function webLink(url: string, text: string): Html {
  if (!URL.canParse(url)) return html`${text}`;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? html`<a href="${href}" rel="noreferrer">${text}</a>` : html`${text}`;
}
