import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/log.ts";
import type { AppDeliveries, DeliveryAttempt } from "../../github/app-deliveries.ts";
import { GitHubError } from "../../github/errors.ts";
import { databaseNow, endChore } from "../../store/chores.ts";
import { claimRedelivery, knownDeliveries, releaseRedelivery } from "../../store/redeliveries.ts";
import type { Database } from "../../store/sql.ts";

/** GitHub lets three days be asked for again. https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const LONGEST_MS = 3 * 86_400_000;
/** An attempt shows in the list only after it has ended, and clocks differ. */
const OVERLAP_MS = 10 * 60_000;
/** Pages of a hundred attempts. */
const MOST_PAGES = 50;
/** Deliveries asked for at one go; the next look finds the others. */
const MOST_ASKED = 500;

export interface RecoverOptions {
  readonly deliveries: AppDeliveries;
  readonly database: Database;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly onAsked?: (outcome: "asked" | "refused") => void;
}

/**
 * Asks GitHub again for deliveries that never arrived since the last look, oldest first, each once for ever. Without an earlier look: since
 * the last that arrived. What GitHub brings twice all the same makes one run. Answers how many were asked for.
 * @throws {GitHubError} `not-found` where this GitHub lists no deliveries; what failed for another reason is looked at again the next time.
 */
export async function recoverDeliveries(reached: Date | undefined, options: RecoverOptions): Promise<number> {
  const { deliveries, database, log, signal, onAsked = () => {} } = options;
  const now = await databaseNow(database);
  const { newest, attempts } = await listSince(reached, now, options);
  const lost = lostOf(attempts);
  const known = await knownDeliveries(
    database,
    lost.map(({ guid }) => guid),
  );
  const wanted = lost.filter(({ guid }) => !known.has(guid));
  let asked = 0;
  for (const { id, guid, event } of wanted.slice(0, MOST_ASKED)) {
    signal.throwIfAborted();
    if (!(await claimRedelivery(database, guid))) continue;
    try {
      await deliveries.askAgain(id, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Answered with a refusal it was not sent; without an answer nobody knows, and once is once.
      const isRefused = error instanceof GitHubError && error.status !== undefined;
      if (isRefused) await releaseRedelivery(database, guid);
      onAsked("refused");
      log.warn({ delivery: guid, event, error: messageOf(error) }, "a failed delivery could not be asked for again");
      // A limit or a bad day of GitHub's holds for the others too.
      if (isRefused && error.code !== "not-found" && error.code !== "validation") throw error;
      continue;
    }
    asked += 1;
    onAsked("asked");
    log.info({ delivery: guid, event }, "a failed delivery was asked for again");
  }
  // By GitHub's clock: were the database's ahead, what is lost from now on would seem to have been looked at.
  if (wanted.length <= MOST_ASKED && newest !== undefined) await endChore(database, "redeliveries", newest);
  return asked;
}

interface Listed {
  /** When the newest attempt was made, by GitHub's clock; undefined where there is none. */
  readonly newest: Date | undefined;
  readonly attempts: readonly DeliveryAttempt[];
}

async function listSince(reached: Date | undefined, now: Date, { deliveries, signal }: RecoverOptions): Promise<Listed> {
  const from = Math.max(now.getTime() - LONGEST_MS, (reached?.getTime() ?? 0) - OVERLAP_MS);
  const attempts: DeliveryAttempt[] = [];
  let newest: Date | undefined;
  let pages = 0;
  for await (const page of deliveries.attempts(signal)) {
    newest ??= page[0]?.deliveredAt;
    for (const attempt of page) {
      if (attempt.deliveredAt.getTime() < from) return { newest, attempts };
      attempts.push(attempt);
      if (reached === undefined && attempt.isGood) return { newest, attempts };
    }
    pages += 1;
    if (pages >= MOST_PAGES) break;
  }
  return { newest, attempts };
}

/** The newest attempt of each delivery of which none was good, oldest first. */
function lostOf(newestFirst: readonly DeliveryAttempt[]): readonly DeliveryAttempt[] {
  const arrived = new Set(newestFirst.filter(({ isGood }) => isGood).map(({ guid }) => guid));
  const lost = new Map<string, DeliveryAttempt>();
  for (const attempt of newestFirst)
    if (attempt.event !== "ping" && !arrived.has(attempt.guid) && !lost.has(attempt.guid)) lost.set(attempt.guid, attempt);
  return [...lost.values()].reverse();
}
