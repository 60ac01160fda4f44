import type { ModelError } from "./errors.ts";
import type { ModelRequest } from "./model.ts";

/**
 * What a server may do without. Each is given up when the server refuses a request over it, once, and stays given up.
 * - `usage`: to be told the usage of a stream.
 * - `stream`: to be answered in pieces (some accounts must be verified for it).
 * - `sealed`: to be given reasoning in an encrypted form.
 * - `opaque`: to get its own opaque state back.
 * - `images`: to see pictures.
 */
export type Concession = "usage" | "stream" | "sealed" | "opaque" | "images";

const ABOUT: readonly { readonly concession: Concession; readonly words: RegExp }[] = [
  { concession: "usage", words: /stream_options|include_usage/i },
  { concession: "sealed", words: /\binclude\b|reasoning\.encrypted_content/i },
  { concession: "opaque", words: /reasoning|encrypted|thought|signature|extra_content|extra inputs/i },
  {
    concession: "stream",
    words:
      /\bstream(ing)?\b[^.]{0,80}\b(verif\w+|unsupported|not (be )?(supported|allowed|enabled|available))|\bverif\w+[^.]{0,80}\bto stream\b/i,
  },
];

/** What to give up for a refused request; undefined when nothing is left that it could have been refused over. */
export function nextConcession(error: ModelError, request: ModelRequest, made: ReadonlySet<Concession>): Concession | undefined {
  const hasImages = !made.has("images") && request.messages.some((message) => message.role === "user" && (message.images?.length ?? 0) > 0);
  if (hasImages && error.code === "context-too-long" && /\(413\)/.test(error.message)) return "images";
  if (error.code !== "model-refused-request") return undefined;
  const hasOpaque = request.messages.some((message) => message.role === "assistant" && message.opaque !== undefined);
  const named = ABOUT.find(
    ({ concession, words }) => !made.has(concession) && words.test(error.message) && (concession !== "opaque" || hasOpaque),
  );
  if (named !== undefined) return named.concession;
  // Servers without eyes say so in too many ways to tell: whatever they refused, they are asked once more without the pictures.
  return hasImages ? "images" : undefined;
}
