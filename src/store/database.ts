import type { Logger } from "../core/log.ts";
import { openEmbedded } from "./embedded.ts";
import { migrate } from "./migrations.ts";
import { openPostgres } from "./postgres.ts";
import type { Database } from "./sql.ts";

export type { Database } from "./sql.ts";

export interface DatabaseOptions {
  /** `DATABASE_URL`; when absent, PGlite keeps the data in `directory/database`. */
  readonly url?: string;
  readonly directory: string;
  readonly log: Logger;
}

/**
 * Opens the database and brings its schema up to date.
 * @throws {ConfigurationError} when PostgreSQL cannot be reached, or another process holds the embedded database's folder.
 */
export async function openDatabase({ url, directory, log }: DatabaseOptions): Promise<Database> {
  const database = url === undefined ? await openEmbedded({ directory, log }) : await openPostgres({ url, log });
  try {
    await migrate(database, log);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
