import type { Usage } from "../core/conversation.ts";
import type { JournalEntry } from "../core/journal.ts";

/** What one answer of a model used; `usd` where its price was known. */
interface Answer {
  readonly usage: Usage;
  readonly usd?: number;
}

/** The model's answer in a row of the journal: a turn, a summary, or one of both inside a call. */
export function answerIn(entry: JournalEntry): Answer | undefined {
  if (entry.kind === "turn") return entry;
  if (entry.kind === "compacted") return entry.summary;
  return entry.kind === "nested" ? answerIn(entry.entry) : undefined;
}

/**
 * Adds to what the run `$1` used today (of UTC), where the row before it was `written`; `usageValues` are `$6` and on. The actor is the one
 * object of this name in a stored request; SQL cannot reach into the request as JSON, whose texts may hold what no text column takes, but
 * inside them every quotation mark has a backslash before it.
 */
export const ADD_USAGE = `
  insert into sallyport.usage as u (run_id, day, repository_id, installation_id, actor_id, input, cached, output, usd, answers, unpriced)
  select r.id, (now() at time zone 'utc')::date, r.repository_id, r.installation_id,
    coalesce(substring(r.request::text from '"actor":[{][^}]*"id":([0-9]+)')::bigint, 0),
    $6::bigint, $7::bigint, $8::bigint, coalesce($9::float8, 0), 1, ($9::float8 is null)::integer
  from written, sallyport.runs r where r.id = $1
  on conflict (run_id, day) do update set input = u.input + excluded.input, cached = u.cached + excluded.cached,
    output = u.output + excluded.output, usd = u.usd + excluded.usd, answers = u.answers + 1, unpriced = u.unpriced + excluded.unpriced`;

export function usageValues({ usage: { input, cached, output }, usd }: Answer): readonly unknown[] {
  return [input, cached, output, usd ?? null];
}
