import type { RunRequest } from "../../../src/core/run.ts";
import type { Database } from "../../../src/store/sql.ts";
import { mention } from "../store/requests.ts";

const REPOSITORIES = 50;
const USERS = 40;
const INSTALLATIONS = 20;
/** Turns of each run, and operations that each brought before the gate. */
const TURNS = 12;
const OPERATIONS = 5;
const DAYS = 30;

/**
 * Fills a database as `runs` runs of thirty days leave it: journals, what was used, the audit log (without its hashes), questions to people.
 * The same each time, but for the day it is done on.
 */
export async function storeMany(database: Database, runs: number): Promise<void> {
  const request: RunRequest = mention({ text: "Make the total of the cart right when a coupon is used twice. ".repeat(20) });
  await database.query(
    `insert into sallyport.runs (id, delivery_id, request, thread, installation_id, repository_id, state, failures, losses, created_at, updated_at)
     select lpad(n::text, 26, '0'), 'many-' || n, replace(replace(replace(replace($1, '"id":42', '"id":' || (n % ${REPOSITORIES} + 1)),
         '"name":"cart"', '"name":"repository-' || (n % ${REPOSITORIES} + 1) || '"'), '"number":1', '"number":' || n),
         '"id":9,"login":"mona"', '"id":' || (n % ${USERS} + 1) || ',"login":"user-' || (n % ${USERS} + 1) || '"')::json,
       'many#' || n, n % ${INSTALLATIONS} + 1, n % ${REPOSITORIES} + 1,
       case when n > $2::integer - 30 then 'queued' when n > $2::integer - 40 then 'working' when n % 97 = 0 then 'waiting'
         when n % 11 = 0 then 'failed' when n % 17 = 0 then 'blocked' when n % 23 = 0 then 'cancelled' else 'done' end,
       (n % 400 = 0)::integer, (n % 300 = 0)::integer,
       now() - interval '${DAYS} days' * ($2::integer - n) / $2::integer, now()
     from generate_series(1, $2::integer) n`,
    [JSON.stringify(request), runs],
  );
  const turn = JSON.stringify({
    kind: "turn",
    turn: 1,
    message: { role: "assistant", text: "I read the cart and its tests. ".repeat(30), calls: [] },
    usage: { input: 9_000, cached: 7_000, output: 400 },
    model: "scripted",
    usd: 0.01,
  });
  await database.query(
    `insert into sallyport.journal (run_id, sequence, attempt, kind, entry, created_at)
     select r.id, s, 0, 'turn', $1::json, r.created_at from sallyport.runs r, generate_series(1, ${TURNS}) s`,
    [turn],
  );
  await database.query(
    `insert into sallyport.usage (run_id, day, repository_id, installation_id, actor_id, input, cached, output, usd, answers, unpriced)
     select id, (created_at at time zone 'utc')::date, repository_id, installation_id,
       substring(request::text from '"actor":[{][^}]*"id":([0-9]+)')::bigint,
       ${TURNS} * 9000, ${TURNS} * 7000, ${TURNS} * 400, ${TURNS} * 0.01 * (1 + position % 7), ${TURNS}, (position % 50 = 0)::integer
     from sallyport.runs`,
  );
  await database.query(
    `insert into sallyport.audit (position, at, run_id, entry, previous, hash)
     select (r.position - 1) * ${2 * OPERATIONS} + o, r.created_at, r.id, '{"asker":{"id":1,"login":"user-1"},"at":"' ||
         to_char(r.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '","digest":"' || md5(r.id) || '","kind":"' ||
         case when o % 2 = 1 then 'decision' else 'outcome' end || '","operation":"comment",' ||
         case when o % 2 = 0 then '"outcome":{"id":1,"status":"done","url":"https://github.com/octo/cart/issues/1"},' else '' end ||
         '"repository":"octo/repository-' || r.repository_id || '","rules":[],"run":"' || r.id || '","target":"#1","trigger":"mention"' ||
         case when o % 2 = 1 then ',"verdict":"' || case when (r.position + o) % 40 = 0 then 'block' else 'allow' end || '"' else '' end || '}',
       'p' || r.position || '-' || o, 'h' || r.position || '-' || o
     from sallyport.runs r, generate_series(1, ${2 * OPERATIONS}) o`,
  );
  await database.query(
    `insert into sallyport.gate_days (day, verdict, rule, severity, decisions, findings)
     select (now() at time zone 'utc')::date - d, v.verdict, '', '', v.many + d % 7, 0
       from generate_series(0, ${DAYS - 1}) d, (values ('allow', 900), ('ask', 12), ('block', 5)) v (verdict, many)
     union all
     select (now() at time zone 'utc')::date - d, v.verdict, 'rule-' || r, v.severity, 1 + (d * r) % 5, 2 + r % 3
       from generate_series(0, ${DAYS - 1}) d, generate_series(1, 30) r,
         (values ('allow', 'warn'), ('ask', 'ask'), ('block', 'block')) v (verdict, severity)`,
  );
  await database.query(
    `insert into sallyport.approvals (id, run_id, digest, operation, findings, requested_at, expires_at, answer, answered_by, answered_at)
     select 'many-' || r.position, r.id, 'd', 'open-pull-request', '[]'::json, r.created_at, r.created_at + interval '72 hours',
       case when r.position % 3 = 0 then 'approved' when r.position % 7 = 0 then 'denied' end,
       case when r.position % 3 = 0 or r.position % 7 = 0 then '{"id":1,"login":"user-1"}'::json end,
       case when r.position % 3 = 0 or r.position % 7 = 0 then r.created_at + interval '20 minutes' end
     from sallyport.runs r where r.position % 10 = 0`,
  );
  await database.query(
    "insert into sallyport.workers (id, host, version, slots) values ('w1', 'build-1', '0.1.0', 4), ('w2', 'build-2', '0.1.0', 4)",
  );
  await database.executeSql("analyze");
}
