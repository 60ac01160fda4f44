/** A row as the drivers give it: columns by name. */
export type Row = Record<string, unknown>;

/** Where SQL is run: the database, or one transaction of it. */
export interface Executor {
  /** Runs one statement with `$1` placeholders. `isKept`: it is asked often, always in these very words, and is planned once a connection. */
  query<R extends object = Row>(text: string, params?: readonly unknown[], options?: { readonly isKept?: boolean }): Promise<R[]>;
  /** The same in the shape that the job queue wants. Without values, `text` may hold several statements. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** The database of one process: PostgreSQL, or PGlite in process. The same SQL runs on both. */
export interface Database extends Executor {
  /** `embedded` belongs to this process alone. */
  readonly kind: "postgres" | "embedded";
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. Inside, only `tx` may be awaited: the embedded
   * database has one connection, and a query beside the transaction waits for its end.
   */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
  /** Whether a query is answered within two seconds. Never throws. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A transaction in which a statement failed answers `commit` with a rollback, and no error. @throws when `command`, what the commit was
 * answered with, says so.
 */
export function assertCommitted(command: string | undefined): void {
  if (command !== "COMMIT") throw new Error(`The transaction was not committed (${command}): a statement in it had failed.`);
}
