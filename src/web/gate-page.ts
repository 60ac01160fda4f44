import type { Fates } from "../store/answered.ts";
import type { GateDay, RuleCount } from "../store/gate-days.ts";
import { SEVERITY_WORDS } from "../core/words.ts";
import { renderChart } from "./chart.ts";
import { oneLine } from "./clean.ts";
import { renderSpans } from "./days.ts";
import { html, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { renderTable, renderTiles } from "./table.ts";
import { word } from "./timeline.ts";
import { count, span } from "./words.ts";

export const GATE_PATH = `${BASE}/gate`;
const MOST_RULES = 40;
const LONGEST_RULE = 80;

export interface GatePage {
  /** All days shown, oldest first. */
  readonly days: readonly string[];
  readonly decisions: readonly GateDay[];
  /** Cleaned. */
  readonly rules: readonly RuleCount[];
  readonly fates: Fates;
  readonly links?: readonly NavLink[];
}

/** What the outer door let through, asked about and held back; by day and by rule, and what people answered. */
export function renderGate({ days, decisions, rules, fates, links = [] }: GatePage): Html {
  const of = (verdict: string, day?: string): number =>
    decisions.reduce((sum, one) => sum + (one.verdict === verdict && (day === undefined || one.day === day) ? one.decisions : 0), 0);
  const [allowed, asked, blocked] = [of("allow"), of("ask"), of("block")];
  const all = allowed + asked + blocked;
  const share = (part: number): string => (all === 0 ? "no decision yet" : `${((100 * part) / all).toFixed(1)} % of all`);
  return layOut({
    title: "Gate",
    current: GATE_PATH,
    links,
    body: html`${renderSpans(GATE_PATH, days.length)}
      <p class="quiet">
        Everything that is to leave for GitHub is decided by the outer door; the <a href="${BASE}/audit?show=decided">audit log</a> has each
        decision.
      </p>
      ${renderTiles([
        { name: "Decisions", value: count(all), beside: `in ${days.length} days` },
        { name: "Allowed", value: count(allowed), beside: share(allowed) },
        { name: "Asked about", value: count(asked), beside: share(asked) },
        { name: "Held back", value: count(blocked), beside: share(blocked) },
      ])}
      ${
        all === 0
          ? html`<p class="empty">The gate has decided nothing in these days.</p>`
          : renderChart({
              title: "Asked about and held back by day",
              series: [
                { name: "asked about", fill: "held" },
                { name: "held back", fill: "bad" },
              ],
              days: days.map((day) => ({ day, values: [of("ask", day), of("block", day)] })),
              words: (value) => count(Math.round(value * 10) / 10),
            })
      }
      <h2>Rules</h2>
      ${renderRules(rules)}
      <h2>Approvals</h2>
      ${approvals(fates)}`,
  });
}

interface SpokenRule extends Pick<RuleCount, "rule" | "severity" | "findings"> {
  readonly allow: number;
  readonly ask: number;
  readonly block: number;
}

function renderRules(rules: readonly RuleCount[]): Html {
  const byRule = new Map<string, SpokenRule>();
  for (const { rule, severity, verdict, decisions, findings } of rules) {
    const key = JSON.stringify([rule, severity]);
    const so = byRule.get(key) ?? { rule, severity, findings: 0, allow: 0, ask: 0, block: 0 };
    const more = (which: string): number => (verdict === which ? decisions : 0);
    byRule.set(key, {
      ...so,
      findings: so.findings + findings,
      allow: so.allow + more("allow"),
      ask: so.ask + more("ask"),
      block: so.block + more("block"),
    });
  }
  const most = [...byRule.values()].sort(
    (a, b) => b.block - a.block || b.ask - a.ask || b.findings - a.findings || (a.rule < b.rule ? -1 : 1),
  );
  if (most.length === 0) return html`<p class="empty">No rule has found anything.</p>`;
  return html`${renderTable(
    "How often each rule spoke, and how the decisions ended in which it did",
    [{ head: "Rule" }, { head: "Says" }, ...COLUMNS],
    most
      .slice(0, MOST_RULES)
      .map(({ rule, severity, findings, allow, ask, block }) => [
        html`<code>${oneLine(rule, LONGEST_RULE)}</code>`,
        severityWord(severity),
        count(findings),
        count(allow),
        count(ask),
        count(block),
      ]),
  )}
  ${most.length > MOST_RULES ? html`<p class="quiet">and ${count(most.length - MOST_RULES)} more, which spoke less</p>` : undefined}`;
}

const COLUMNS = ["Findings", "Allowed", "Asked", "Held back"].map((head) => ({ head, isNumber: true }));

function severityWord(severity: string): Part {
  const isKnown = Object.hasOwn(SEVERITY_WORDS, severity);
  return word(
    isKnown ? severity : "quiet",
    isKnown ? SEVERITY_WORDS[severity as keyof typeof SEVERITY_WORDS] : oneLine(severity, LONGEST_RULE),
  );
}

function approvals({ approved, denied, expired, voided, waiting, medianSeconds }: Fates): Html {
  if (approved + denied + expired + voided + waiting === 0) return html`<p class="empty">Nobody was asked in these days.</p>`;
  return renderTiles([
    { name: "Approved", value: count(approved) },
    { name: "Denied", value: count(denied) },
    { name: "Not answered in time", value: count(expired) },
    { name: "Asked anew instead", value: count(voided) },
    { name: "Waiting", value: count(waiting) },
    ...(medianSeconds === undefined ? [] : [{ name: "Half were answered within", value: span(medianSeconds * 1000) }]),
  ]);
}
