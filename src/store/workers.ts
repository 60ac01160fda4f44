import type { Executor } from "./sql.ts";

/** A process that takes runs, as it says of itself. */
export interface Worker {
  /** Of the process: another one for each start. */
  readonly id: string;
  readonly host: string;
  /** Of the product. */
  readonly version: string;
  /** Runs that it works on at once. */
  readonly slots: number;
}

export interface SeenWorker extends Worker {
  readonly since: Date;
  readonly seen: Date;
}

/** Says that the process is there. */
export async function noteWorker(database: Executor, { id, host, version, slots }: Worker): Promise<void> {
  await database.query(
    `insert into sallyport.workers (id, host, version, slots) values ($1, $2, $3, $4)
     on conflict (id) do update set seen_at = now()`,
    [id, host, version, slots],
  );
}

/** Says that the process is there no more. */
export async function removeWorker(database: Executor, id: string): Promise<void> {
  await database.query("delete from sallyport.workers where id = $1", [id]);
}

/** Those seen last first; one that ended without a word stays for a day. */
export async function listWorkers(database: Executor, limit: number): Promise<readonly SeenWorker[]> {
  return database.query<SeenWorker>(
    "select id, host, version, slots, since, seen_at as seen from sallyport.workers order by seen_at desc, id limit $1",
    [limit],
  );
}
