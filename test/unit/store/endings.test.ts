import { beforeEach, expect, test } from "vitest";
import { storeApprovals } from "../../../src/store/approvals.ts";
import { callEnded, endingsOf, releaseAnswered, stopThread } from "../../../src/store/endings.ts";
import {
  acceptDeliveries,
  readRun,
  settle,
  takeForAcceptance,
  takeForConclusion,
  takeForWork,
  threadKey,
} from "../../../src/store/runs.ts";
import { moveRuns } from "../../../src/store/moved.ts";
import { describeOnDatabases } from "./databases.ts";
import { mention } from "./requests.ts";

const maria = { id: 3, login: "maria" };

describeOnDatabases("endings", ({ database, clear }) => {
  beforeEach(clear);

  async function made(request = mention()): Promise<string> {
    const [answer] = await acceptDeliveries(database(), [request]);
    if (answer?.status !== "accepted") throw new Error("not accepted");
    return answer.runId;
  }
  async function letIn(request = mention()): Promise<string> {
    const id = await made(request);
    const taken = await takeForAcceptance(database(), id);
    if (taken.status !== "taken") throw new Error(taken.status);
    await settle(database(), taken.run, { kind: "accepted" });
    return id;
  }
  async function atWork(request = mention()): Promise<string> {
    const id = await letIn(request);
    await takeForWork(database(), id);
    return id;
  }
  async function waits(hours = 72): Promise<{ readonly run: string; readonly approval: string }> {
    const run = await atWork();
    const { id } = await storeApprovals(database()).request({ run, digest: "d1", operation: "commit", findings: [], hours });
    const { attempt } = (await readRun(database(), run)) ?? { attempt: 0 };
    await settle(database(), { id: run, attempt }, { kind: "ended", state: "waiting" });
    return { run, approval: id };
  }
  const command = () => mention({ trigger: "command", command: { name: "stop" } });
  const stop = (before: string) => stopThread(database(), { thread: threadKey(mention()), before, by: "maria" });
  const stateOf = async (id: string) => (await readRun(database(), id))?.state;

  test("stop every run of the thread that came before, and no other", async () => {
    const [working, queued] = [await atWork(), await letIn()];
    const elsewhere = await letIn(mention({ number: 2 }));
    const by = await made(command());
    const later = await letIn();
    const stopped = await stop(by);
    expect(new Map(stopped.map(({ id, wasWorking }) => [id, wasWorking]))).toEqual(
      new Map([
        [working, true],
        [queued, false],
      ]),
    );
    const ending = { kind: "stopped", by: "maria" };
    expect(await endingsOf(database(), [working, queued, elsewhere, by, later])).toEqual(
      new Map([
        [working, ending],
        [queued, ending],
      ]),
    );
    expect(await stop(by)).toEqual([]);
  });

  test("do not name other commands that were given on the thread", async () => {
    await made(command());
    expect(await stop(await made(command()))).toEqual([]);
  });

  test("call somebody once to conclude a queued run, who takes it beside the one at work", async () => {
    const [working, queued] = [await atWork(), await letIn()];
    await stop(await made(command()));
    expect((await callEnded(database())).map(({ id }) => id)).toEqual([queued]);
    expect(await callEnded(database())).toEqual([]);
    expect(await takeForConclusion(database(), working)).toEqual({ status: "gone" });
    expect(await takeForConclusion(database(), queued)).toMatchObject({
      status: "taken",
      run: { ending: { kind: "stopped", by: "maria" } },
    });
  });

  test("take no run that nobody has ended", async () => {
    expect(await takeForConclusion(database(), await letIn())).toEqual({ status: "gone" });
  });

  test("queue an approved run for work, once", async () => {
    const { run, approval } = await waits();
    expect(await releaseAnswered(database())).toEqual([]);
    await storeApprovals(database()).answer(approval, "approved", maria);
    expect((await releaseAnswered(database())).map(({ id }) => id)).toEqual([run]);
    expect(await releaseAnswered(database())).toEqual([]);
    expect(await readRun(database(), run)).toMatchObject({ state: "queued" });
    expect(await readRun(database(), run)).not.toHaveProperty("ending");
  });

  test("end a denied run by whoever denied it", async () => {
    const { run, approval } = await waits();
    await storeApprovals(database()).answer(approval, "denied", maria);
    expect(await releaseAnswered(database())).toEqual([]);
    expect(await readRun(database(), run)).toMatchObject({ state: "queued", ending: { kind: "denied", approval, by: "maria" } });
  });

  test("end a run whose time is over", async () => {
    const { run, approval } = await waits(0);
    await releaseAnswered(database());
    expect(await readRun(database(), run)).toMatchObject({ ending: { kind: "expired", approval } });
  });

  test("reach a waiting run by stop", async () => {
    const { run, approval } = await waits();
    expect((await stop(await made(command()))).map(({ id }) => id)).toEqual([run]);
    expect(await stateOf(run)).toBe("queued");
    await storeApprovals(database()).answer(approval, "approved", maria);
    expect(await releaseAnswered(database())).toEqual([]);
  });

  test("count the newest question of a run alone", async () => {
    const run = await atWork();
    const approvals = storeApprovals(database());
    const wish = { run, operation: "open-pull-request", findings: [], hours: 72 };
    const first = await approvals.request({ ...wish, digest: "d1" });
    // Its own comment is nothing that it would publish.
    const comment = await approvals.request({ ...wish, digest: "d0", operation: "edit-own-comment" });
    const second = await approvals.request({ ...wish, digest: "d2" });
    expect(await approvals.answer(first.id, "approved", maria)).toBeUndefined();
    expect(await approvals.find({ run, digest: "d1" })).toBeUndefined();
    expect((await approvals.byId(first.id))?.voided).toBeInstanceOf(Date);
    expect((await approvals.waiting(run)).map(({ id }) => id)).toEqual([comment.id, second.id]);
  });

  test("a repository that moves takes the runs along that are not over", async () => {
    const elsewhere = mention({ repository: { ...mention().repository, id: 43 } });
    const [over, working, queued, other] = [await atWork(), await letIn(), await made(mention({ number: 2 })), await made(elsewhere)];
    await settle(database(), { id: over, attempt: (await readRun(database(), over))?.attempt ?? 0 }, { kind: "ended", state: "done" });
    await takeForWork(database(), working);
    const { repository } = mention();
    const moved = { ...repository, owner: "globex", name: "gadgets", installationId: 99 };
    expect(new Set(await moveRuns(database(), moved))).toEqual(new Set([working, queued]));
    expect(await moveRuns(database(), moved)).toEqual([]);
    for (const id of [working, queued]) expect((await readRun(database(), id))?.request.repository).toEqual(moved);
    for (const id of [over, other]) expect((await readRun(database(), id))?.request.repository.name).not.toBe("gadgets");
    const rows = await database().query<{ id: string }>("select id from sallyport.runs where installation_id = 99");
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([working, queued]));
  });
});
