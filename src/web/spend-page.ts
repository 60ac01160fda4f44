import type { Owner, Used, UsedBy, UsedDay } from "../store/spend.ts";
import { dollars } from "../text/dollars.ts";
import { renderChart, renderMeter } from "./chart.ts";
import { oneLine } from "./clean.ts";
import { renderSpans } from "./days.ts";
import { html, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { renderTable, renderTiles } from "./table.ts";
import { count, counted } from "./words.ts";

export const SPEND_PATH = `${BASE}/spend`;
const LONGEST_NAME = 150;

/** Dollars a day for each of those, as the server's configuration says; a repository's own may be tighter. */
export type Budgets = Readonly<Partial<Record<Owner, number>>>;

export interface SpendPage {
  /** All days shown, oldest first. */
  readonly days: readonly string[];
  /** Days on which something was used. */
  readonly used: readonly UsedDay[];
  /** Those with most first, cleaned. */
  readonly repositories: readonly UsedBy[];
  readonly users: readonly UsedBy[];
  readonly budgets: Budgets;
  /** What was used today, by those with a budget. */
  readonly today: Readonly<Partial<Record<Owner, readonly UsedBy[]>>>;
  readonly links?: readonly NavLink[];
}

/** What models were paid, by day, repository and person, and what is left of the day's budgets. */
export function renderSpend({ days, used, repositories, users, budgets, today, links = [] }: SpendPage): Html {
  const byDay = days.map((day) => ({ day, ...(used.find((one) => one.day === day) ?? NOTHING) }));
  const all = sumOf(byDay);
  return layOut({
    title: "Spend",
    current: SPEND_PATH,
    links,
    body: html`${renderSpans(SPEND_PATH, days.length)}
      ${renderTiles([
        { name: "Today", ...amount(sumOf(byDay.slice(-1))) },
        { name: "Last 7 days", ...amount(sumOf(byDay.slice(-7))) },
        { name: `Last ${days.length} days`, ...amount(all) },
      ])}
      ${
        all.unpriced === 0
          ? undefined
          : html`<p class="note">
              ${counted(all.unpriced, "answer")} came from models whose price is not known, and ${all.unpriced === 1 ? "is" : "are"} not in
              the dollars. Set <code>prices</code> in the configuration to count them.
            </p>`
      }
      ${all.tokens === 0 ? empty(days.length) : charts(byDay)}
      <h2>Budgets of today</h2>
      ${renderBudgets(budgets, today)} ${most("Repositories", repositories, all, repositoryOf)} ${most("People", users, all, loginOf)}
      <p class="quiet">
        Days are days of UTC. What a run used is kept as long as the run is: days that lie further back than that are empty.
      </p>`,
  });
}

function charts(days: readonly UsedDay[]): Part {
  return [
    renderChart({
      title: "Dollars by day",
      series: [{ name: "dollars", fill: "main" }],
      days: days.map(({ day, usd }) => ({ day, values: [usd] })),
      words: (usd) => (usd === 0 ? "$0" : dollars(usd)),
    }),
    renderChart({
      title: "Tokens by day",
      series: [{ name: "tokens", fill: "main" }],
      days: days.map(({ day, tokens }) => ({ day, values: [tokens] })),
      words: (tokens) => count(Math.round(tokens)),
    }),
  ];
}

function most(title: string, users: readonly UsedBy[], all: Used, nameOf: (one: UsedBy) => Html): Part {
  if (users.length === 0) return undefined;
  const rows = users.map((one) => [
    nameOf(one),
    count(one.runs),
    count(one.tokens),
    dollars(one.usd),
    renderMeter(all.usd > 0 ? one.usd / all.usd : one.tokens / Math.max(1, all.tokens)),
  ]);
  return html`<h2>${title}</h2>
    ${renderTable(
      `${title} by what their runs used`,
      [{ head: title === "People" ? "Asked by" : "Repository" }, ...FIGURES, { head: "Share" }],
      rows,
    )}`;
}

const FIGURES = ["Runs", "Tokens", "Dollars"].map((head) => ({ head, isNumber: true }));

const OWNER_WORDS: Readonly<Record<Owner, string>> = {
  user: "each person",
  repository: "each repository",
  organisation: "each organisation",
};

function renderBudgets(budgets: Budgets, today: SpendPage["today"]): Part {
  const set = (Object.keys(OWNER_WORDS) as Owner[]).flatMap((owner) =>
    budgets[owner] === undefined ? [] : [[owner, budgets[owner]] as const],
  );
  if (set.length === 0)
    return html`<p class="empty">
      The server's configuration limits no day. <code>daily_usd</code> does so, for each person, repository or organisation.
    </p>`;
  const rows = set.flatMap(([owner, limit]) =>
    (today[owner] ?? []).map((one) => [
      owner === "user"
        ? loginOf(one)
        : owner === "repository"
          ? repositoryOf(one)
          : html`<bdi>${oneLine(one.request.repository.owner, LONGEST_NAME)}</bdi>`,
      owner === "user" ? "person" : owner,
      dollars(one.usd),
      dollars(limit),
      one.usd >= limit ? "used up" : dollars(limit - one.usd),
      renderMeter(one.usd / limit, one.usd >= limit ? "bad" : one.usd >= 0.8 * limit ? "held" : "good"),
    ]),
  );
  return html`<p>
      ${set.map(([owner, limit]) => `${dollars(limit)} for ${OWNER_WORDS[owner]}`).join(", ")}.
      <span class="quiet">The configuration of a repository may say less.</span>
    </p>
    ${
      rows.length === 0
        ? html`<p class="empty">Nothing has been used today.</p>`
        : renderTable("What is left of today's budgets", [{ head: "Whose" }, { head: "Kind" }, ...LEFT, { head: "Used up" }], rows)
    }`;
}

const LEFT = ["Used", "Limit", "Left"].map((head) => ({ head, isNumber: true }));

function empty(days: number): Html {
  return html`<p class="empty">No run has asked a model in the last ${days} days.</p>`;
}

function repositoryOf({ request: { repository } }: UsedBy): Html {
  const name = `${repository.owner}/${repository.name}`;
  const shown = html`<bdi>${oneLine(name, LONGEST_NAME)}</bdi>`;
  // Longer than any that GitHub knows: such an address would only make the page heavy.
  return name.length > LONGEST_NAME ? shown : html`<a href="${BASE}?repository=${encodeURIComponent(name)}">${shown}</a>`;
}

const loginOf = ({ request: { actor } }: UsedBy): Html => html`<bdi>${oneLine(actor.login, LONGEST_NAME)}</bdi>`;

const NOTHING: Used = { usd: 0, tokens: 0, unpriced: 0 };

function sumOf(all: readonly Used[]): Used {
  return all.reduce(
    (sum, { usd, tokens, unpriced }) => ({ usd: sum.usd + usd, tokens: sum.tokens + tokens, unpriced: sum.unpriced + unpriced }),
    NOTHING,
  );
}

const amount = ({ usd, tokens }: Used) => ({ value: dollars(usd), beside: counted(tokens, "token") });
