import type { Html } from "./html.ts";

/** What a page of the dashboard is answered with; the policy's headers are added where it is sent. */
export interface Answer {
  readonly status: number;
  readonly body: Html | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}
