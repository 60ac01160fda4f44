/** A text that has the shape of a secret. `value` is for comparing with what was there before; it is never shown. */
export interface SecretMatch {
  /** What it looks like, for people: `GitHub token`. */
  readonly kind: string;
  readonly value: string;
  /** Where it starts, in UTF-16 units. */
  readonly index: number;
  /** Default: `block`. */
  readonly severity?: "block" | "warn";
}
