import type { SigningKey } from "./keys.ts";
import type { ReceiptFacts } from "./statement.ts";

/** With what receipts are signed and where they are kept. */
export interface ReceiptDesk extends Pick<ReceiptFacts, "version" | "rules"> {
  readonly key: SigningKey;
  /** Durable once resolved; in place of the run's earlier one. */
  keep(runId: string, envelope: string): Promise<void>;
  /** Where it can be had then, as people are told: `on this bot's server`. */
  keptAt(runId: string): string;
}
