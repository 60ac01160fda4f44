import { ConfigurationError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Database } from "./sql.ts";

/** Any fixed number, the same in every process: whoever holds it migrates. */
const MIGRATION_LOCK = 7_255_012_319;

/** Numbered from 1, applied in order, never edited once released. The same SQL runs on PGlite and on PostgreSQL 15. */
export const MIGRATIONS: readonly string[] = [
  `
  create table sallyport.deliveries (
    id text primary key,
    received_at timestamptz not null default now()
  );

  -- Texts of people and models may hold what jsonb refuses (a NUL, half a surrogate pair): json keeps the very text.
  create table sallyport.runs (
    id text primary key,
    position bigint generated always as identity unique,
    delivery_id text not null,
    request json not null,
    thread text not null,
    installation_id bigint not null,
    repository_id bigint not null,
    state text not null default 'queued' check (
      state in ('queued', 'working', 'done', 'blocked', 'waiting', 'failed', 'cancelled', 'out-of-budget')
    ),
    accepted_at timestamptz,
    attempt integer not null default 0,
    failures integer not null default 0,
    losses integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  create unique index runs_one_working on sallyport.runs (thread) where state = 'working';
  create index runs_unfinished on sallyport.runs (thread, position) where state in ('queued', 'working');
  create index runs_repository on sallyport.runs (repository_id, position);

  create table sallyport.journal (
    run_id text not null references sallyport.runs (id) on delete cascade,
    sequence integer not null,
    attempt integer not null,
    kind text not null,
    entry json not null,
    created_at timestamptz not null default now(),
    primary key (run_id, sequence)
  );

  create table sallyport.blobs (
    run_id text not null references sallyport.runs (id) on delete cascade,
    sha text not null,
    content bytea not null,
    primary key (run_id, sha)
  );
  `,
  `
  -- What the gate decided and what became of it. No key to runs: these rows outlive them.
  create table sallyport.audit (
    position bigint primary key check (position > 0),
    at timestamptz not null,
    run_id text,
    -- The very text that was hashed.
    entry text not null,
    previous text not null,
    hash text not null unique
  );
  create index audit_run on sallyport.audit (run_id, position);

  create function sallyport.keep_audit() returns trigger language plpgsql as $$
  begin
    -- Rows whose time is over may go, when all rows before them may go too: what is left is one chain.
    if tg_op = 'DELETE' then
      if old.at < now() - interval '400 days' and not exists (
        select 1 from sallyport.audit a where a.position < old.position and a.at >= now() - interval '400 days'
      ) then
        return old;
      end if;
    end if;
    raise exception 'rows of the audit log are neither changed nor removed';
  end $$;
  create trigger audit_row before update or delete on sallyport.audit for each row execute function sallyport.keep_audit();
  create trigger audit_table before truncate on sallyport.audit for each statement execute function sallyport.keep_audit();

  create table sallyport.approvals (
    id text primary key,
    run_id text not null references sallyport.runs (id) on delete cascade,
    -- Of the change set and all texts, to the byte.
    digest text not null,
    operation text not null,
    findings json not null,
    requested_at timestamptz not null default now(),
    expires_at timestamptz not null,
    answer text check (answer in ('approved', 'denied')),
    answered_by json,
    answered_at timestamptz,
    check ((answer is null) = (answered_at is null))
  );
  create index approvals_operation on sallyport.approvals (run_id, digest, requested_at);
  `,
  `
  -- How people, or time, end a run that has not ended by itself; who works on it, or takes it next, brings it to that end.
  alter table sallyport.runs add column ending json;
  -- Somebody has been called to do so.
  alter table sallyport.runs add column ending_called boolean not null default false;
  create index runs_to_end on sallyport.runs (position) where ending is not null and state in ('queued', 'working');
  create index runs_waiting on sallyport.runs (position) where state = 'waiting';
  create index runs_thread on sallyport.runs (thread, position);

  -- Set once the run has asked about something else: one run has one question.
  alter table sallyport.approvals add column voided_at timestamptz;

  -- Threads on which nothing but commands is heard.
  create table sallyport.muted_threads (
    thread text primary key,
    repository_id bigint not null,
    muted_by json not null,
    muted_at timestamptz not null default now()
  );
  `,
  `
  -- Faulty versions of configuration files that people were told about. The run may be forgotten; that it told stays.
  create table sallyport.fault_reports (
    version text primary key,
    run_id text not null,
    reported_at timestamptz not null default now()
  );
  `,
  `
  -- What runs noted about their repositories, and what people keep of it. No key to runs: what is kept outlives them.
  create table sallyport.facts (
    repository_id bigint not null,
    key text not null,
    -- Null asks to forget what is kept under the key.
    value text,
    state text not null check (state in ('noted', 'kept')),
    run_id text not null,
    thread text not null,
    asker json not null,
    noted_at timestamptz not null default now(),
    kept_by json,
    check ((state = 'kept') = (kept_by is not null)),
    check (state = 'noted' or value is not null)
  );
  create unique index facts_kept on sallyport.facts (repository_id, key) where state = 'kept';
  create unique index facts_noted on sallyport.facts (repository_id, run_id, key) where state = 'noted';
  `,
  `
  -- What the code graph knows of blobs, for all repositories that hold them; can be made again from the blobs at any time.
  create table sallyport.graph_facts (
    key text primary key,
    facts bytea not null,
    used_at timestamptz not null default now()
  );
  create index graph_facts_used on sallyport.graph_facts (used_at);
  `,
  `
  -- What is paused: 'all', or the id of an installation. Runs wait meanwhile.
  create table sallyport.pauses (
    scope text primary key,
    paused_at timestamptz not null default now()
  );
  `,
  `
  -- What one process does for all of them: when it was begun last, and how far it came.
  create table sallyport.chores (
    name text primary key,
    begun_at timestamptz not null,
    reached timestamptz
  );
  -- Deliveries that GitHub was asked to send again: each of them once.
  create table sallyport.redeliveries (
    guid text primary key,
    asked_at timestamptz not null default now()
  );
  -- Repositories that were forgotten, for each machine to remove its copies.
  create table sallyport.forgotten (
    position bigint generated always as identity primary key,
    repository_id bigint not null,
    forgotten_at timestamptz not null default now()
  );
  create index deliveries_received on sallyport.deliveries (received_at);
  create index runs_ended on sallyport.runs (updated_at) where state not in ('queued', 'working', 'waiting');
  `,
  String.raw`
  -- What each run used on each day (of UTC): the answers in its journal, added up as they are written, so that nobody has to read them again.
  create table sallyport.usage (
    run_id text not null references sallyport.runs (id) on delete cascade,
    day date not null,
    repository_id bigint not null,
    installation_id bigint not null,
    actor_id bigint not null,
    input bigint not null,
    cached bigint not null,
    output bigint not null,
    usd double precision not null,
    -- Answers, and those of them whose price was not known.
    answers integer not null,
    unpriced integer not null,
    primary key (run_id, day)
  );
  create index usage_day on sallyport.usage (day);
  insert into sallyport.usage (run_id, day, repository_id, installation_id, actor_id, input, cached, output, usd, answers, unpriced)
  select a.run_id, a.day, r.repository_id, r.installation_id,
    -- The one object of this name in a stored request; it holds no other one, and no text of a person can look like it.
    coalesce(substring(r.request::text from '"actor":[{][^}]*"id":([0-9]+)')::bigint, 0), sum((answer -> 'usage' ->> 'input')::bigint), sum((answer -> 'usage' ->> 'cached')::bigint),
    sum((answer -> 'usage' ->> 'output')::bigint), coalesce(sum((answer ->> 'usd')::float8), 0), count(*),
    count(*) filter (where answer ->> 'usd' is null)
  from (
    select run_id, (created_at at time zone 'utc')::date as day, case kind when 'turn' then entry when 'compacted' then entry -> 'summary'
      else coalesce(entry -> 'entry' -> 'summary', entry -> 'entry') end as answer
    from (
      select run_id, created_at, kind, case when strpos(entry::text, '\u') = 0 then entry
        else regexp_replace(entry::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json end as entry
      from sallyport.journal where kind in ('turn', 'nested', 'compacted')
    ) readable
  ) a join sallyport.runs r on r.id = a.run_id where answer -> 'usage' is not null group by r.id, a.run_id, a.day;

  -- Decisions of the outer door by day (of UTC): with an empty rule all of a verdict, else those in which that rule spoke. It names nobody.
  create table sallyport.gate_days (
    day date not null,
    verdict text not null,
    rule text not null,
    severity text not null,
    decisions bigint not null,
    findings bigint not null,
    primary key (day, verdict, rule, severity)
  );
  with decided as (
    select (at at time zone 'utc')::date as day, entry::json as entry from sallyport.audit where strpos(entry, '"kind":"decision"') > 0
  )
  insert into sallyport.gate_days (day, verdict, rule, severity, decisions, findings)
  select day, entry ->> 'verdict', '', '', count(*), 0 from decided group by 1, 2
  union all
  select day, entry ->> 'verdict', r ->> 'rule', r ->> 'severity', count(*), sum((r ->> 'findings')::bigint)
  from decided, json_array_elements(entry -> 'rules') r group by 1, 2, 3, 4;

  -- In a row's canonical text each of these names stands once, and inside a text every quotation mark has a backslash before it.
  create index audit_repository on sallyport.audit (lower(substring(entry from '"repository":"([^"]*)"')), position);
  create index audit_kind on sallyport.audit (substring(entry from '"kind":"([^"]*)"'), position);
  create index audit_verdict on sallyport.audit (substring(entry from '"verdict":"([^"]*)"'), position);

  create index approvals_requested on sallyport.approvals (requested_at);
  create index runs_troubled on sallyport.runs (position) where failures > 0 or losses > 0;

  -- Processes that take runs, each of which says now and then that it is there.
  create table sallyport.workers (
    id text primary key,
    host text not null,
    version text not null,
    slots integer not null,
    since timestamptz not null default now(),
    seen_at timestamptz not null default now()
  );
  `,
  `
  -- What a run vouches for, signed; it goes with its run. Public halves of the keys, of all machines: what they have signed stays good.
  create table sallyport.receipts (
    run_id text primary key references sallyport.runs (id) on delete cascade,
    envelope text not null,
    made_at timestamptz not null default now()
  );
  create table sallyport.receipt_keys (
    kid text primary key,
    x text not null,
    added_at timestamptz not null default now(),
    used_at timestamptz not null default now()
  );
  `,
  `
  -- What started a run, out of its request, to narrow lists by.
  alter table sallyport.runs add column trigger text generated always as (substring(request::text from '"trigger":"([a-z]+)"')) stored;
  create index runs_trigger on sallyport.runs (trigger, position);
  create index runs_state on sallyport.runs (state, position);
  create index approvals_open on sallyport.approvals (requested_at) where answer is null and voided_at is null;
  `,
  `
  -- Tries that found GitHub, or the database, away.
  alter table sallyport.runs add column setbacks integer not null default 0;
  `,
];

/**
 * Brings the schema `sallyport` up to date; several processes may start at once.
 * @throws {ConfigurationError} when the database has been migrated by a newer release.
 */
export async function migrate(database: Database, log: Logger, migrations: readonly string[] = MIGRATIONS): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const [schema] = await tx.query("select 1 from pg_catalog.pg_namespace where nspname = 'sallyport'");
    if (schema === undefined) {
      await tx.executeSql(`
        create schema sallyport;
        create table sallyport.migrations (version integer primary key, applied_at timestamptz not null default now());
      `);
    }
    const [row] = await tx.query<{ version: number | null }>("select max(version) as version from sallyport.migrations");
    const from = row?.version ?? 0;
    if (from > migrations.length) {
      throw new ConfigurationError(`The database's schema has version ${from}; this release knows versions up to ${migrations.length}.`, {
        code: "schema-too-new",
        hint: "Start the newer release again, or use another database.",
      });
    }
    for (const [index, sql] of migrations.entries()) {
      const version = index + 1;
      if (version <= from) continue;
      await tx.executeSql(sql);
      await tx.query("insert into sallyport.migrations (version) values ($1)", [version]);
      log.info({ version }, "migrated the database");
    }
  });
}
