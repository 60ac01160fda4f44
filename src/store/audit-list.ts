import type { Executor } from "./sql.ts";

/** What rows of the audit log can be narrowed to. */
export const AUDIT_TOPICS = ["written", "decided", "held-back", "asked", "answered"] as const;
export type AuditTopic = (typeof AUDIT_TOPICS)[number];

export interface AuditFilter {
  readonly topic?: AuditTopic;
  /** `owner/name` as the repository was called then, in any case. */
  readonly repository?: string;
  readonly run?: string;
  /** A position: only rows before it. */
  readonly before?: number;
}

export interface ListedAudit {
  readonly position: number;
  /** Canonical JSON. */
  readonly entry: string;
}

/** Each of these is an index; see the migrations. */
const KIND = `substring(entry from '"kind":"([^"]*)"')`;
const VERDICT = `substring(entry from '"verdict":"([^"]*)"')`;
const REPOSITORY = `lower(substring(entry from '"repository":"([^"]*)"'))`;

const TOPICS: Readonly<Record<AuditTopic, string>> = {
  written: `${KIND} = 'outcome'`,
  decided: `${KIND} = 'decision'`,
  "held-back": `${VERDICT} = 'block'`,
  asked: `${VERDICT} = 'ask'`,
  answered: `${KIND} = 'answer'`,
};

/** At most `limit` rows of the audit log, newest first. */
export async function listAudit(
  database: Executor,
  { topic, repository, run, before }: AuditFilter,
  limit: number,
): Promise<readonly ListedAudit[]> {
  const values: unknown[] = [limit];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    ...(topic === undefined ? [] : [TOPICS[topic]]),
    ...(repository === undefined ? [] : [`${REPOSITORY} = ${place(repository.toLowerCase())}`]),
    ...(run === undefined ? [] : [`run_id = ${place(run)}`]),
    ...(before === undefined ? [] : [`position < ${place(before)}`]),
  ];
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const rows = await database.query<{ position: string | number; entry: string }>(
    `select position, entry from sallyport.audit ${where} order by position desc limit $1`,
    values,
  );
  return rows.map(({ position, entry }) => ({ position: Number(position), entry }));
}
