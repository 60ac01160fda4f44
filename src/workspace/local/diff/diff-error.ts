import { SallyportError } from "../../../core/errors.ts";

/** A diff that cannot be read, or that does not fit its base: nothing of it is judged, since nobody knows what it would become. */
export class DiffError extends SallyportError {
  /** `line` is the diff's own, 1-based. */
  constructor(why: string, { line, hint }: { readonly line?: number; readonly hint?: string } = {}) {
    super(`The diff ${line === undefined ? "" : `(line ${line}) `}${why}.`, {
      code: "bad-diff",
      hint: hint ?? "Make it anew against the base, with git diff --binary.",
    });
  }
}

/** A piece of a diff, short enough for one line of an error, with nothing in it that steers a terminal. */
export function quoted(raw: string): string {
  const text = Buffer.from(raw, "latin1").toString("utf8");
  const shown = text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text;
  return JSON.stringify(shown).replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
