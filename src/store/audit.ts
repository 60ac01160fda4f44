import { createHash } from "node:crypto";
import type { RunRequest } from "../core/run.ts";
import { countDecision } from "./gate-days.ts";
import type { Database, Executor } from "./sql.ts";

/** Any fixed number, the same in every process: whoever holds it writes the next row. */
const AUDIT_LOCK = 7_255_012_320;
/** Rows read at a time. */
const PAGE = 500;
/** What the first row of all follows. */
const BEGINNING = "0".repeat(64);

/** What a row says: plain JSON, without secrets and without whole texts. `run` and `kind` are read from it. */
export interface AuditFacts {
  readonly kind: string;
  /** The run's id, where there is one. */
  readonly run?: string;
  readonly [fact: string]: Json | undefined;
}
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** One row of the log, as it is exported. */
export interface AuditRow {
  /** From 1, without gaps. */
  readonly position: number;
  /** SHA-256 over the hash before it and its own entry, hex. */
  readonly hash: string;
  readonly previous: string;
  /** Canonical JSON of what happened, with its time and, where the run is known, who asked for it. */
  readonly entry: string;
}

interface StoredRow {
  readonly position: string | number;
  readonly hash: string;
  readonly previous: string;
  readonly entry: string;
}

/**
 * Appends one row; durable once resolved. Writers of all machines take turns, so the rows are one chain. Who asked for a run is read from
 * the run itself, not from whoever writes the row.
 */
export async function appendAudit(database: Database, facts: AuditFacts, now: Date = new Date()): Promise<AuditRow> {
  return database.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [AUDIT_LOCK]);
    const [last] = await tx.query<StoredRow>("select position, hash, previous, entry from sallyport.audit order by position desc limit 1");
    const asker = await askerOf(tx, facts.run);
    const at = now.toISOString();
    const entry = canonicalJson({ ...facts, at, ...(asker === undefined ? {} : { asker }) });
    const previous = last?.hash ?? BEGINNING;
    const row = { position: Number(last?.position ?? 0) + 1, hash: hashOf(previous, entry), previous, entry };
    await tx.query("insert into sallyport.audit (position, at, run_id, entry, previous, hash) values ($1, $2, $3, $4, $5, $6)", [
      row.position,
      at,
      facts.run ?? null,
      entry,
      previous,
      row.hash,
    ]);
    await countDecision(tx, facts, at);
    return row;
  });
}

async function askerOf(tx: Executor, run: string | undefined): Promise<Json | undefined> {
  if (run === undefined) return undefined;
  // Whole, and taken apart here: SQL cannot reach into a request whose texts hold what no text column takes.
  const [row] = await tx.query<{ request: RunRequest }>("select request from sallyport.runs where id = $1", [run]);
  return row === undefined ? undefined : { id: row.request.actor.id, login: row.request.actor.login };
}

/** All rows in order, read page by page. */
export async function* readAudit(database: Executor, { after = 0 }: { readonly after?: number } = {}): AsyncGenerator<AuditRow> {
  for (let position = after; ;) {
    const rows = await database.query<StoredRow>(
      "select position, hash, previous, entry from sallyport.audit where position > $1 order by position limit $2",
      [position, PAGE],
    );
    for (const row of rows) yield { ...row, position: Number(row.position) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    position = Number(last.position);
  }
}

/** The log as JSON lines: whoever holds an export can check it without this product (docs/gate.md says how). */
export async function* exportAudit(database: Executor): AsyncGenerator<string> {
  for await (const row of readAudit(database)) yield `${JSON.stringify(row)}\n`;
}

export type ChainVerdict =
  /** `first` is above 1 once the oldest rows have gone; an empty log has no last hash. */
  | {
      readonly ok: true;
      readonly rows: number;
      readonly first?: number;
      readonly last?: { readonly position: number; readonly hash: string };
    }
  | { readonly ok: false; readonly position: number; readonly why: string };

/** Looks whether rows are one unbroken chain. What was cut off its end shows only against an earlier export: keep the last hash elsewhere. */
export async function verifyChain(rows: AsyncIterable<AuditRow> | Iterable<AuditRow>): Promise<ChainVerdict> {
  let first: AuditRow | undefined;
  let before: AuditRow | undefined;
  let count = 0;
  for await (const row of rows) {
    const { position, hash, previous, entry } = row;
    const broken = (why: string): ChainVerdict => ({ ok: false, position, why });
    if (before !== undefined && position !== before.position + 1) return broken(`row ${before.position + 1} is missing`);
    if (before !== undefined && previous !== before.hash) return broken("it does not follow the row before it");
    if (before === undefined && position === 1 && previous !== BEGINNING) return broken("the first row follows another one");
    if (hashOf(previous, entry) !== hash) return broken("its entry is not the one that was hashed");
    first ??= row;
    before = row;
    count += 1;
  }
  if (first === undefined || before === undefined) return { ok: true, rows: 0 };
  return { ok: true, rows: count, first: first.position, last: { position: before.position, hash: before.hash } };
}

function hashOf(previous: string, entry: string): string {
  return createHash("sha256").update(`${previous}\n${entry}`).digest("hex");
}

/** JSON with sorted keys and well-formed text: one value, one spelling. */
function canonicalJson(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value.toWellFormed().replaceAll("\0", "\ufffd"));
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value as { readonly [key: string]: Json | undefined }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`)
    .join(",")}}`;
}
