import { readFates } from "../store/answered.ts";
import { listAudit } from "../store/audit-list.ts";
import { countRules, readGateDays } from "../store/gate-days.ts";
import { readQueue } from "../store/queue-list.ts";
import { usedByDay, usedMost, type Owner } from "../store/spend.ts";
import type { Executor } from "../store/sql.ts";
import { AUDIT_PATH, readAuditQuery, renderAudit } from "./audit-page.ts";
import { cleanAll, cleanWith, type Clean } from "./clean.ts";
import { daysUntil, readSpan } from "./days.ts";
import { GATE_PATH, renderGate } from "./gate-page.ts";
import type { Html } from "./html.ts";
import type { NavLink } from "./layout.ts";
import { QUEUE_PATH, renderQueue } from "./queue-page.ts";
import { renderSpend, SPEND_PATH, type Budgets } from "./spend-page.ts";

/** Rows of the audit log on a page, and lines of each table: the pages stay light whatever is in the database. */
const MOST_ROWS = 50;
const MOST_LINES = 25;

interface OverviewOptions {
  readonly database: Executor;
  readonly mask: (text: string) => string;
  readonly links: readonly NavLink[];
  readonly budgets: Budgets;
  readonly now: number;
}

interface Wish extends Omit<OverviewOptions, "mask"> {
  readonly parameters: URLSearchParams;
  readonly clean: Clean;
}

const PAGES: Readonly<Record<string, (wish: Wish) => Promise<Html>>> = {
  [AUDIT_PATH]: audit,
  [GATE_PATH]: gate,
  [QUEUE_PATH]: queue,
  [SPEND_PATH]: spend,
};

/** The pages that tell of all runs together: queue, spend, gate and audit log. Undefined for any other path. */
export async function overviewPage(
  path: string,
  parameters: URLSearchParams,
  { mask, ...options }: OverviewOptions,
): Promise<Html | undefined> {
  return Object.hasOwn(PAGES, path) ? PAGES[path]?.({ ...options, parameters, clean: cleanWith(mask) }) : undefined;
}

async function audit({ database, parameters, clean, links }: Wish): Promise<Html> {
  const query = readAuditQuery(parameters);
  // One more than is shown tells whether there are more.
  const found = query.isImpossible ? [] : await listAudit(database, query, MOST_ROWS + 1);
  return renderAudit({
    query: cleanAll(query, clean),
    rows: found.slice(0, MOST_ROWS),
    hasMore: found.length > MOST_ROWS,
    clean,
    links,
  });
}

async function gate({ database, parameters, clean, links, now }: Wish): Promise<Html> {
  const days = daysUntil(now, readSpan(parameters));
  const since = days[0] ?? "";
  return renderGate({
    days,
    decisions: await readGateDays(database, since),
    rules: cleanAll(await countRules(database, since), clean),
    fates: await readFates(database, since),
    links,
  });
}

async function queue({ database, clean, links, now }: Wish): Promise<Html> {
  return renderQueue({ state: cleanAll(await readQueue(database, MOST_LINES), clean), limit: MOST_LINES, links, now });
}

async function spend({ database, parameters, clean, links, budgets, now }: Wish): Promise<Html> {
  const days = daysUntil(now, readSpan(parameters));
  const [since = "", today = ""] = [days[0], days.at(-1)];
  const most = async (owner: Owner, from: string) => cleanAll(await usedMost(database, owner, { since: from, limit: MOST_LINES }), clean);
  const limited = (Object.keys(budgets) as Owner[]).filter((owner) => budgets[owner] !== undefined);
  return renderSpend({
    days,
    used: await usedByDay(database, since),
    repositories: await most("repository", since),
    users: await most("user", since),
    budgets,
    today: Object.fromEntries(await Promise.all(limited.map(async (owner) => [owner, await most(owner, today)] as const))),
    links,
  });
}
