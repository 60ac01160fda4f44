import type { RunRequest } from "../core/run.ts";
import type { Executor } from "./sql.ts";

/** A question that people can answer now, and the run that asked it. */
export interface OpenQuestion {
  readonly id: string;
  readonly run: string;
  readonly request: RunRequest;
  /** What waits, by its kind. */
  readonly operation: string;
  readonly requestedAt: Date;
  readonly expires: Date;
}

interface QuestionRow {
  readonly id: string;
  readonly run_id: string;
  readonly request: RunRequest;
  readonly operation: string;
  readonly requested_at: Date;
  readonly expires_at: Date;
}

/** At most `limit` questions of waiting runs, the one that has waited longest first. */
export async function listOpenQuestions(database: Executor, limit: number): Promise<OpenQuestion[]> {
  const rows = await database.query<QuestionRow>(
    `select a.id, a.run_id, r.request, a.operation, a.requested_at, a.expires_at
     from sallyport.approvals a join sallyport.runs r on r.id = a.run_id
     where a.answer is null and a.voided_at is null and a.expires_at > now() and r.state = 'waiting'
     order by a.requested_at, a.id limit $1`,
    [limit],
  );
  return rows.map(({ id, run_id, request, operation, requested_at, expires_at }) => ({
    id,
    run: run_id,
    request,
    operation,
    requestedAt: requested_at,
    expires: expires_at,
  }));
}
