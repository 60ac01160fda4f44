/** One request as it arrived, in the order of arrival. */
export interface RecordedRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Decoded, without `/api/v3`; `/graphql` for GraphQL; as it is for git's smart HTTP. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, the text where it is none; undefined when there is none, and for git. */
  body: unknown;
  readonly auth: "none" | "app" | "installation" | "user" | "refused";
  readonly login: string | undefined;
  /** The raw `authorization` header. */
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly host: string | undefined;
  /** What was answered: 0 while open or when it hangs, -1 when the connection was reset. */
  status: number;
  /** Set for git's smart HTTP. */
  readonly git?: "fetch" | "push";
  /** The GraphQL field that was asked for. */
  graphql?: string;
  /** No route answers this. */
  unrouted?: true;
  /** A fault struck here. */
  faulted?: true;
}
