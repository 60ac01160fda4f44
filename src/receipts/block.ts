import { createHash } from "node:crypto";

/** Bytes of an envelope that is shown whole on GitHub; a check run takes 65,535 characters. */
const LONGEST_SHOWN = 40_000;
const HEADING = "Receipt, signed (DSSE):";

/** SHA-256 of an envelope's text, hex: by it people tell two receipts apart. */
export function receiptDigest(envelope: string): string {
  return createHash("sha256").update(envelope).digest("hex");
}

/** An envelope as a check run shows it, in Markdown; nothing where it is too long to be shown whole. */
export function receiptBlock(envelope: string): string {
  return envelope.length > LONGEST_SHOWN ? "" : `${HEADING}\n\n\`\`\`json\n${envelope}\n\`\`\``;
}

/** Where a receipt can be had, for people. `keptAt` says where else than in the text it stands in. */
export function receiptSentence({ envelope, keptAt }: { readonly envelope: string; readonly keptAt: string }): string {
  const where = envelope.length > LONGEST_SHOWN ? keptAt : `below, and ${keptAt}`;
  return `Receipt \`sha256:${receiptDigest(envelope)}\`: ${where}. \`sallyport verify\` checks it.`;
}

/** The envelope in a text that {@link receiptBlock} made a part of; undefined where there is none. */
export function findReceipt(text: string): string | undefined {
  const at = text.lastIndexOf(HEADING);
  const [, envelope] = at < 0 ? [] : (/^[^`]*```json\n([^\n]+)\n```/.exec(text.slice(at).replaceAll("\r\n", "\n")) ?? []);
  return envelope;
}
