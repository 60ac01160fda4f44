import { beforeEach, expect, test } from "vitest";
import { silent, type Logger } from "../../../../src/core/log.ts";
import type { AppDeliveries } from "../../../../src/github/app-deliveries.ts";
import { GitHubError } from "../../../../src/github/errors.ts";
import { startUpkeep, type UpkeepOptions } from "../../../../src/runs/upkeep/upkeep.ts";
import { forget } from "../../../../src/store/forget.ts";
import { acceptDeliveries } from "../../../../src/store/runs.ts";
import { describeOnEmbedded } from "../../store/databases.ts";
import { mention } from "../../store/requests.ts";

/** A list that counts how often it is read. */
function listed(fail?: () => Error) {
  const seen = { reads: 0 };
  const deliveries: AppDeliveries = {
    // oxlint-disable-next-line require-yield -- an empty list
    async *attempts() {
      seen.reads += 1;
      const error = fail?.();
      if (error !== undefined) throw error;
      await Promise.resolve();
    },
    askAgain: () => Promise.resolve(),
  };
  return { deliveries, seen };
}

describeOnEmbedded("upkeep", ({ database, clear }) => {
  beforeEach(async () => {
    await clear();
    await database().executeSql("truncate sallyport.chores, sallyport.forgotten, sallyport.redeliveries");
  });

  const open = (options: Partial<UpkeepOptions> = {}) =>
    startUpkeep({ database: database(), log: silent, days: 30, removeCopies: () => Promise.resolve(), ...options });

  test("looks for lost deliveries at the start, after an outage and after a long sleep, and not in between", async () => {
    const { deliveries, seen } = listed();
    let clock = 0;
    await using upkeep = open({ deliveries, now: () => clock });
    await upkeep.look();
    await upkeep.look();
    expect(seen.reads).toBe(1);
    upkeep.deliveryLost();
    await upkeep.look();
    expect(seen.reads).toBe(2);
    clock += 600_000;
    await upkeep.look();
    expect(seen.reads).toBe(3);
  });

  test("tries again what failed, and gives up a GitHub that has no such list after one word", async () => {
    const lines: string[] = [];
    const log: Logger = { ...silent, info: (_, message) => void lines.push(message) };
    let error = new GitHubError("down", { code: "unreachable" });
    const { deliveries, seen } = listed(() => error);
    await using upkeep = open({ deliveries, log });
    await upkeep.look();
    await upkeep.look();
    const before = seen.reads;
    expect(before).toBeGreaterThan(1);
    error = new GitHubError("no such page", { code: "not-found", status: 404 });
    for (let times = 0; times < 3; times += 1) {
      upkeep.deliveryLost();
      await upkeep.look();
    }
    expect(seen.reads).toBe(before + 1);
    expect(lines.filter((line) => line.includes("lists no deliveries"))).toHaveLength(1);
  });

  test("each machine removes its copies of what was forgotten, but for what is back at work", async () => {
    const removed: number[][] = [[], []];
    const machine = (own: number[]) =>
      open({
        removeCopies: (id) => {
          own.push(id);
          return Promise.resolve();
        },
      });
    await database().transaction((tx) => forget(tx, { repositoryIds: [41, 42] }));
    await database().transaction((tx) => acceptDeliveries(tx, [mention()]));
    for (const own of removed) {
      await using upkeep = machine(own);
      await upkeep.look();
      await upkeep.look();
    }
    expect(removed).toEqual([[41], [41]]);
  });
});
