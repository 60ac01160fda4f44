import type { Journal, JournalEntry } from "../core/journal.ts";
import type { Run } from "../core/run.ts";
import type { Database } from "../store/sql.ts";
import { appendRow, assertAttempt, readBlob, readJournal } from "../store/journal-rows.ts";

/** Opens a run's stored journal for the attempt that holds the run. Appends are written in the order in which they were asked for. */
export async function openJournal(database: Database, run: Pick<Run, "id" | "attempt">): Promise<Journal> {
  const entries: JournalEntry[] = await readJournal(database, run.id);
  let last: Promise<void> = Promise.resolve();
  return {
    entries,
    append(entry, blobs) {
      const written = last.then(async () => {
        await appendRow(database, { run, sequence: entries.length + 1, entry, ...(blobs === undefined ? {} : { blobs }) });
        entries.push(entry);
      });
      last = written.catch(() => undefined);
      return written;
    },
    assertCurrent: () => assertAttempt(database, run),
    blob: (sha) => readBlob(database, run.id, sha),
  };
}
