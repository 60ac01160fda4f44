import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { appendAudit, exportAudit, readAudit, verifyChain, type AuditRow } from "../../../src/store/audit.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { describeOnDatabases, describeOnPostgres } from "./databases.ts";
import { mention } from "./requests.ts";

async function all(rows: AsyncIterable<AuditRow>): Promise<AuditRow[]> {
  const list: AuditRow[] = [];
  for await (const row of rows) list.push(row);
  return list;
}
const entryOf = ({ entry }: AuditRow): unknown => JSON.parse(entry);

describeOnDatabases("the audit log", ({ database, clear }) => {
  const log = (): Promise<AuditRow[]> => all(readAudit(database()));
  const verify = async () => verifyChain(readAudit(database()));

  test("is one chain of rows, each over the one before it", async () => {
    const first = await appendAudit(database(), { kind: "decision", verdict: "block" }, new Date("2026-01-02T03:04:05Z"));
    const second = await appendAudit(database(), { kind: "outcome", number: 7, list: ["b", "a"], left: undefined });
    expect(second).toMatchObject({ position: first.position + 1, previous: first.hash });
    expect(first.entry).toBe('{"at":"2026-01-02T03:04:05.000Z","kind":"decision","verdict":"block"}');
    expect(await log()).toEqual([first, second]);
    expect(await verify()).toEqual({ ok: true, rows: 2, first: 1, last: { position: second.position, hash: second.hash } });
  });

  test("knows who asked for a run from the run itself, whatever texts it holds", async () => {
    await clear();
    const [accepted] = await acceptDeliveries(database(), [mention({ body: "a NUL \0 and half a pair \ud800" })]);
    if (accepted?.status !== "accepted") throw new Error("not accepted");
    const { runId } = accepted;
    await appendAudit(database(), { kind: "decision", run: runId, asker: "mallory" });
    await appendAudit(database(), { kind: "decision", run: "gone" });
    const [known, unknown] = (await log()).slice(-2);
    expect(known && entryOf(known)).toMatchObject({ run: runId, asker: { id: 9, login: "mona" } });
    expect(unknown && entryOf(unknown)).not.toHaveProperty("asker");
  });

  test("keeps any text, in one spelling", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), fc.string()), async (text, map) => {
        const row = await appendAudit(database(), { kind: "any", text, map });
        const turned = await appendAudit(database(), { map: Object.fromEntries(Object.entries(map).toReversed()), text, kind: "any" });
        const strip = ({ entry }: AuditRow): string => entry.replace(/"at":"[^"]*",/, "");
        expect(strip(turned)).toBe(strip(row));
      }),
      { numRuns: 25 },
    );
    expect(await verify()).toMatchObject({ ok: true });
  });

  test.each([
    ["changed", "update sallyport.audit set entry = '{}'"],
    ["changed as a whole", "update sallyport.audit set entry = '{}', hash = 'x' where position = 1"],
    ["removed", "delete from sallyport.audit where position = 1"],
    ["removed at its end", "delete from sallyport.audit where position = (select max(position) from sallyport.audit)"],
    ["emptied", "truncate sallyport.audit"],
    ["emptied with all that depends on it", "truncate sallyport.audit cascade"],
  ])("cannot be %s", async (_, sql) => {
    await appendAudit(database(), { kind: "decision" });
    const before = await log();
    await expect(database().query(sql)).rejects.toThrow("rows of the audit log are neither changed nor removed");
    expect(await log()).toEqual(before);
  });

  test("is not written at all in a transaction that fails", async () => {
    const before = await log();
    const broken: Database = {
      ...database(),
      transaction: (work) => database().transaction((tx) => work(tx).then(() => Promise.reject(new Error("lost")))),
    };
    await expect(appendAudit(broken, { kind: "decision" })).rejects.toThrow("lost");
    expect(await log()).toEqual(before);
    await appendAudit(database(), { kind: "decision" });
    expect(await verify()).toMatchObject({ ok: true });
  });

  test("stays one chain when many write at once, over more than a page", async () => {
    const before = (await log()).length;
    await Promise.all(Array.from({ length: 520 }, (_, index) => appendAudit(database(), { kind: "decision", index })));
    expect(await verify()).toMatchObject({ ok: true, rows: before + 520 });
  });

  test("is exported as JSON lines that can be checked by themselves", async () => {
    const lines: string[] = [];
    for await (const line of exportAudit(database())) lines.push(line);
    const rows = lines.map((line) => JSON.parse(line) as AuditRow);
    expect(rows).toEqual(await log());
    expect(lines.every((line) => /^\{.*\}\n$/.test(line))).toBe(true);
    expect(await verifyChain(rows)).toEqual(await verify());
  });
});

describeOnDatabases("audit rows whose time is over", ({ database }) => {
  test("may go from the oldest on, and the rest is still one chain", async () => {
    const old = new Date(Date.now() - 401 * 24 * 3600_000);
    for (const at of [old, old, new Date(), old]) await appendAudit(database(), { kind: "decision" }, at);
    await expect(database().query("delete from sallyport.audit where position = 3")).rejects.toThrow("neither changed nor removed");
    await expect(database().query("delete from sallyport.audit where position = 4")).rejects.toThrow("neither changed nor removed");
    await database().query("delete from sallyport.audit where position <= 2");
    expect(await verifyChain(readAudit(database()))).toMatchObject({ ok: true, rows: 2, first: 3 });
  });
});

describeOnPostgres("two processes", ({ database, url }) => {
  test("write one chain", async () => {
    const other = await openDatabase({ url: url(), directory: "/nowhere", log: silent });
    try {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => appendAudit(index % 2 === 0 ? other : database(), { kind: "decision", index })),
      );
      expect(await verifyChain(readAudit(other))).toMatchObject({ ok: true, rows: 60, first: 1 });
    } finally {
      await other.close();
    }
  });
});

describe("a log that was tampered with", () => {
  const rows = async (): Promise<AuditRow[]> => {
    const list: AuditRow[] = [];
    // What a transaction would need of a database, over a list.
    const database = {
      transaction: (work: (tx: unknown) => Promise<unknown>) =>
        work({
          query: (sql: string, params: readonly unknown[] = []) => {
            if (sql.startsWith("select position")) return Promise.resolve(list.slice(-1));
            if (sql.startsWith("insert"))
              list.push({ position: Number(params[0]), entry: String(params[3]), previous: String(params[4]), hash: String(params[5]) });
            return Promise.resolve([]);
          },
        }),
    } as unknown as Database;
    for (let index = 0; index < 5; index++) await appendAudit(database, { kind: "decision", index });
    return list;
  };

  test.each<[string, (rows: AuditRow[]) => AuditRow[], number]>([
    [
      "an entry that was changed",
      (list) => list.map((row) => (row.position === 3 ? { ...row, entry: row.entry.replace("2", "9") } : row)),
      3,
    ],
    ["a row that was taken out", (list) => list.filter(({ position }) => position !== 3), 4],
    [
      "a row that was taken out and the rest renumbered",
      (list) => list.filter(({ position }) => position !== 3).map((row, index) => ({ ...row, position: index + 1 })),
      3,
    ],
    [
      "two rows that changed places",
      ([a, b, c, d, e]) => [a, c, b, d, e].map((row, index) => ({ ...(row as AuditRow), position: index + 1 })),
      2,
    ],
    ["a first row that follows another one", (list) => list.slice(1).map((row, index) => ({ ...row, position: index + 1 })), 1],
    ["a row that was put in", (list) => [...list, { ...(list[4] as AuditRow), position: 6 }], 6],
  ])("shows: %s", async (_, tamper, position) => {
    expect(await verifyChain(await rows())).toMatchObject({ ok: true, rows: 5 });
    expect(await verifyChain(tamper(await rows()))).toMatchObject({ ok: false, position });
  });

  test("an empty one is whole", async () => {
    expect(await verifyChain([])).toEqual({ ok: true, rows: 0 });
  });
});
