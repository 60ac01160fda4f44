import { beforeEach, expect, test } from "vitest";
import { storeApprovals, type StoredApprovals } from "../../../src/store/approvals.ts";
import { acceptDeliveries } from "../../../src/store/runs.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const maria = { id: 3, login: "maria" };

describeOnDatabases("approvals", ({ database, clear }) => {
  let run = "";
  let approvals: StoredApprovals;
  const wish = (more: { readonly digest?: string; readonly hours?: number } = {}) => ({
    run,
    digest: "d1",
    operation: "commit",
    findings: [{ rule: "some", why: "a NUL \0 too" }],
    hours: 72,
    ...more,
  });

  beforeEach(async () => {
    await clear();
    const [accepted] = await acceptDeliveries(database(), [mention()]);
    if (accepted?.status !== "accepted") throw new Error("not accepted");
    run = accepted.runId;
    approvals = storeApprovals(database());
  });

  test("are asked for under a name that can be spoken, for some hours", async () => {
    const asked = await approvals.request(wish());
    expect(asked.id).toMatch(/^(?:[bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]-(?:[bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]$/);
    expect(asked.expires.getTime() - asked.requestedAt.getTime()).toBe(72 * 3_600_000);
    expect(asked).toMatchObject({ run, digest: "d1", operation: "commit", findings: [{ rule: "some", why: "a NUL \0 too" }] });
    expect(asked).not.toHaveProperty("answer");
    expect(await approvals.byId(asked.id)).toEqual(asked);
    expect(await approvals.find({ run, digest: "d1" })).toEqual(asked);
    expect(await approvals.waiting(run)).toEqual([asked]);
  });

  test("are found for exactly one operation of one run", async () => {
    await approvals.request(wish());
    expect(await approvals.find({ run, digest: "d2" })).toBeUndefined();
    expect(await approvals.find({ run: "other", digest: "d1" })).toBeUndefined();
  });

  test.each(["approved", "denied"] as const)("are %s once, by one person", async (kind) => {
    const { id } = await approvals.request(wish());
    const other = kind === "approved" ? "denied" : "approved";
    const answers = await Promise.all([approvals.answer(id, kind, maria), approvals.answer(id, other, { id: 4, login: "otto" })]);
    const given = answers.filter((one) => one !== undefined);
    expect(given).toHaveLength(1);
    expect(await approvals.answer(id, other, maria)).toBeUndefined();
    expect(await approvals.find({ run, digest: "d1" })).toEqual(given[0]);
    expect(await approvals.waiting(run)).toEqual([]);
  });

  test("keep who answered, without what else is known of them", async () => {
    const { id } = await approvals.request(wish());
    const answered = await approvals.answer(id, "approved", { ...maria, email: "maria@example.test" } as typeof maria);
    expect(answered?.answer).toEqual({ kind: "approved", by: maria, at: expect.any(Date) as Date });
  });

  test("count for nothing once their time is over, answered or not", async () => {
    const unanswered = await approvals.request(wish({ hours: 1 }));
    const answered = await approvals.request(wish({ digest: "d2", hours: 1 }));
    await approvals.answer(answered.id, "approved", maria);
    await database().query("update sallyport.approvals set expires_at = now()");
    expect(await approvals.find({ run, digest: "d1" })).toBeUndefined();
    expect(await approvals.find({ run, digest: "d2" })).toBeUndefined();
    expect(await approvals.answer(unanswered.id, "approved", maria)).toBeUndefined();
    expect(await approvals.waiting(run)).toEqual([]);
    expect(await approvals.byId(unanswered.id)).toMatchObject({ id: unanswered.id });
  });

  test("of the same operation are found by the newest", async () => {
    await approvals.request(wish());
    await database().query("update sallyport.approvals set requested_at = now() - interval '1 minute'");
    const second = await approvals.request(wish());
    expect((await approvals.find({ run, digest: "d1" }))?.id).toBe(second.id);
  });

  test("go with their run, and cannot be asked for without one", async () => {
    const { id } = await approvals.request(wish());
    await database().query("delete from sallyport.runs");
    expect(await approvals.byId(id)).toBeUndefined();
    await expect(approvals.request(wish())).rejects.toThrow();
  });
});
