import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { StaleAttemptError } from "../../../src/core/errors.ts";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { appendRow, assertAttempt, readBlob, readJournal } from "../../../src/store/journal-rows.ts";
import { acceptDeliveries, settle, takeForAcceptance } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const note = (text: string): JournalEntry => ({ kind: "note", turn: 1, text });

describeOnDatabases("a stored journal", ({ database, clear }) => {
  let run = { id: "", attempt: 0 };
  beforeEach(async () => {
    await clear();
    const [answer] = await acceptDeliveries(database(), [mention()]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    run = { id: answer.runId, attempt: 0 };
  });

  test("gives its rows back in order, as they were", async () => {
    const entries = [note("b"), note("a\u0000\udfff"), note("c")];
    for (const [index, entry] of entries.entries()) await appendRow(database(), { run, sequence: index + 1, entry });
    expect(await readJournal(database(), run.id)).toEqual(entries);
    expect(await readJournal(database(), "another")).toEqual([]);
  });

  test("keeps any plain value", async () => {
    let sequence = 0;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (result) => {
        const entry: JournalEntry = { kind: "phase", phase: "authorize", result };
        await appendRow(database(), { run, sequence: (sequence += 1), entry });
        expect((await readJournal(database(), run.id)).at(-1)).toEqual(JSON.parse(JSON.stringify(entry)));
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    { name: "no bytes", bytes: new Uint8Array() },
    { name: "every byte", bytes: Uint8Array.from({ length: 256 }, (_, byte) => byte) },
    { name: "a part of a larger buffer", bytes: randomBytes(64).subarray(7, 30) },
    { name: "two megabytes", bytes: randomBytes(2 ** 21) },
  ])("keeps a blob of $name with its row", async ({ bytes }) => {
    const entry: JournalEntry = { kind: "snapshot", turn: 1, entries: [{ path: "a", blob: "sha", mode: "100644" }] };
    await appendRow(database(), { run, sequence: 1, entry, blobs: new Map([["sha", bytes]]) });
    const read = await readBlob(database(), run.id, "sha");
    expect(Buffer.from(read ?? [1]).equals(bytes)).toBe(true);
    // The same blob may come again with a later snapshot.
    await appendRow(database(), { run, sequence: 2, entry, blobs: new Map([["sha", bytes]]) });
    expect(await readBlob(database(), run.id, "other")).toBeUndefined();
  });

  test.each([
    { name: "an attempt that was taken over", spoil: () => takeForAcceptance(database(), run.id), sequence: 1 },
    { name: "a run that has ended", spoil: () => settle(database(), run, { kind: "ended", state: "done" }), sequence: 1 },
    {
      name: "a place that somebody else wrote",
      spoil: () => appendRow(database(), { run, sequence: 1, entry: note("first") }),
      sequence: 1,
    },
    { name: "an unknown run", spoil: () => Promise.resolve((run = { id: "unknown", attempt: 0 })), sequence: 1 },
  ])("takes nothing from $name, row or blob", async ({ spoil, sequence }) => {
    await spoil();
    const before = await readJournal(database(), run.id);
    for (const blobs of [undefined, new Map([["sha", Buffer.from("late")]])]) {
      const append = appendRow(database(), { run, sequence, entry: note("late"), ...(blobs === undefined ? {} : { blobs }) });
      await expect(append).rejects.toThrow(StaleAttemptError);
    }
    expect(await readJournal(database(), run.id)).toEqual(before);
    expect(await readBlob(database(), run.id, "sha")).toBeUndefined();
  });

  test("tells the current attempt from one that was taken over or has ended", async () => {
    await assertAttempt(database(), run);
    await takeForAcceptance(database(), run.id);
    await expect(assertAttempt(database(), run)).rejects.toThrow(StaleAttemptError);
    const next = { ...run, attempt: 1 };
    await assertAttempt(database(), next);
    await settle(database(), next, { kind: "ended", state: "done" });
    await expect(assertAttempt(database(), next)).rejects.toThrow(StaleAttemptError);
  });
});
