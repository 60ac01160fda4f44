import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { compiledCode } from "../core/compiled-code.ts";
import { messageOf } from "../core/errors.ts";
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
    keepCompiledFunctions();
    const pgliteWasmModule = await compiledCode("pglite", () =>
      readFile(new URL("./pglite.wasm", import.meta.resolve("@electric-sql/pglite"))),
    );
    const open = (): Promise<PGlite> =>
      PGlite.create({ dataDir, pgliteWasmModule, startParams: START, initDbStartParams: EMBEDDED_INITDB });
    return databaseOn(await open(), { afterClose: unlock, reopen: open, log });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * V8 replaces what it compiled in haste by better code, and frees the first while other functions are compiled; now and then the process dies
 * of that (nodejs/node#64500, see `compiledCode`). Both are kept instead: some megabytes for a database.
 */
function keepCompiledFunctions(): void {
  setFlagsFromString("--no-wasm-code-gc");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Milliseconds between two tries to open a database again whose server has ended itself. */
const REOPEN_EVERY = 5_000;

interface OnPGlite {
  /** Gives the folder free. */
  readonly afterClose: () => Promise<void>;
  /** Opens the same folder once more; without it a server that has ended itself stays away. */
  readonly reopen?: () => Promise<PGlite>;
  readonly log?: Logger;
}

/** A database on an open PGlite, and on its successors: a server that ends itself, for a full disk, is opened again by who asks next. */
export function databaseOn(first: PGlite, { afterClose, reopen, log }: OnPGlite): Database {
  const inTurn = turns();
  let server: Server = { pglite: first, ended: undefined };
  let triedAt = Number.NEGATIVE_INFINITY;
  let closing: Promise<void> | undefined;

  async function alive(): Promise<Server> {
    if (server.ended === undefined) return server;
    if (reopen === undefined || performance.now() - triedAt < REOPEN_EVERY) throw server.ended;
    triedAt = performance.now();
    try {
      server = { pglite: await reopen(), ended: undefined };
      log?.warn({}, "the embedded database had ended itself and was opened again");
      return server;
    } catch (error) {
      log?.warn({ error: messageOf(error), ended: messageOf(server.ended) }, "the embedded database cannot be opened again yet");
      throw server.ended;
    }
  }
  const asked = <T>(work: (on: Server) => Promise<T>): Promise<T> => inTurn(async () => work(await alive()));

  return {
    kind: "embedded",
    query: (text, params) => asked((on) => executorOn(on).query(text, params)),
    // A script that fails in its own `begin … commit` leaves the one connection in a failed transaction.
    executeSql: (text, values) => asked((on) => rollbackOnError(on, () => executorOn(on).executeSql(text, values))),
    transaction: (work) =>
      asked((on) =>
        rollbackOnError(on, async () => {
          await ask(on, () => on.pglite.exec("begin"));
          const result = await work(executorOn(on));
          assertCommitted((await ask(on, () => on.pglite.query("commit"))).command);
          return result;
        }),
      ),
    isReady: () => Promise.resolve(server.ended === undefined && server.pglite.ready && !server.pglite.closed),
    close: () =>
      (closing ??= inTurn(async () => {
        if (server.ended === undefined) await server.pglite.close();
        await afterClose();
      })),
  };
}

/** A PGlite, and the error with which its server has ended itself. */
interface Server {
  readonly pglite: PGlite;
  ended: unknown;
}

/** Asks a server that has not ended itself. One that has would never answer, and hold up the whole process meanwhile. */
async function ask<T>(on: Server, work: () => Promise<T>): Promise<T> {
  if (on.ended !== undefined) throw on.ended;
  try {
    return await work();
  } catch (error) {
    if (isLast(error)) on.ended = error;
    throw error;
  }
}

/** PostgreSQL ends itself after these two; whatever WebAssembly itself throws leaves a broken memory. */
function isLast(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "RuntimeError" || ("severity" in error && (error.severity === "PANIC" || error.severity === "FATAL"));
}

function executorOn(on: Server): Executor {
  const { pglite } = on;
  return {
    query: async <R extends object = Row>(text: string, params: readonly unknown[] = []) =>
      (await ask(on, () => pglite.query<R>(text, [...params]))).rows,
    executeSql: async (text, values) => {
      if (values?.length) return ask(on, () => pglite.query<Row>(text, values));
      const results = await ask(on, () => pglite.exec(text));
      return { rows: results.flatMap(({ rows }) => rows as unknown[]) };
    },
  };
}

async function rollbackOnError<T>(on: Server, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Outside a transaction this is a warning that nobody sees.
    if (!on.pglite.closed) await ask(on, () => on.pglite.exec("rollback")).catch(() => undefined);
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
