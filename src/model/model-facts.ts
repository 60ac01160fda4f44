/** United States dollars per million tokens. */
interface Rates {
  readonly input: number;
  /** Input that the provider had in its cache. */
  readonly cached: number;
  readonly output: number;
}
export interface Price extends Rates {
  /** What a request costs whose input is longer than `above` tokens. */
  readonly long?: Rates & { readonly above: number };
}

/** What is known of a model; absent is what is not. */
export interface ModelFacts {
  readonly price?: Price;
  /** Tokens that a request and its answer may hold together. */
  readonly contextWindow?: number;
}
