import type { Executor } from "./sql.ts";

/** What became of the questions that were asked of people since some day. */
export interface Fates {
  readonly approved: number;
  readonly denied: number;
  /** Nobody answered in time. */
  readonly expired: number;
  /** The run asked about something else instead. */
  readonly voided: number;
  readonly waiting: number;
  /** Seconds until half of the answers were there; absent without an answer. */
  readonly medianSeconds?: number;
}

/** Questions of runs that are kept, asked on that day (`2026-12-01`, of UTC) or later. */
export async function readFates(database: Executor, since: string): Promise<Fates> {
  const [row] = await database.query<Omit<Fates, "medianSeconds"> & { readonly median: number | null }>(
    `select count(*) filter (where answer = 'approved')::integer as approved, count(*) filter (where answer = 'denied')::integer as denied,
       count(*) filter (where answer is null and voided_at is not null)::integer as voided,
       count(*) filter (where answer is null and voided_at is null and expires_at <= now())::integer as expired,
       count(*) filter (where answer is null and voided_at is null and expires_at > now())::integer as waiting,
       percentile_cont(0.5) within group (order by extract(epoch from answered_at - requested_at))
         filter (where answer is not null) as median
     from sallyport.approvals where requested_at >= $1::date::timestamp at time zone 'utc'`,
    [since],
  );
  const { median = null, approved = 0, denied = 0, expired = 0, voided = 0, waiting = 0 } = row ?? {};
  return { approved, denied, expired, voided, waiting, ...(median === null ? {} : { medianSeconds: median }) };
}
