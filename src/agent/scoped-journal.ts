import { AttemptError } from "../core/errors.ts";
import type { InnerEntry, Journal, JournalEntry } from "../core/journal.ts";

/** The rows of what ran inside one call, oldest first. */
export function rowsWithin({ entries }: Pick<Journal, "entries">, callId: string): readonly InnerEntry[] {
  return entries.flatMap((entry) => (entry.kind === "nested" && entry.callId === callId ? [entry.entry] : []));
}

/**
 * A journal of a conversation's own inside one call of the run: it holds that call's rows alone, and writes into the run's journal, under the
 * run's fence. So a run that is resumed takes up what its subagent had asked, too. Nothing can be nested in it.
 */
export function scopedJournal(journal: Journal, callId: string): Journal {
  const entries: JournalEntry[] = [...rowsWithin(journal, callId)];
  return {
    entries,
    async append(entry, blobs) {
      if (entry.kind === "nested") throw new TypeError("a row is nested once at most");
      await orEndAttempt(journal.append({ kind: "nested", callId, entry }, blobs));
      entries.push(entry);
    },
    assertCurrent: () => journal.assertCurrent(),
    blob: (sha) => journal.blob(sha),
  };
}

/**
 * Inside a call, a row that cannot be written must not end as that call's result: the run would go on without it.
 * @throws {AttemptError} for whatever the promise is rejected with.
 */
export async function orEndAttempt<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (cause) {
    if (cause instanceof AttemptError) throw cause;
    throw new AttemptError("A row of the run's journal could not be written.", { code: "journal-unwritable", cause });
  }
}
