import type { Severity } from "../../core/remark-severity.ts";

/** What a reviewer says of a remark beside its words. */
export interface Said {
  readonly body: string;
  readonly severity?: Severity | undefined;
  /** A word or two, such as `security`. */
  readonly category?: string | undefined;
  /** What it rests on. */
  readonly evidence?: string | undefined;
}

const WORDS: { readonly [severity in Severity]: string } = { nit: "Nit", minor: "Minor", major: "Major", critical: "Critical" };
const EVIDENCE = "Evidence: ";

/** A remark as people read it: how much it matters in a word, what it is about, and what it rests on. */
export function phrase({ body, severity, category = "", evidence = "" }: Said): string {
  const kind = category
    .replace(/[^\p{L}\p{N} -]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  const head = [severity === undefined ? "" : `**${WORDS[severity]}**`, kind === "" ? "" : `(${kind})`].join(" ").trim();
  const rest = evidence.trim() === "" ? "" : `${EVIDENCE}${evidence.trim()}`;
  return [head, body.trim(), rest].filter((part) => part !== "").join("\n\n");
}

const HEAD = /^(?:\*\*(?:Nit|Minor|Major|Critical)\*\*)? ?(?:\([\p{L}\p{N} -]{1,60}\))?\n\n/u;

/** The claim alone of a remark that was phrased: by it a remark is known again, however much it is said to matter the next time. */
export function claimOf(words: string): string {
  const claim = words.replace(HEAD, "");
  const at = claim.lastIndexOf(`\n\n${EVIDENCE}`);
  return at <= 0 ? claim : claim.slice(0, at);
}
