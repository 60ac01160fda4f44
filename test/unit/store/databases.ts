import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { openDatabase } from "../../../src/store/database.ts";
import type { Database } from "../../../src/store/sql.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "./postgres.ts";

/** What a suite that runs on both databases is given. */
export interface TestDatabase {
  /** Open from before the first test to after the last. */
  readonly database: () => Database;
  /** Removes all rows, the queue's too. */
  readonly clear: () => Promise<void>;
  /** The server; PostgreSQL only. */
  readonly postgres: () => TestPostgres;
  /** The database's address; PostgreSQL only. */
  readonly url: () => string;
}

/** Runs a suite on PGlite, and on PostgreSQL where it is installed. */
export function describeOnDatabases(title: string, suite: (tested: TestDatabase) => void): void {
  describeOnEmbedded(title, suite);
  describeOnPostgres(title, suite);
}

export function describeOnEmbedded(title: string, suite: (tested: TestDatabase) => void): void {
  describe(`${title} (PGlite)`, () => {
    let database: Database | undefined;
    let directory = "";
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "sallyport-db-"));
      database = await openDatabase({ directory, log: silent });
    });
    afterAll(async () => {
      await database?.close();
      await rm(directory, { recursive: true, force: true });
    });
    const none = (): never => {
      throw new Error("not on PGlite");
    };
    suite({ database: () => opened(database), clear: () => clear(opened(database)), postgres: none, url: none });
  });
}

export function describeOnPostgres(title: string, suite: (tested: TestDatabase) => void): void {
  const isMissing = postgresPrograms === undefined;
  const name = isMissing ? `${title} (PostgreSQL: NOT RUN, initdb and pg_ctl were not found)` : `${title} (PostgreSQL)`;
  describe.skipIf(isMissing)(name, () => {
    let postgres: TestPostgres | undefined;
    let database: Database | undefined;
    let url = "";
    beforeAll(async () => {
      postgres = await startPostgres();
      url = await postgres.createDatabase();
      database = await openDatabase({ url, directory: "/nowhere", log: silent });
    });
    afterAll(async () => {
      await database?.close();
      await postgres?.dispose();
    });
    suite({ database: () => opened(database), clear: () => clear(opened(database)), postgres: () => opened(postgres), url: () => url });
  });
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not open yet");
  return value;
}

async function clear(database: Database): Promise<void> {
  const tables = ["deliveries", "runs", "journal", "blobs", "approvals", "usage", "gate_days", "workers", "receipts"];
  await database.executeSql(`truncate ${tables.map((table) => `sallyport.${table}`).join(", ")}`);
  const [queue] = await database.query<{ name: string | null }>("select to_regclass('pgboss.job')::text as name");
  if (queue?.name != null) await database.query("delete from pgboss.job");
}
