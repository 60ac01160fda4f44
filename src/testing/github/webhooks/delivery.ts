/** One webhook that was sent, and what the App answered. */
export interface Delivery {
  /** The `x-github-delivery` header. */
  readonly id: string;
  readonly event: string;
  readonly action: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The App's HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly ms: number;
  /** The App's answer, or why there was none. */
  readonly text: string;
}

/** A try to hand a webhook over, with all that another one needs. */
export interface DeliveryAttempt {
  readonly id: number;
  readonly delivery: Delivery;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly isRedelivery: boolean;
}
