/** A delivery that reached this process with a good signature. */
export interface Arrival {
  /** GitHub's name of the event: `issue_comment`. */
  readonly event: string;
  readonly at: Date;
}

/** Which deliveries this process has received, so that whoever sets it up sees that they come. Kept in memory alone. */
export interface Arrivals {
  note(event: string): void;
  /** Undefined while nothing has come. */
  first(): Arrival | undefined;
  last(): Arrival | undefined;
}

/** `now` in milliseconds since the epoch. */
export function countArrivals({ now = Date.now }: { readonly now?: () => number } = {}): Arrivals {
  let first: Arrival | undefined;
  let last: Arrival | undefined;
  return {
    note(event) {
      last = { event, at: new Date(now()) };
      first ??= last;
    },
    first: () => first,
    last: () => last,
  };
}
