import { PgBoss } from "pg-boss";
import type { Logger } from "../core/log.ts";
import type { Database } from "./sql.ts";

/** The schema of the job queue's own tables. */
const BOSS_SCHEMA = "pgboss";

/**
 * Starts pg-boss on the database. It keeps no connection of its own: `stop` it before the database is closed. With `supervise` this
 * process looks every second for jobs whose worker has gone silent (with the defaults a takeover takes a minute); with `clock` it looks for
 * schedules whose time has come.
 */
export async function startBoss(
  database: Database,
  { log, supervise = true, clock = false }: { readonly log: Logger; readonly supervise?: boolean; readonly clock?: boolean },
) {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.executeSql(text, values) },
    backend: database.kind === "embedded" ? "pglite" : "postgres",
    schema: BOSS_SCHEMA,
    schedule: clock,
    supervise,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 60,
    queueCacheIntervalSeconds: 60,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  boss.on("error", (error) => log.warn({ error: error.message }, "the job queue met an error"));
  boss.on("warning", (warning) => log.debug({ warning: warning.message }, "the job queue warns"));
  await boss.start();
  return boss;
}

export type Boss = Awaited<ReturnType<typeof startBoss>>;
