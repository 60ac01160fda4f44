import { Pool, type PoolClient, type QueryResult } from "pg";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { assertCommitted, type Database, type Executor } from "./sql.ts";

/** Connections of one process. A worker needs few: runs wait for the model most of the time. */
const CONNECTIONS = 10;
/** Milliseconds. A webhook must be refused, not kept waiting, while the database is away. */
const CONNECT_TIMEOUT = 5_000;
const QUERY_TIMEOUT = 30_000;
/** Scripts are migrations: on a large database they take their time. */
const SCRIPT_TIMEOUT = 3_600_000;
/** A process that is frozen inside a transaction must not keep others from taking its runs over. */
const IDLE_TRANSACTION_TIMEOUT = 10_000;
const READY_TIMEOUT = 2_000;

/** Opens a pool on PostgreSQL and asks it one question. @throws {ConfigurationError} when it does not answer. */
export async function openPostgres({ url, log }: { readonly url: string; readonly log: Logger }): Promise<Database> {
  const pool = new Pool({
    ...parse(url),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: QUERY_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT,
    keepAlive: true,
    application_name: "sallyport",
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", (error) => log.warn({ error: error.message }, "a database connection was lost"));
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw new ConfigurationError(`DATABASE_URL: PostgreSQL at ${placeOf(url)} does not answer: ${reasonOf(error)}.`, {
      code: "database-unreachable",
      hint: "Check host, port, user, password and database name, or unset DATABASE_URL to use the embedded database.",
      cause: error,
    });
  }
  let closing: Promise<void> | undefined;
  return {
    kind: "postgres",
    ...executorOn(pool),
    transaction: (work) => transactionOn(pool, work),
    isReady: () => isReady(pool),
    close: () => (closing ??= pool.end()),
  };
}

function parse(url: string): { readonly connectionString: string } {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new ConfigurationError("DATABASE_URL is not a PostgreSQL address.", {
      code: "database-url",
      hint: "It looks like postgres://user:password@host:5432/database.",
    });
  }
  return { connectionString: url };
}

/** A host with several addresses fails with a list of errors whose own message is empty. */
function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(first);
}

/** Host, port and database of a connection string: never its user and password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const names = new Map<string, string>();

/** The name under which every connection keeps a statement. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `sallyport_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** One that runs on a pool or on the one connection of a transaction. */
function executorOn(client: Pool | PoolClient): Executor {
  return {
    query: async <R extends object>(text: string, params: readonly unknown[] = [], { isKept = false } = {}) =>
      (await client.query<R>({ text, values: [...params], ...(isKept ? { name: nameOf(text) } : {}) })).rows,
    executeSql: async (text, values) => {
      if (values?.length) return client.query(text, values);
      // Without values the driver uses the simple protocol, where several statements answer with several results.
      const script = { text, query_timeout: SCRIPT_TIMEOUT };
      const result = (await client.query(script)) as QueryResult | QueryResult[];
      return { rows: Array.isArray(result) ? result.flatMap(({ rows }) => rows as unknown[]) : result.rows };
    },
  };
}

async function transactionOn<T>(pool: Pool, work: (tx: Executor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A checked-out connection reports its loss on itself, not on the pool.
  const onError = (error: Error): void => void (broken = error);
  client.on("error", onError);
  try {
    await client.query("begin");
    const result = await work(executorOn(client));
    assertCommitted((await client.query("commit")).command);
    return result;
  } catch (error) {
    try {
      await client.query("rollback");
    } catch (failure) {
      // The connection is in an unknown state: it is closed, which rolls back on the server.
      broken = failure instanceof Error ? failure : new Error(String(failure));
    }
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

async function isReady(pool: Pool): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), READY_TIMEOUT);
  try {
    return await Promise.race([pool.query("select 1").then(() => true as const), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
