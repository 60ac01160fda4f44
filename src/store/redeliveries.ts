import type { Executor } from "./sql.ts";

/** Those of the delivery ids that made a run here: their acknowledgement was lost on its way. */
export async function knownDeliveries(database: Executor, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>("select id from sallyport.deliveries where id = any($1::text[])", [guids]);
  return new Set(rows.map(({ id }) => id));
}

/** Takes the right to ask for a delivery again; false when somebody has had it before. */
export async function claimRedelivery(database: Executor, guid: string): Promise<boolean> {
  const rows = await database.query("insert into sallyport.redeliveries (guid) values ($1) on conflict do nothing returning guid", [guid]);
  return rows.length > 0;
}

/** Gives the right back: GitHub has refused, and nothing was sent. */
export async function releaseRedelivery(database: Executor, guid: string): Promise<void> {
  await database.query("delete from sallyport.redeliveries where guid = $1", [guid]);
}
