import { addUsage, NO_USAGE, type Usage } from "../core/conversation.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { RunRequest, RunState, Trigger } from "../core/run.ts";
import { readRun, type StoredRun } from "./runs.ts";
import type { Executor } from "./sql.ts";

/** What narrows a list of runs; what is left out does not. */
export interface RunFilter {
  /** `owner/name` as the repository is called now, in any case; a run keeps its repository through a rename. */
  readonly repository?: string;
  readonly state?: RunState;
  readonly trigger?: Trigger;
  /** Only runs that are older than the one at this position. */
  readonly before?: number;
}

/** One line of a list. */
export interface ListedRun {
  readonly id: string;
  /** Its place among all runs: later ones have higher numbers. */
  readonly position: number;
  readonly state: RunState;
  readonly request: RunRequest;
  readonly createdAt: Date;
  /** What the run used so far, subagents and summaries included. */
  readonly tokens: number;
}

/** One row of a run's journal with what the database knows of it. */
export interface JournalRow {
  /** Its place in the journal, from 1. */
  readonly sequence: number;
  /** The attempt that wrote it. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly entry: JournalEntry;
}

/** One run with its transcript. */
export interface RunTranscript {
  readonly run: StoredRun;
  readonly usage: Usage;
  /** United States dollars; absent where no price was known. */
  readonly usd?: number;
  /** Oldest first; when there are more than were asked for, the newest. */
  readonly rows: readonly JournalRow[];
  /** Rows before the first of `rows`. */
  readonly omitted: number;
}

/**
 * The journal's rows `j` in which a model was asked: turns, summaries, and both of them inside a call. Rows of the other kinds named here make
 * an `ASKED` without a usage.
 */
export const MAY_ASK = "j.kind in ('turn', 'nested', 'compacted')";
/**
 * The answer in such a row, with its `usage` and its `usd`. To look into a `json` value PostgreSQL unescapes all of its strings and gives up at
 * a NUL or half a surrogate pair, which the texts of models may hold; such escapes are made harmless first. Only numbers are read from it.
 */
export const ASKED = askedIn(String.raw`
  (case when strpos(j.entry::text, '\u') = 0 then j.entry
   else regexp_replace(j.entry::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json end)`);

function askedIn(row: string): string {
  return `(case j.kind when 'turn' then ${row} when 'compacted' then ${row} -> 'summary'
    else coalesce(${row} -> 'entry' -> 'summary', ${row} -> 'entry') end)`;
}

/** At most `limit` runs, newest first. */
export async function listRuns(database: Executor, { repository, state, trigger, before }: RunFilter, limit: number): Promise<ListedRun[]> {
  const [owner, name] = repository === undefined ? [] : splitName(repository);
  const rows = await database.query<{
    id: string;
    position: number;
    state: RunState;
    request: RunRequest;
    created_at: Date;
    tokens: number;
  }>(
    `select r.id, r.position::float8 as position, r.state, r.request, r.created_at, t.tokens
     from (
       select id, state, request, created_at, position from sallyport.runs
       where ($1::text is null or state = $1)
         and ($2::text is null or trigger = $2)
         and ($6::bigint is null or position < $6)
         and ($3::text is null or repository_id in (
           select repository_id from sallyport.runs
           where position in (select max(position) from sallyport.runs group by repository_id)
             and strpos(lower(request::text), $3) > 0 and strpos(lower(request::text), $4) > 0
         ))
       order by position desc limit $5
     ) r
     left join lateral (
       select coalesce(sum(input + output), 0)::float8 as tokens from sallyport.usage where run_id = r.id
     ) t on true
     order by r.position desc`,
    [
      state ?? null,
      trigger ?? null,
      owner === undefined ? null : member("owner", owner),
      name === undefined ? null : member("name", name),
      limit,
      before ?? null,
    ],
  );
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at }));
}

/** How many runs are queued, and how many are at work. */
export async function countUnfinished(database: Executor): Promise<{ readonly queued: number; readonly working: number }> {
  const rows = await database.query<{ state: RunState; runs: number }>(
    "select state, count(*)::integer as runs from sallyport.runs where state in ('queued', 'working') group by state",
  );
  const of = (wanted: RunState): number => rows.find(({ state }) => state === wanted)?.runs ?? 0;
  return { queued: of("queued"), working: of("working") };
}

/** One run with the newest `limit` rows of its journal, or those before one of them; undefined when there is no such run. */
export async function readTranscript(
  database: Executor,
  id: string,
  { limit, before }: { readonly limit: number; readonly before?: number },
): Promise<RunTranscript | undefined> {
  const run = await readRun(database, id);
  if (run === undefined) return undefined;
  const newestFirst = await database.query<{ sequence: number; attempt: number; created_at: Date; entry: JournalEntry }>(
    "select sequence, attempt, created_at, entry from sallyport.journal where run_id = $1 and sequence < $3 order by sequence desc limit $2",
    [id, limit, before ?? 2_147_483_647],
  );
  const rows = newestFirst
    .map(({ sequence, attempt, created_at, entry }): JournalRow => ({ sequence, attempt, createdAt: created_at, entry }))
    .reverse();
  const usages = await database.query<{ usage: Usage | null; usd: number | null }>(
    `select ${ASKED} -> 'usage' as usage, (${ASKED} ->> 'usd')::float8 as usd from sallyport.journal j where j.run_id = $1 and ${MAY_ASK}`,
    [id],
  );
  const costs = usages.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    run,
    ...(costs.length === 0 ? {} : { usd: costs.reduce((sum, usd) => sum + usd, 0) }),
    usage: usages.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE),
    rows,
    omitted: (rows[0]?.sequence ?? 1) - 1,
  };
}

/** `owner/name`; anything else names no repository. */
function splitName(repository: string): readonly [string, string] {
  const [owner = "", name = "", ...rest] = repository.toLowerCase().split("/");
  return rest.length > 0 ? ["", ""] : [owner, name];
}

/**
 * A member with a string value as it stands in a stored request, where each of these names occurs once. Inside a JSON string every quotation
 * mark has a backslash before it, so no text of a person can look like it.
 */
function member(name: "owner" | "name", value: string): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
