import type { Journal, JournalEntry } from "./journal.ts";

/** A journal that lives as long as its process: for one-shot runs and for tests. `earlier` are rows of a run that is resumed. */
export function memoryJournal(earlier: readonly JournalEntry[] = []): Journal {
  const entries: JournalEntry[] = [...earlier];
  const bytes = new Map<string, Uint8Array>();
  return {
    entries,
    append(entry, blobs) {
      entries.push(entry);
      for (const [sha, content] of blobs ?? []) bytes.set(sha, content);
      return Promise.resolve();
    },
    assertCurrent: () => Promise.resolve(),
    blob: (sha) => Promise.resolve(bytes.get(sha)),
  };
}
