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

/** Adds to what the run `$1` used today (of UTC), where the row before it was `written`; `usageValues` are `$6` and on. */
export const ADD_USAGE = `
  insert into sallyport.usage as u (run_id, day, input, cached, output, usd, answers, unpriced)
  select $1, (now() at time zone 'utc')::date, $6::bigint, $7::bigint, $8::bigint, coalesce($9::float8, 0), 1, ($9::float8 is null)::integer
  from written
  on conflict (run_id, day) do update set input = u.input + excluded.input, cached = u.cached + excluded.cached,
    output = u.output + excluded.output, usd = u.usd + excluded.usd, answers = u.answers + 1, unpriced = u.unpriced + excluded.unpriced`;

export function usageValues({ usage: { input, cached, output }, usd }: Answer): readonly unknown[] {
  return [input, cached, output, usd ?? null];
}
