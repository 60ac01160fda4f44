import { beforeEach, expect, test } from "vitest";
import { appendAudit, readAudit, verifyChain } from "../../../src/store/audit.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { prune } from "../../../src/store/retention.ts";
import { acceptDeliveries, takeForAcceptance } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const DAY = 86_400_000;

describeOnDatabases("what is kept no longer", ({ database, clear }) => {
  beforeEach(async () => {
    await clear();
    await database().executeSql(
      "alter table sallyport.audit disable trigger all; delete from sallyport.audit; alter table sallyport.audit enable trigger all",
    );
  });

  /** A run that came to that state so many days ago, with what its configuration said. */
  async function stored(state: string, daysAgo: number, keep = 30, text = "words"): Promise<string> {
    const [accepted] = await database().transaction((tx) => acceptDeliveries(tx, [mention()]));
    if (accepted?.status !== "accepted") throw new Error("not stored");
    const id = accepted.runId;
    await takeForAcceptance(database(), id);
    const settings = { instructions: { paths: {}, text }, retention: { days: keep } };
    await appendRow(database(), {
      run: { id, attempt: 1 },
      sequence: 1,
      entry: { kind: "settings", settings },
      blobs: new Map([["a".repeat(40), new Uint8Array(3)]]),
    });
    await database().query("update sallyport.runs set state = $2, updated_at = now() - $3 * interval '1 day' where id = $1", [
      id,
      state,
      daysAgo,
    ]);
    return id;
  }
  const kept = async (): Promise<string[]> =>
    (await database().query<{ id: string }>("select id from sallyport.runs order by position")).map(({ id }) => id);
  const count = async (table: string): Promise<unknown> =>
    (await database().query<{ count: number }>(`select count(*)::integer as count from sallyport.${table}`))[0]?.count;

  test("ended runs go with their transcripts once their days are over; what is not over stays, however old", async () => {
    await stored("done", 31);
    await stored("failed", 400);
    const young = await stored("done", 29);
    const working = await stored("working", 90);
    const waiting = await stored("waiting", 90);
    expect(await prune(database(), { days: 30 })).toMatchObject({ runs: 2 });
    expect(await kept()).toEqual([young, working, waiting]);
    expect([await count("journal"), await count("blobs")]).toEqual([3, 3]);
  });

  test("a repository may ask for less than the server keeps; its texts cannot pass for that", async () => {
    await stored("done", 5, 3);
    const quoted = await stored("done", 5, 30, 'half \ud800 "retention":{"days":1}');
    expect(await prune(database(), { days: 30 })).toMatchObject({ runs: 1 });
    expect(await kept()).toEqual([quoted]);
  });

  test("more than fit one step go in several", async () => {
    await database().transaction((tx) =>
      acceptDeliveries(
        tx,
        Array.from({ length: 450 }, () => mention()),
      ),
    );
    await database().query("update sallyport.runs set state = 'done', updated_at = now() - interval '50 days'");
    expect(await prune(database(), { days: 30 })).toMatchObject({ runs: 450 });
    expect(await kept()).toEqual([]);
  });

  test("delivery ids stay for as long as GitHub can bring them again", async () => {
    await database().transaction((tx) => acceptDeliveries(tx, [mention(), mention()]));
    await database().query(
      "update sallyport.deliveries set received_at = now() - interval '31 days' where id = (select min(id) from sallyport.deliveries)",
    );
    expect(await prune(database(), { days: 30 })).toMatchObject({ deliveries: 1 });
    expect(await count("deliveries")).toBe(1);
  });

  test("audit rows go after 400 days, oldest first, and what is left is one chain", async () => {
    const now = Date.now();
    for (const [at, days] of [500, 450, 399, 420, 1].entries())
      await appendAudit(database(), { kind: "test", at: String(at) }, new Date(now - days * DAY));
    expect(await prune(database(), { days: 30 })).toMatchObject({ audit: 2 });
    expect(await verifyChain(readAudit(database()))).toMatchObject({ ok: true, rows: 3, first: 3 });
  });

  test("it stops when it is told to", async () => {
    await stored("done", 31);
    const signal = AbortSignal.abort(new Error("stopping"));
    await expect(prune(database(), { days: 30, signal })).rejects.toThrow("stopping");
    expect(await kept()).toHaveLength(1);
  });
});
