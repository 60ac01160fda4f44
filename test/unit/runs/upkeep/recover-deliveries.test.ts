import { beforeEach, expect, test } from "vitest";
import { silent } from "../../../../src/core/log.ts";
import type { AppDeliveries, DeliveryAttempt } from "../../../../src/github/app-deliveries.ts";
import { GitHubError } from "../../../../src/github/errors.ts";
import { recoverDeliveries } from "../../../../src/runs/upkeep/recover-deliveries.ts";
import { beginChore, databaseNow } from "../../../../src/store/chores.ts";
import { acceptDeliveries } from "../../../../src/store/runs.ts";
import { describeOnDatabases } from "../../store/databases.ts";
import { mention } from "../../store/requests.ts";

const MINUTE = 60_000;

/** GitHub's list, and what was asked for. `tries` are guid, minutes ago, and whether it was good; the newest first. */
function list(...tries: readonly (readonly [guid: string, minutesAgo: number, isGood: boolean])[]) {
  const asked: string[] = [];
  const attempts = tries.map(([guid, ago, isGood], at): DeliveryAttempt => ({
    id: String(1000 - at),
    guid,
    event: guid.startsWith("ping") ? "ping" : "issue_comment",
    deliveredAt: new Date(Date.now() - ago * MINUTE),
    isGood,
  }));
  const deliveries: AppDeliveries = {
    async *attempts() {
      await Promise.resolve();
      for (let at = 0; at < attempts.length; at += 2) yield attempts.slice(at, at + 2);
    },
    askAgain(id) {
      asked.push(attempts.find((attempt) => attempt.id === id)?.guid ?? "nothing");
      return Promise.resolve();
    },
  };
  return { deliveries, asked };
}

describeOnDatabases("deliveries that never arrived", ({ database, clear }) => {
  beforeEach(async () => {
    await clear();
    await database().executeSql("truncate sallyport.redeliveries, sallyport.chores");
  });

  const recover = (deliveries: AppDeliveries, reached?: Date) =>
    recoverDeliveries(reached, { deliveries, database: database(), log: silent, signal: new AbortController().signal });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * MINUTE);

  test("are asked for since the last one that arrived, oldest first; a ping is nobody's loss", async () => {
    const { deliveries, asked } = list(["c", 1, false], ["ping", 2, false], ["b", 3, false], ["good", 4, true], ["older", 5, false]);
    expect(await recover(deliveries)).toBe(2);
    expect(asked).toEqual(["b", "c"]);
  });

  test("are asked for since the last look, good ones between them or not", async () => {
    const { deliveries, asked } = list(["b", 1, false], ["good", 4, true], ["a", 30, false], ["before", 90, false]);
    expect(await recover(deliveries, hoursAgo(1))).toBe(2);
    expect(asked).toEqual(["a", "b"]);
  });

  test("are not asked for when a later try arrived, or when they made a run here", async () => {
    const request = mention();
    await database().transaction((tx) => acceptDeliveries(tx, [request]));
    const { deliveries, asked } = list(["again", 1, true], [request.deliveryId, 2, false], ["again", 3, false]);
    expect(await recover(deliveries, hoursAgo(1))).toBe(0);
    expect(asked).toEqual([]);
  });

  test("are asked for once for ever, whoever looks how often, by their newest try", async () => {
    const { deliveries, asked } = list(["a", 1, false], ["a", 5, false], ["b", 6, false]);
    const counts = await Promise.all([recover(deliveries, hoursAgo(1)), recover(deliveries, hoursAgo(1))]);
    await recover(deliveries, hoursAgo(1));
    expect(counts[0] + counts[1]).toBe(2);
    expect(asked.toSorted()).toEqual(["a", "b"]);
  });

  test("stay to be asked for when GitHub refuses, and the look counts as not made", async () => {
    const { deliveries, asked } = list(["a", 1, false]);
    await beginChore(database(), "redeliveries", await databaseNow(database()));
    const refusing = {
      ...deliveries,
      askAgain: () => Promise.reject(new GitHubError("Wait", { code: "rate-limited", status: 429 })),
    };
    await expect(recover(refusing)).rejects.toThrow("Wait");
    const [chore] = await database().query("select reached from sallyport.chores");
    expect(chore).toEqual({ reached: null });
    expect(await recover(deliveries)).toBe(1);
    expect(asked).toEqual(["a"]);
  });

  test("are not asked for twice when GitHub's answer was lost", async () => {
    const { deliveries, asked } = list(["a", 1, false]);
    const mute = { ...deliveries, askAgain: () => Promise.reject(new GitHubError("Nothing", { code: "unreachable" })) };
    expect(await recover(mute)).toBe(0);
    expect(await recover(deliveries, hoursAgo(1))).toBe(0);
    expect(asked).toEqual([]);
  });

  test("are missed by no database whose clock is ahead: how far a look came is told by GitHub's", async () => {
    await beginChore(database(), "redeliveries", await databaseNow(database()));
    // The newest was made just now, as GitHub sees it.
    await recover(list(["good", 60, true]).deliveries);
    const { deliveries, asked } = list(["lost", 45, false], ["good", 60, true]);
    const [chore] = await database().query<{ reached: Date | null }>("select reached from sallyport.chores");
    await recover(deliveries, chore?.reached ?? undefined);
    expect(asked).toEqual(["lost"]);
  });

  test("are looked for in the last three days and no further", async () => {
    const { deliveries, asked } = list(["recent", 60, false], ["ancient", 4 * 24 * 60, false]);
    await recover(deliveries, hoursAgo(200));
    expect(asked).toEqual(["recent"]);
  });
});
