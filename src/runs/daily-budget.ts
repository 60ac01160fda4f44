import type { Database } from "../store/sql.ts";
import { spentOn } from "../store/threads.ts";
import { codeSpan } from "../text/code-span.ts";
import { dollars } from "../text/dollars.ts";
import type { RunContext } from "./run-context.ts";

/** Why a run may not begin to ask a model today (a day of UTC), in words for people; undefined where it may, or has begun. */
export async function whyOverBudget(
  { request, settings, journal }: RunContext,
  database: Database | undefined,
): Promise<string | undefined> {
  const { user, repository, organisation } = settings.daily_usd;
  if (database === undefined || journal.entries.some(({ kind }) => kind === "opening")) return undefined;
  const since = new Date();
  since.setUTCHours(0, 0, 0, 0);
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
  for (const { limit, whose, key, what } of limits) {
    if (limit === undefined) continue;
    const { usd } = await spentOn(database, what);
    if (usd >= limit)
      return `The budget of the day is used up: ${whose} has used ${dollars(usd)} of ${dollars(limit)} (\`daily_usd.${key}\`). It begins anew at midnight, UTC.`;
  }
  return undefined;
}
