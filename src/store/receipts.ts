import type { Executor } from "./sql.ts";

/** A key that receipts are, or were, signed with: its public half. */
export interface StoredKey {
  /** The key's thumbprint. */
  readonly kid: string;
  /** The key's bytes, base64url. */
  readonly x: string;
  readonly addedAt: Date;
  /** When a process last started with it. */
  readonly usedAt: Date;
}

/** Lists keys for all machines that share the database. A key that was listed once stays: what it has signed stays good. */
export async function listKeys(database: Executor, keys: readonly Pick<StoredKey, "kid" | "x">[]): Promise<void> {
  for (const { kid, x } of keys) {
    await database.query("insert into sallyport.receipt_keys (kid, x) values ($1, $2) on conflict (kid) do update set used_at = now()", [
      kid,
      x,
    ]);
  }
}

/** All listed keys, the one that was used last first. */
export async function listedKeys(database: Executor): Promise<readonly StoredKey[]> {
  const rows = await database.query<{ kid: string; x: string; added_at: Date; used_at: Date }>(
    "select kid, x, added_at, used_at from sallyport.receipt_keys order by used_at desc, kid limit 100",
  );
  return rows.map(({ kid, x, added_at, used_at }) => ({ kid, x, addedAt: added_at, usedAt: used_at }));
}

/** Keeps a run's receipt in place of an earlier one. */
export async function keepReceipt(database: Executor, runId: string, envelope: string): Promise<void> {
  await database.query(
    `insert into sallyport.receipts (run_id, envelope) values ($1, $2)
     on conflict (run_id) do update set envelope = excluded.envelope, made_at = now()`,
    [runId, envelope],
  );
}

/** A run's receipt; undefined where it has none. */
export async function readReceipt(database: Executor, runId: string): Promise<string | undefined> {
  const [row] = await database.query<{ envelope: string }>("select envelope from sallyport.receipts where run_id = $1", [runId]);
  return row?.envelope;
}
