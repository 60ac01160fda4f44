import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silent, type Logger } from "../../../src/core/log.ts";
import { openQueue } from "../../../src/runs/queue.ts";
import { startBoss } from "../../../src/store/boss.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { openEmbedded } from "../../../src/store/embedded.ts";
import { migrate } from "../../../src/store/migrations.ts";
import { preparedArchive, unpackPrepared } from "../../../src/store/prepared.ts";
import type { Database } from "../../../src/store/sql.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sallyport-prepared-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function recording(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const say = (_fields: object, message: string): void => void lines.push(message);
  return { lines, log: { ...silent, info: say, warn: say, error: say } };
}

/** Everything that a migration can make, as text; the rows that migrations and queue set-up write included. */
async function dump(database: Database): Promise<string[]> {
  const questions = [
    `select 'column', n.nspname, c.relname, c.relkind, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
       pg_get_expr(d.adbin, d.adrelid)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where n.nspname in ('sallyport', 'pgboss') and not a.attisdropped`,
    "select 'index', schemaname, tablename, indexname, indexdef from pg_indexes where schemaname in ('sallyport', 'pgboss')",
    `select 'constraint', n.nspname, c.conname, c.conrelid::regclass::text, pg_get_constraintdef(c.oid)
     from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname in ('sallyport', 'pgboss')`,
    `select 'function', n.nspname, p.proname, p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('sallyport', 'pgboss')`,
    `select 'type', n.nspname, t.typname, e.enumlabel, e.enumsortorder from pg_type t join pg_namespace n on n.oid = t.typnamespace
     join pg_enum e on e.enumtypid = t.oid where n.nspname in ('sallyport', 'pgboss')`,
    "select 'migration', version from sallyport.migrations",
    "select 'queue version', version from pgboss.version",
    "select 'queue', name, policy, retry_limit, heartbeat_seconds, expire_seconds, retention_seconds, deletion_seconds, notify from pgboss.queue",
  ];
  const lines: string[] = [];
  for (const question of questions) lines.push(...(await database.query(question)).map((row) => JSON.stringify(Object.values(row))));
  return lines.toSorted();
}

describe("the prepared database", () => {
  test("is what the migrations and the queue's set-up make of a new one: run scripts/prepare-database.ts if not", async () => {
    const { log, lines } = recording();
    const prepared = await openDatabase({ directory: join(folder, "prepared"), log });
    const fromArchive = await dump(prepared);
    await prepared.close();
    expect(lines).toEqual([]);

    const fresh = await openEmbedded({ directory: join(folder, "fresh"), log, prepared: false });
    await migrate(fresh, log);
    const boss = await startBoss(fresh, { log, supervise: false });
    await (await openQueue(boss, fresh)).stop();
    const fromMigrations = await dump(fresh);
    await fresh.close();

    expect(fromArchive.length).toBeGreaterThan(100);
    expect(fromArchive).toEqual(fromMigrations);
  });

  test("leaves a database alone that exists", async () => {
    const directory = join(folder, "kept");
    const first = await openDatabase({ directory, log: silent });
    await first.query("insert into sallyport.deliveries (id) values ('kept')");
    await first.close();
    const second = await openDatabase({ directory, log: silent });
    expect(await second.query("select id from sallyport.deliveries")).toEqual([{ id: "kept" }]);
    await second.close();
  });

  test.each([
    { name: "there is none for the running PGlite", content: undefined },
    { name: "it is no archive", content: Buffer.from("not an archive") },
  ])("where $name, it says so and leaves nothing behind", async ({ content }) => {
    const directory = await mkdtemp(join(folder, "broken-"));
    const archive = pathToFileURL(join(folder, "broken.tar.zst"));
    await rm(archive, { force: true });
    if (content !== undefined) await writeFile(archive, content);
    const { log, lines } = recording();
    await unpackPrepared({ into: join(directory, "database"), log, archive });
    expect(lines).toEqual([expect.stringContaining("prepared database cannot be used")]);
    expect(await readdir(directory)).toEqual([]);
  });

  test("is there for the installed PGlite", async () => {
    expect((await preparedArchive()).pathname).toMatch(/prepared\/pglite-\d+\.\d+\.\d+\.tar\.zst$/);
    const target = join(folder, "unpacked");
    const { log, lines } = recording();
    await unpackPrepared({ into: target, log });
    expect(lines).toEqual([]);
    expect(await readdir(target)).toContain("PG_VERSION");
  });
});
