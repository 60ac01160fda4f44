import { beforeEach, expect, test } from "vitest";
import type { InnerEntry, JournalEntry } from "../../../src/core/journal.ts";
import type { RunRequest } from "../../../src/core/run.ts";
import { appendRow } from "../../../src/store/journal-rows.ts";
import { countUnfinished, listRuns, readTranscript, type RunFilter } from "../../../src/store/run-list.ts";
import { acceptDeliveries, settle, takeForAcceptance, takeForWork, type Verdict } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const cart = mention().repository;
const basket = { ...cart, id: 43, name: "basket" };

function turn(text: string, input = 10, output = 3): InnerEntry {
  return { kind: "turn", turn: 1, message: { role: "assistant", text, calls: [] }, usage: { input, output, cached: 4 }, model: "m" };
}

describeOnDatabases("the list of runs", ({ database, clear }) => {
  beforeEach(clear);

  async function accept(request: RunRequest = mention()): Promise<string> {
    const [answer] = await acceptDeliveries(database(), [request]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    return answer.runId;
  }

  async function end(id: string, state: Extract<Verdict, { kind: "ended" }>["state"]): Promise<void> {
    await settle(database(), { id, attempt: 0 }, { kind: "ended", state });
  }

  async function write(id: string, entries: readonly JournalEntry[], attempt = 0, from = 1): Promise<void> {
    for (const [index, entry] of entries.entries()) {
      await appendRow(database(), { run: { id, attempt }, sequence: from + index, entry });
    }
  }

  test("is newest first, at most as long as asked for, and counts each run's own tokens", async () => {
    const ids = [await accept(), await accept(mention({ number: 2 })), await accept(mention({ number: 3 }))];
    await write(ids[1] ?? "", [turn("a"), { kind: "note", turn: 1, text: "not a turn" }, turn("b", 100, 50)]);
    await write(ids[2] ?? "", [turn("c")]);
    const listed = await listRuns(database(), {}, 2);
    expect(listed.map(({ id, tokens }) => [id, tokens])).toEqual([
      [ids[2], 13],
      [ids[1], 163],
    ]);
    expect(listed[0]).toMatchObject({ state: "queued", request: { thread: { number: 3 } }, createdAt: expect.any(Date) });
    expect((await listRuns(database(), {}, 9)).map(({ tokens }) => tokens)).toEqual([13, 163, 0]);
  });

  test("counts what was asked inside a call, and for a summary", async () => {
    const id = await accept();
    const usage = { input: 1, output: 2, cached: 0 };
    const summary = { text: "so far", usage, model: "m" };
    await write(id, [
      turn("a"),
      { kind: "nested", callId: "c1", entry: turn('"usage"') },
      { kind: "nested", callId: "c1", entry: { kind: "note", turn: 1, text: "\u0000 no turn" } },
      { kind: "nested", callId: "c1", entry: { kind: "compacted", turn: 1, text: "…", summary } },
      { kind: "compacted", turn: 1, text: "…" },
      { kind: "compacted", turn: 1, text: "…", summary },
    ]);
    expect(await listRuns(database(), {}, 1)).toMatchObject([{ id, tokens: 13 + 13 + 3 + 3 }]);
    const transcript = await readTranscript(database(), id, { limit: 9 });
    expect(transcript?.usage).toEqual({ input: 22, output: 10, cached: 8 });
    expect(transcript?.usd).toBeUndefined();
  });

  test("adds up what a run has cost, as far as prices were known", async () => {
    const id = await accept();
    const summary = { text: "so far", usage: { input: 1, output: 2, cached: 0 }, model: "m", usd: 0.25 };
    const priced = { ...turn("a"), usd: 0.5 } as JournalEntry;
    await write(id, [
      turn("free"),
      priced,
      { kind: "nested", callId: "c1", entry: priced as InnerEntry },
      { kind: "compacted", turn: 1, text: "…", summary },
    ]);
    expect((await readTranscript(database(), id, { limit: 9 }))?.usd).toBe(1.25);
  });

  test.each([
    { name: "a NUL", text: "\u0000" },
    { name: "half a surrogate pair", text: "\ud83d and \udfff" },
    { name: "what looks like an escape after a backslash", text: "\\u0000 \\\\ud800 \\U0000" },
    { name: "what looks like a usage", text: '","usage":{"input":1e9,"output":1e9}' },
  ])("counts tokens of a turn whose text holds $name", async ({ text }) => {
    const id = await accept(mention({ text, title: text, body: text }));
    await write(id, [turn(text)]);
    const [listed] = await listRuns(database(), { repository: "octo/cart", trigger: "mention" }, 5);
    expect(listed).toMatchObject({ id, tokens: 13, request: { text } });
    const transcript = await readTranscript(database(), id, { limit: 5 });
    expect(transcript?.usage).toEqual({ input: 10, output: 3, cached: 4 });
    expect(transcript?.rows[0]?.entry).toEqual(turn(text));
  });

  test.each<{ name: string; filter: RunFilter; found: string[] }>([
    { name: "nothing", filter: {}, found: ["asked", "reviewed", "elsewhere", "failed"] },
    { name: "a repository", filter: { repository: "octo/basket" }, found: ["elsewhere"] },
    { name: "a repository in another case", filter: { repository: "OCTO/Basket" }, found: ["elsewhere"] },
    { name: "a state", filter: { state: "failed" }, found: ["failed"] },
    { name: "a trigger", filter: { trigger: "review" }, found: ["reviewed"] },
    { name: "all three", filter: { repository: "octo/cart", state: "failed", trigger: "mention" }, found: ["failed"] },
    { name: "two that no run has together", filter: { repository: "octo/basket", state: "failed" }, found: [] },
    { name: "an unknown repository", filter: { repository: "octo/nothing" }, found: [] },
    { name: "a part of a name", filter: { repository: "octo/car" }, found: [] },
    { name: "an owner alone", filter: { repository: "octo" }, found: [] },
    { name: "too many parts", filter: { repository: "octo/cart/x" }, found: [] },
    { name: "a pattern", filter: { repository: "octo/%" }, found: [] },
    { name: "SQL", filter: { repository: "octo/cart' or '1'='1" }, found: [] },
    { name: "a NUL, which PostgreSQL takes in no text", filter: { repository: "octo/\u0000" }, found: [] },
    { name: "a repository that only a title names", filter: { repository: "evil/corp" }, found: [] },
  ])("is narrowed by $name", async ({ filter, found }) => {
    const title = '","owner":"evil","name":"corp","trigger":"review"';
    await end(await accept(mention({ text: "failed" })), "failed");
    await accept(mention({ text: "elsewhere", repository: basket }));
    await accept(mention({ text: "reviewed", trigger: "review", title: "the trigger is mention" }));
    await accept(mention({ text: "asked", title, body: title }));
    expect((await listRuns(database(), filter, 9)).map(({ request }) => request.text)).toEqual(found);
  });

  test("finds the runs of a renamed repository under its present name", async () => {
    await accept(mention({ text: "before" }));
    await accept(mention({ text: "after", repository: { ...cart, name: "trolley" } }));
    expect((await listRuns(database(), { repository: "octo/trolley" }, 9)).map(({ request }) => request.text)).toEqual(["after", "before"]);
    expect(await listRuns(database(), { repository: "octo/cart" }, 9)).toEqual([]);
  });

  test("counts what is queued and what is at work, and not what has ended", async () => {
    expect(await countUnfinished(database())).toEqual({ queued: 0, working: 0 });
    const first = await accept();
    await accept(mention({ number: 2 }));
    await end(await accept(mention({ number: 3 })), "done");
    const taken = await takeForAcceptance(database(), first);
    if (taken.status === "taken") await settle(database(), taken.run, { kind: "accepted" });
    expect(await countUnfinished(database())).toEqual({ queued: 2, working: 0 });
    await takeForWork(database(), first);
    expect(await countUnfinished(database())).toEqual({ queued: 1, working: 1 });
  });

  test("a transcript holds the newest rows with their attempts, and the last snapshot wherever it stands", async () => {
    const id = await accept();
    const snapshot = (path: string): JournalEntry => ({ kind: "snapshot", turn: 1, entries: [{ path, mode: "100644", blob: "sha" }] });
    await write(id, [turn("a"), snapshot("old.js"), snapshot("new.js"), turn("b")]);
    await takeForAcceptance(database(), id);
    await write(id, [turn("c")], 1, 5);
    const transcript = await readTranscript(database(), id, { limit: 2 });
    expect(transcript).toMatchObject({ run: { id, attempt: 1 }, omitted: 3, usage: { input: 30, output: 9, cached: 12 } });
    expect(transcript?.rows).toEqual([
      { sequence: 4, attempt: 0, createdAt: expect.any(Date), entry: turn("b") },
      { sequence: 5, attempt: 1, createdAt: expect.any(Date), entry: turn("c") },
    ]);
    expect((await readTranscript(database(), id, { limit: 5 }))?.omitted).toBe(0);
    const earlier = await readTranscript(database(), id, { limit: 2, before: 4 });
    expect([earlier?.omitted, earlier?.rows.map(({ entry }) => entry)]).toEqual([1, [snapshot("old.js"), snapshot("new.js")]]);
  });

  test("a run without a journal has an empty transcript, an unknown one none", async () => {
    const id = await accept();
    expect(await readTranscript(database(), id, { limit: 5 })).toMatchObject({
      rows: [],
      omitted: 0,
      usage: { input: 0, output: 0, cached: 0 },
    });
    expect(await readTranscript(database(), "unknown", { limit: 5 })).toBeUndefined();
  });
});
