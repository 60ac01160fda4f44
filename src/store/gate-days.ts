import type { Executor } from "./sql.ts";

/** How many decisions had one verdict on one day. */
export interface GateDay {
  /** `2026-12-01`, of UTC. */
  readonly day: string;
  readonly verdict: string;
  readonly decisions: number;
}

/** In how many decisions of one verdict a rule spoke, and how often. */
export interface RuleCount {
  readonly rule: string;
  readonly severity: string;
  readonly verdict: string;
  readonly decisions: number;
  readonly findings: number;
}

/** Counts a row of the audit log on its day, where it is a decision. To be called under the log's lock, so that no two writers wait for each other. */
export async function countDecision(
  tx: Executor,
  facts: { readonly kind: string; readonly [fact: string]: unknown },
  at: string,
): Promise<void> {
  const { kind, verdict, rules } = facts;
  if (kind !== "decision" || typeof verdict !== "string") return;
  const spoken = Array.isArray(rules) ? rules.filter(isSpoken) : [];
  const rows = [{ rule: "", severity: "", findings: 0 }, ...spoken];
  await tx.query(
    `insert into sallyport.gate_days as g (day, verdict, rule, severity, decisions, findings)
     select ($1::timestamptz at time zone 'utc')::date, $2, r.rule, r.severity, count(*), sum(r.findings)
     from unnest($3::text[], $4::text[], $5::bigint[]) as r (rule, severity, findings) group by r.rule, r.severity
     on conflict (day, verdict, rule, severity) do update
     set decisions = g.decisions + excluded.decisions, findings = g.findings + excluded.findings`,
    [at, verdict, rows.map(({ rule }) => rule), rows.map(({ severity }) => severity), rows.map(({ findings }) => findings)],
  );
}

/** Decisions of that day (`2026-12-01`, of UTC) and later, oldest first. */
export async function readGateDays(database: Executor, since: string): Promise<readonly GateDay[]> {
  return database.query<GateDay>(
    `select to_char(day, 'YYYY-MM-DD') as day, verdict, decisions::float8 as decisions
     from sallyport.gate_days where day >= $1::date and rule = '' order by day, verdict`,
    [since],
  );
}

/** What each rule found in the decisions of that day and later. */
export async function countRules(database: Executor, since: string): Promise<readonly RuleCount[]> {
  return database.query<RuleCount>(
    `select rule, severity, verdict, sum(decisions)::float8 as decisions, sum(findings)::float8 as findings
     from sallyport.gate_days where day >= $1::date and rule <> '' group by rule, severity, verdict order by rule, severity, verdict`,
    [since],
  );
}

function isSpoken(rule: unknown): rule is Pick<RuleCount, "rule" | "severity" | "findings"> {
  return typeof rule === "object" && rule !== null && "rule" in rule && "severity" in rule && "findings" in rule;
}
