/** What an envelope says of the text in it: one-line values without quotes and angle brackets, in their order. */
export type EnvelopeFacts = Readonly<Record<string, string>>;

/** Wraps a hostile text as data that names where it is from; what it says of envelopes of its own is made inert. */
export function untrusted(source: "github" | "mcp" | "tool", facts: EnvelopeFacts, text: string): string {
  const attributes = Object.entries(facts)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
  return `<untrusted-${source}${attributes}>\n${inert(text).trim()}\n</untrusted-${source}>`;
}

/** A text without what could be taken for the edge of an envelope. */
function inert(text: string): string {
  return text.replace(/<(?=\/?untrusted-)/gi, "‹");
}
