import type { Database } from "./sql.ts";

/** Encoded facts of blobs, by a key that names blob, language and version: all repositories, forks and commits with the blob share them. */
export interface StoredGraphFacts {
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  write(entries: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

/** Rows of one statement. */
const BATCH = 1000;
/** Rows in all: at some 700 bytes each, they are not what a disk is full of. */
const MOST_ROWS = 400_000;
const UNUSED = "30 days";
const TIDY_EVERY_MS = 60 * 60_000;

/** Facts in the database. The oldest that nobody used go when there are too many. */
export function storeGraphFacts(database: Database, now: () => number = Date.now): StoredGraphFacts {
  let tidied = now();
  return {
    async read(keys) {
      const found = new Map<string, Uint8Array>();
      for (const batch of batches(keys)) {
        const rows = await database.query<{ key: string; facts: Uint8Array }>(
          "select key, facts from sallyport.graph_facts where key = any($1)",
          [batch],
        );
        for (const { key, facts } of rows) found.set(key, facts);
        await database.query(
          "update sallyport.graph_facts set used_at = now() where key = any($1) and used_at < now() - interval '1 day'",
          [batch],
        );
      }
      return found;
    },
    async write(entries) {
      for (const batch of batches([...entries])) {
        const rows = batch.map((_, index) => `($${index * 2 + 1}, $${index * 2 + 2}::bytea)`).join(", ");
        await database.query(
          `insert into sallyport.graph_facts (key, facts) values ${rows} on conflict (key) do nothing`,
          batch.flatMap(([key, facts]) => [key, facts]),
        );
      }
      if (now() - tidied < TIDY_EVERY_MS) return;
      tidied = now();
      await tidyGraphFacts(database, MOST_ROWS);
    },
  };
}

/** Removes what nobody used for long, and of the rest the oldest above `most`. */
export async function tidyGraphFacts(database: Database, most: number): Promise<void> {
  await database.query(`delete from sallyport.graph_facts where used_at < now() - interval '${UNUSED}'`);
  await database.query(
    `delete from sallyport.graph_facts where key in (
       select key from sallyport.graph_facts order by used_at desc, key offset $1
     )`,
    [most],
  );
}

function* batches<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}
