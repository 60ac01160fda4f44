/**
 * Makes the prepared database that a new embedded one starts from. Run it after a change of the migrations, the lanes' queues, pg-boss or
 * PGlite: `npx node scripts/prepare-database.ts`, and commit what it writes.
 */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { silent } from "../src/core/log.ts";
import { openQueue } from "../src/runs/queue.ts";
import { startBoss } from "../src/store/boss.ts";
import { databaseOn, EMBEDDED_INITDB } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrations.ts";
import { PREPARED_WINDOW_LOG, preparedArchive } from "../src/store/prepared.ts";

const directory = await mkdtemp(join(tmpdir(), "sallyport-prepare-"));
const pglite = await PGlite.create({ dataDir: join(directory, "database"), initDbStartParams: EMBEDDED_INITDB });
const database = databaseOn(pglite, { afterClose: () => Promise.resolve() });
await migrate(database, silent);
const boss = await startBoss(database, { log: silent, supervise: false });
const queue = await openQueue(boss, database);
await queue.stop();

// Two of the three databases of a new cluster are templates for further ones, of which there are none.
for (const template of ["template0", "template1"]) {
  await pglite.query("update pg_database set datistemplate = false where datname = $1", [template]);
  await pglite.exec(`drop database ${template}`);
}
await pglite.exec("set wal_recycle = off");
for (const step of ["vacuum full", "vacuum freeze analyze", "checkpoint", "select pg_switch_wal()", "checkpoint"]) await pglite.exec(step);
const dump = await pglite.dumpDataDir("none");
const archive = new Uint8Array(await dump.arrayBuffer());
const compressed = zstdCompressSync(archive, {
  params: {
    [constants.ZSTD_c_compressionLevel]: 22,
    [constants.ZSTD_c_windowLog]: PREPARED_WINDOW_LOG,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  },
});
await database.close();
await rm(directory, { recursive: true });

const target = await preparedArchive();
for (const earlier of await readdir(new URL(".", target))) if (earlier.endsWith(".tar.zst")) await rm(new URL(earlier, target));
await writeFile(target, compressed);
process.stdout.write(`${fileURLToPath(target)}: ${compressed.length} bytes, ${archive.length} unpacked\n`);
