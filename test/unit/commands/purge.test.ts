import { mkdtemp, mkdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purge, type PurgeWorld } from "../../../src/commands/purge.ts";
import { silent } from "../../../src/core/log.ts";
import { appendAudit } from "../../../src/store/audit.ts";
import { startBoss } from "../../../src/store/boss.ts";
import { openDatabase, type Database } from "../../../src/store/database.ts";
import { forget, repositoriesOf } from "../../../src/store/forget.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import { watchWishes } from "../../../src/store/watch-wishes.ts";
import { mention } from "../store/requests.ts";

let folder = "";
const written: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sallyport-purge-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const world = (ask?: PurgeWorld["ask"]): PurgeWorld => ({
  variables: { SALLYPORT_DATA_DIR: folder, PATH: process.env["PATH"] },
  cwd: folder,
  write: (text) => void written.push(text),
  ...(ask === undefined ? {} : { ask }),
});
const widgets = { id: 41, owner: "Acme", name: "widgets", installationId: 7, isPrivate: true, defaultBranch: "main" };

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ directory: folder, log: silent });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
const runsOf = (database: Database) => database.query("select repository_id::integer as id from sallyport.runs order by 1");

test.each(["", "widgets", "acme/widgets/more", "0", "-1", "acme/wid gets", "acme/'"])("%j names no repository", async (repository) => {
  await expect(purge({ repository, yes: true }, world())).rejects.toMatchObject({ code: "misused" });
});

test("where nobody can be asked it takes --yes, and a no deletes nothing", async () => {
  await expect(purge({ repository: "acme/widgets", yes: false }, world())).rejects.toMatchObject({ code: "misused" });
  const questions: string[] = [];
  const no = (question: string): Promise<boolean> => Promise.resolve(questions.push(question) < 0);
  expect(await purge({ repository: "acme/widgets", yes: false }, world(no))).toBe(1);
  expect(questions).toEqual([expect.stringContaining("of acme/widgets?")]);
  expect(written.splice(0)).toEqual(["Nothing was deleted.\n"]);
});

test("all of one repository goes but for the audit log, and nothing of another", { timeout: 30_000 }, async () => {
  await withDatabase(async (database) => {
    await (await startBoss(database, { log: silent, supervise: false })).stop({ graceful: false, close: false });
    const [run] = await database.transaction((tx) => acceptDeliveries(tx, [mention({ repository: widgets }), mention()]));
    await appendAudit(database, { kind: "test", ...(run?.status === "accepted" ? { run: run.runId } : {}) });
  });
  const store = join(folder, "stores", "41.git");
  await mkdir(store, { recursive: true });
  expect(await purge({ repository: "acme/Widgets", yes: true }, world())).toBe(0);
  expect(await purge({ repository: "acme/widgets", yes: true }, world())).toBe(0);
  expect(written.splice(0)).toEqual(["What was kept of acme/Widgets is deleted.\n", "Nothing is kept of acme/widgets.\n"]);
  await expect(stat(store)).rejects.toMatchObject({ code: "ENOENT" });
  await withDatabase(async (database) => {
    expect(await runsOf(database)).toEqual([{ id: 42 }]);
    expect(await database.query("select kind from (select entry::json ->> 'kind' as kind from sallyport.audit) a")).toEqual([
      { kind: "test" },
    ]);
  });
});

test("a server that holds the database is asked to do it", { timeout: 30_000 }, async () => {
  await withDatabase(async (database) => {
    const wishes = watchWishes({
      directory: folder,
      database,
      purge: async (target) => {
        const repositoryIds = await repositoriesOf(database, target);
        await database.transaction((tx) => forget(tx, { repositoryIds }));
      },
      log: silent,
    });
    expect(await purge({ repository: "42", yes: true }, world())).toBe(0);
    wishes[Symbol.dispose]();
    expect(await runsOf(database)).toEqual([]);
  });
  expect(written.splice(0)).toEqual(["What was kept of 42 is deleted; the running server was told.\n"]);
});
