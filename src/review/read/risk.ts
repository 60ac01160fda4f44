import type { DiffFile } from "../diff/diff-file.ts";

/** Words in a path behind which a mistake costs most. */
const SENSITIVE =
  /auth|crypt|secret|token|passw|permission|polic|session|login|oauth|jwt|sql|quer(?:y|ies)|migrat|payment|billing|sanitiz|escape|upload|exec|shell|deserial/i;
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures?)\/|(?:[._-](?:test|spec)s?\.[a-z]+$)|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs)$/i;
const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|LICENSES?|CHANGELOG)(?:\/|$)/i;

/**
 * How much a file deserves to be read, when not all can be: what can break before what proves or describes it, sensitive places first, and of
 * those the ones where most is changed. Higher is first.
 */
export function riskOf({ path, hunks, status }: DiffFile): number {
  const changed = hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== "context").length;
  const kind = DOCUMENT.test(path) ? 0 : TEST.test(path) ? 1 : SENSITIVE.test(path) ? 3 : 2;
  const size = Math.min(0.9, Math.log2(1 + changed) / 16);
  return kind + (status === "removed" ? -0.5 : 0) + size;
}
