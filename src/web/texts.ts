import { cleanAll, cut, oneLine, type Clean } from "./clean.ts";
import { html, type Html } from "./html.ts";
import { counted } from "./words.ts";

/** Most members of one value that are shown. */
const MOST_FIELDS = 20;
const LONGEST_NAME = 100;

/** What the pieces of one page share. */
export interface Texts {
  /** UTF-16 units of one text. */
  readonly limit: number;
  readonly clean: Clean;
}

/** A text as it is, in a fixed-width face. */
export function verbatim(text: string, { limit }: Texts): Html {
  const { shown, left } = cut(text, limit);
  // A browser drops a line end right after the tag: this one is there to be dropped.
  return html`<pre dir="auto">${"\n"}${shown}</pre>
    ${cutNote(left)}`;
}

/** What a person or the model said: its line ends are kept, its Markdown is not read. */
export function spoken(text: string, { limit }: Texts): Html {
  const { shown, left } = cut(text.trim(), limit);
  return html`<div class="said" dir="auto">${shown}</div>
    ${cutNote(left)}`;
}

function cutNote(left: number): Html | undefined {
  return left === 0 ? undefined : html`<p class="quiet">Cut here: ${counted(left, "more character")}.</p>`;
}

/** The members of a value as a list of names and texts; undefined when it has none. */
export function fields(value: unknown, texts: Texts): Html | undefined {
  if (typeof value !== "object" || value === null)
    return value === undefined || value === null ? undefined : verbatim(textOf(value), texts);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return undefined;
  const shown = members.slice(0, MOST_FIELDS);
  return html`<dl>
      ${shown.map(
        ([name, member]) =>
          html`<dt>${oneLine(name, LONGEST_NAME)}</dt>
            <dd>${verbatim(textOf(member), texts)}</dd>`,
      )}
    </dl>
    ${members.length > shown.length ? html`<p class="quiet">and ${counted(members.length - shown.length, "more member")}</p>` : undefined}`;
}

/** A call's arguments, which are JSON as the model wrote it: read where that is possible, else shown as they are. */
export function argumentsOf(raw: string, texts: Texts): unknown {
  try {
    const read: unknown = JSON.parse(raw);
    if (typeof read !== "object" || read === null) return raw;
    // Escapes inside the JSON may have kept a secret or a hidden character from being seen.
    return cleanAll(Object.fromEntries(Object.entries(read).map(([name, member]) => [name, textOf(member)])), texts.clean);
  } catch {
    // No JSON, or nested too deep to be written out again.
    return raw;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 1) ?? "");
}
