import { beforeEach, expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import { openJournal } from "../../../src/runs/journal.ts";
import { acceptDeliveries, takeForAcceptance } from "../../../src/store/runs.ts";
import type { Database } from "../../../src/store/sql.ts";
import { describeOnEmbedded } from "../store/databases.ts";
import { mention } from "../store/requests.ts";
import { journalOf, turn } from "./engines.ts";

describeOnEmbedded("an attempt's journal", ({ database, clear }) => {
  let run = { id: "", attempt: 0 };
  beforeEach(async () => {
    await clear();
    const [answer] = await acceptDeliveries(database(), [mention()]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    run = { id: answer.runId, attempt: 0 };
  });

  test("keeps the order of appends that nobody waited for, here and in the next attempt", async () => {
    const journal = await openJournal(database(), run);
    const rows = Array.from({ length: 10 }, (_, number) => turn(number));
    await Promise.all(rows.map((row) => journal.append(row)));
    expect(journal.entries).toEqual(rows);
    expect((await openJournal(database(), run)).entries).toEqual(rows);
  });

  test("gives back the blobs of an earlier attempt", async () => {
    const first = await openJournal(database(), run);
    await first.append(turn(1), new Map([["sha", Buffer.from("bytes")]]));
    const taken = await takeForAcceptance(database(), run.id);
    if (taken.status !== "taken") throw new Error(taken.status);
    const second = await openJournal(database(), taken.run);
    expect(Buffer.from((await second.blob("sha")) ?? []).toString()).toBe("bytes");
    await expect(first.append(turn(2))).rejects.toThrow(StaleAttemptError);
    expect(first.entries).toEqual([turn(1)]);
  });

  test("holds no row that could not be stored, and takes the next one in its place", async () => {
    let isAway = false;
    const away = (): Promise<never> => Promise.reject(new Error("away"));
    const flaky: Database = { ...database(), query: (text, params) => (isAway ? away() : database().query(text, params)) };
    const journal = await openJournal(flaky, run);
    await journal.append(turn(1));
    isAway = true;
    await expect(journal.append(turn(2))).rejects.toThrow("away");
    isAway = false;
    await journal.append(turn(3));
    expect(journal.entries).toEqual([turn(1), turn(3)]);
    expect(await journalOf(database(), run.id)).toEqual([turn(1), turn(3)]);
  });
});
