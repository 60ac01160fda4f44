import MarkdownIt from "markdown-it";

/** What a text may do all the same. */
export interface Harmless {
  /** GitHub as people see it. */
  readonly origin: string;
  /** Who may be called. */
  readonly logins: readonly string[];
}

const parser = new MarkdownIt({ html: true });
/** Stands for code: neither word nor blank. */
const CODE = "\u0001";
const MENTION = /(?<![\w/.-])@([a-z\d][\w-]*(?:\/[\w.-]+)?)/gi;
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b\s*:?\s*(?:#\d+|GH-\d+|[\w.-]+\/[\w.-]+#\d+|https?:\/\/\S+\/(?:issues|pull)\/\d+)/gi;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<]+/gi;
const COMMAND = /^[ \t>]*(?:\/[a-z][\w-]*|bors\s+\S+)/gim;
const ATTRIBUTE = /\s(?:src|srcset|href|poster|background|action|data)\s*=\s*["']?([^"'\s>]+)/gi;

/**
 * What a comment would set off on GitHub, in words: people called, issues closed, bots told, addresses and images elsewhere, hidden notes.
 * It renders the text with a Markdown library and looks at what is shown, so it shares nothing with what cleans texts.
 */
export function liveIn(text: string, { origin, logins }: Harmless): readonly string[] {
  const found: string[] = [];
  const lines: string[] = [];
  const leadsTo = (address: string): void => {
    const url = URL.canParse(address, `${origin}/`) ? new URL(address, `${origin}/`) : undefined;
    if (url?.origin !== origin || url.username !== "") found.push(`leads to ${address}`);
  };
  const readHtml = (html: string): string => {
    if (html.includes("<!--")) found.push("a hidden note");
    for (const [, address = ""] of html.matchAll(ATTRIBUTE)) leadsTo(address);
    return html.replace(/<code>[\s\S]*?<\/code>/gi, CODE).replace(/<[^>]*>/g, "");
  };
  for (const { type, content, children } of parser.parse(text, {})) {
    if (type === "html_block") lines.push(readHtml(content));
    if (type !== "inline") continue;
    let line = "";
    for (const child of children ?? []) {
      if (child.type === "text") line += child.content;
      else if (child.type === "softbreak" || child.type === "hardbreak") line += "\n";
      else if (child.type === "code_inline") line += CODE;
      else if (child.type === "html_inline") line += readHtml(child.content);
      else if (child.type === "link_open") leadsTo(String(child.attrGet("href")));
      else if (child.type === "image") leadsTo(String(child.attrGet("src")));
    }
    lines.push(line);
  }
  // A reader that drops what nobody sees would put the words together again.
  const shown = lines.join("\n").replace(/\p{Cf}/gu, "");
  for (const [mention, login = ""] of shown.matchAll(MENTION)) if (!logins.includes(login)) found.push(`calls ${mention}`);
  for (const [words] of shown.matchAll(CLOSING)) found.push(`closes: ${words}`);
  for (const [address] of shown.matchAll(ADDRESS)) leadsTo(address.startsWith("www.") ? `http://${address}` : address);
  // Bots read the text as it is written.
  for (const [command] of text.matchAll(COMMAND)) found.push(`orders ${command.trim()}`);
  // Whatever the library takes for no link at all, such as an address of a kind that it refuses.
  for (const [, scheme = ""] of text.matchAll(/\]\(\s*<?((?:data|javascript|vbscript|file):)/gi)) found.push(`leads to ${scheme}`);
  return found;
}
