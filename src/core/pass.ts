/** A request as it goes over the wire, below every library. */
export interface WireRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query relative to the API's base URL, starting with `/`, as it is sent. */
  readonly path: string;
  /** The exact body; empty when there is none. */
  readonly body: string;
}

/** Permission for exactly one request of one run. Single-use, never stored: after a crash the gate judges again. */
export interface Pass {
  readonly id: string;
  readonly runId: string;
  readonly method: string;
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly bodyDigest: string;
  /** The commit that the judged change stands on; absent for texts. */
  readonly baseCommit?: string;
}

/** Where passes are spent. The gate keeps it; the wire guard asks it once per request. */
export interface PassLedger {
  /**
   * Spends the pass with this id when it fits the request and belongs to the run in whose session it is sent; answers why not otherwise.
   * Never throws.
   */
  redeem(passId: string, request: WireRequest, runId: string | undefined): Redeemed;
}
export type Redeemed =
  | {
      readonly ok: true;
      /** To be given the answer's body when GitHub accepted the request: what was made may be named by a later one. Never throws. */
      readonly answered?: (body: string) => void;
    }
  | { readonly ok: false; readonly why: string };

/** Asks for the pass of one request of an operation that was allowed. Throws when the request is not one that the operation consists of. */
export type MintPass = (request: WireRequest) => Pass;

/** The header by which a request carries its pass to the wire guard, which takes it off. It never reaches the network. */
export const PASS_HEADER = "x-sallyport-pass";
