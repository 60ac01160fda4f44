import type { JournalEntry } from "../../../src/core/journal.ts";
import type { RunRequest } from "../../../src/core/run.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { mention } from "../store/requests.ts";

/** Stores a run as a delivery would and answers its id. */
export async function storeRun(database: Database, request: RunRequest = mention()): Promise<string> {
  const [answer] = await acceptDeliveries(database, [request]);
  if (answer?.status !== "accepted") throw new Error("not accepted");
  return answer.runId;
}

/** Appends rows to a run's journal; `from` is the place of the first. */
export async function writeJournal(
  database: Database,
  id: string,
  entries: readonly JournalEntry[],
  { attempt = 0, from = 1 }: { readonly attempt?: number; readonly from?: number } = {},
): Promise<void> {
  for (const [index, entry] of entries.entries()) await appendRow(database, { run: { id, attempt }, sequence: from + index, entry });
}
