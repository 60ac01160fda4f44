import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { compiledCode } from "../core/compiled-code.ts";
import type { Logger } from "../core/log.ts";
import { assertCommitted, type Database, type Executor, type Row } from "./sql.ts";
import { lockFolder } from "./folder-lock.ts";
import { unpackPrepared } from "./prepared.ts";

/** WAL in pieces of 1 MB instead of 16: a small database stays small. */
export const EMBEDDED_INITDB = ["--wal-segsize=1"];

/**
 * PGlite clears all its shared buffers when it opens: 128 MB, its default, are half of the time and a third of the memory of a start, for a
 * database whose hot part is a few megabytes.
 */
const START = [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"];

export interface EmbeddedOptions {
  readonly directory: string;
  readonly log: Logger;
  /** False makes a new database from nothing, which takes seconds: for building the prepared one. */
  readonly prepared?: boolean;
}

/**
 * Opens PGlite in `directory/database`; a new one starts from the prepared data directory.
 * @throws {ConfigurationError} when another process holds the folder.
 */
export async function openEmbedded({ directory, log, prepared = true }: EmbeddedOptions): Promise<Database> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(directory);
  try {
    const dataDir = join(directory, "database");
    if (prepared && !(await exists(join(dataDir, "PG_VERSION")))) await unpackPrepared({ into: dataDir, log });
    const pgliteWasmModule = await compiledCode("pglite", () =>
      readFile(new URL("./pglite.wasm", import.meta.resolve("@electric-sql/pglite"))),
    );
    const pglite = await PGlite.create({ dataDir, pgliteWasmModule, startParams: START, initDbStartParams: EMBEDDED_INITDB });
    return databaseOn(pglite, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A database on an open PGlite; `afterClose` gives its folder free. */
export function databaseOn(pglite: PGlite, afterClose: () => Promise<void>): Database {
  const inTurn = turns();
  const executor = executorOn(pglite);
  let closing: Promise<void> | undefined;
  return {
    kind: "embedded",
    query: (text, params) => inTurn(() => executor.query(text, params)),
    // A script that fails in its own `begin … commit` leaves the one connection in a failed transaction.
    executeSql: (text, values) => inTurn(() => rollbackOnError(pglite, () => executor.executeSql(text, values))),
    transaction: (work) =>
      inTurn(() =>
        rollbackOnError(pglite, async () => {
          await pglite.exec("begin");
          const result = await work(executor);
          assertCommitted((await pglite.query("commit")).command);
          return result;
        }),
      ),
    isReady: () => Promise.resolve(pglite.ready && !pglite.closed),
    close: () =>
      (closing ??= inTurn(async () => {
        await pglite.close();
        await afterClose();
      })),
  };
}

function executorOn(pglite: PGlite): Executor {
  return {
    query: async <R extends object = Row>(text: string, params: readonly unknown[] = []) => (await pglite.query<R>(text, [...params])).rows,
    executeSql: async (text, values) => {
      if (values?.length) return pglite.query<Row>(text, values);
      const results = await pglite.exec(text);
      return { rows: results.flatMap(({ rows }) => rows as unknown[]) };
    },
  };
}

async function rollbackOnError<T>(pglite: PGlite, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Outside a transaction this is a warning that nobody sees.
    if (!pglite.closed) await pglite.exec("rollback").catch(() => undefined);
    throw error;
  }
}

/** One connection: whoever asks runs when all earlier ones have ended. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
