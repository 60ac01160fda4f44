import { hasRefusedToday, type Refused } from "../store/refusals.ts";
import type { Database } from "../store/sql.ts";
import { threadKey } from "../store/runs.ts";
import { spentOn } from "../store/threads.ts";
import { usualCost } from "../store/usual-cost.ts";
import { codeSpan } from "../text/code-span.ts";
import { dollars } from "../text/dollars.ts";
import { RUN_COMMENT } from "./run-comment.ts";
import type { RunContext } from "./run-context.ts";
import { stepKey } from "./submit.ts";

type Asking = Pick<RunContext, "request" | "settings" | "journal">;

/** Why a run may not begin to ask a model today (a day of UTC), in words for people; undefined where it may, or has begun. */
export async function whyOverBudget(context: Asking, database: Database | undefined): Promise<string | undefined> {
  if (database === undefined || hasBegun(context)) return undefined;
  for (const { limit, usd, whose, key } of await limitsOf(context, database)) {
    if (usd >= limit)
      return `The budget of the day is used up: ${whose} has used ${dollars(usd)} of ${dollars(limit)} (\`daily_usd.${key}\`). It begins anew at midnight, UTC.`;
  }
  return undefined;
}

/**
 * Whether a run that finds the day's budget used up need not say so: whoever asks was told on this thread today. A comment that is there already,
 * which says that it is queued, is brought to its end all the same.
 */
export async function isToldAlready(context: Asking & Pick<RunContext, "run">, database: Database | undefined): Promise<boolean> {
  const { request, journal, run } = context;
  const speaks = journal.entries.some((entry) => entry.kind === "intent" && entry.key === stepKey(RUN_COMMENT, "comment"));
  if (database === undefined || speaks || (await whyOverBudget(context, database)) === undefined) return false;
  const told: Refused = { thread: threadKey(request), actorId: request.actor.id, before: run.id, since: midnight() };
  return hasRefusedToday(database, told);
}

/**
 * What a run may cost, and what is left of the day, in a few words that name no end; undefined where nobody limits the day, or where it has begun.
 */
export async function costAhead(context: Asking, database: Database | undefined): Promise<string | undefined> {
  if (database === undefined || hasBegun(context)) return undefined;
  const limits = await limitsOf(context, database);
  if (limits.length === 0) return undefined;
  const left = Math.max(0, Math.min(...limits.map(({ limit, usd }) => limit - usd)));
  const usual = await usualCost(database, context.request.repository.id);
  const takes = usual === undefined ? `at most ${dollars(context.settings.max_usd)}` : `about ${dollars(usual)} as runs here on average`;
  return `${takes}, ${dollars(left)} left for today`;
}

function hasBegun({ journal }: Asking): boolean {
  return journal.entries.some(({ kind }) => kind === "opening");
}

function midnight(): Date {
  return new Date(new Date().setUTCHours(0, 0, 0, 0));
}

/** The limits of the day that are set, each with what was used of it. */
async function limitsOf({ request, settings }: Asking, database: Database) {
  const { user, repository, organisation } = settings.daily_usd;
  const since = midnight();
  const limits = [
    { limit: user, whose: codeSpan(request.actor.login), key: "user", what: { actorId: request.actor.id, since } },
    { limit: repository, whose: "this repository", key: "repository", what: { repositoryId: request.repository.id, since } },
    {
      limit: organisation,
      whose: "this organisation",
      key: "organisation",
      what: { installationId: request.repository.installationId, since },
    },
  ] as const;
  const used = [];
  for (const { limit, whose, key, what } of limits) {
    if (limit !== undefined) used.push({ limit, whose, key, usd: (await spentOn(database, what)).usd });
  }
  return used;
}
