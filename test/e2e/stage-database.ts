import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../src/core/log.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";

/** What a database holds before anything was written. */
const MADE_WITH_IT = new Set(["sallyport.migrations", "pgboss.version", "pgboss.queue"]);

/** A database for one stage: empty at first, and the same at each start of its product. */
export interface StageDatabase extends AsyncDisposable {
  readonly open: typeof openDatabase;
}

let kept: { readonly database: Database; isLent: boolean } | undefined;

/**
 * The embedded database of this test file, emptied: to open one takes longer than most runs. A second stage beside the first gets one of its
 * own, as a product does.
 */
export async function lendDatabase(): Promise<StageDatabase> {
  kept ??= { database: await openKept(), isLent: false };
  const lent = kept;
  if (lent.isLent) return { open: openDatabase, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { database } = lent;
  await empty(database);
  lent.isLent = true;
  return {
    open: () => Promise.resolve({ ...database, close: () => Promise.resolve() }),
    [Symbol.asyncDispose]: async () => void (lent.isLent = false),
  };
}

async function openKept(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), "sallyport-e2e-database-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return openDatabase({ directory, log: silent });
}

async function empty(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('sallyport', 'pgboss')",
  );
  const written = tables.map(({ name }) => name).filter((name) => !MADE_WITH_IT.has(name));
  // Rows of the audit log are held against whoever asks, a truncation too.
  const emptied = `truncate ${written.join(", ")} restart identity cascade`;
  await database.executeSql(
    `alter table sallyport.audit disable trigger user; ${emptied}; alter table sallyport.audit enable trigger user`,
  );
}
