import { AUDIT_TOPICS, type AuditFilter, type AuditTopic, type ListedAudit } from "../store/audit-list.ts";
import { readEntry, type AuditEntryView } from "./audit-entry.ts";
import { oneLine, type Clean } from "./clean.ts";
import { html, webLink, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { word } from "./timeline.ts";
import { counted } from "./words.ts";

export const AUDIT_PATH = `${BASE}/audit`;
/** The whole log as JSON lines. */
export const AUDIT_EXPORT_PATH = `${BASE}/audit.jsonl`;

/** UTF-16 units of a name within a line, and of an address. */
const LONGEST_WORD = 150;
const LONGEST_URL = 300;
const LONGEST_RULE = 60;
const MOST_RULES = 8;

const TOPIC_WORDS: Readonly<Record<AuditTopic, string>> = {
  written: "written to GitHub",
  decided: "decided by the gate",
  "held-back": "held back",
  asked: "asked about",
  answered: "answered by people",
};

/** What the log is asked to show. */
export interface AuditQuery extends AuditFilter {
  /** A value that no row can have: the log is empty then, rather than whole. */
  readonly isImpossible: boolean;
}

/** Reads `show`, `repository`, `run` and `before`; empty values count as missing. */
export function readAuditQuery(parameters: URLSearchParams): AuditQuery {
  const value = (name: string): string | undefined => parameters.get(name)?.trim() || undefined;
  const [show, repository, run, before] = [value("show"), value("repository"), value("run"), value("before")];
  const topic = AUDIT_TOPICS.find((one) => one === show);
  const position = before !== undefined && /^\d{1,15}$/.test(before) ? Number(before) : undefined;
  const isRun = run === undefined || /^[0-9a-z]{26}$/.test(run);
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(repository === undefined ? {} : { repository: repository.replaceAll("\0", "") }),
    ...(run === undefined || !isRun ? {} : { run }),
    ...(position === undefined ? {} : { before: position }),
    isImpossible: (show !== undefined && topic === undefined) || (before !== undefined && position === undefined) || !isRun,
  };
}

export interface AuditPage {
  readonly query: AuditQuery;
  /** Newest first. */
  readonly rows: readonly ListedAudit[];
  /** Older rows fit the query. */
  readonly hasMore: boolean;
  readonly clean: Clean;
  readonly links?: readonly NavLink[];
}

/** The audit log: what the gate decided, what was written to GitHub, and what people answered. */
export function renderAudit({ query, rows, hasMore, clean, links = [] }: AuditPage): Html {
  const oldest = rows.at(-1)?.position;
  return layOut({
    title: "Audit log",
    current: AUDIT_PATH,
    links,
    body: html`<p class="quiet">
        Every decision of the outer door, and what became of it. Rows form a chain of hashes: take the log away as
        <a href="${AUDIT_EXPORT_PATH}" download>lines of JSON</a> to check it and to keep it elsewhere.
      </p>
      ${filters(query)}
      ${
        rows.length === 0
          ? nothing(query)
          : html`<ol class="log">
              ${rows.map((row) => line(row, query, clean))}
            </ol>`
      }
      ${
        query.before === undefined && !hasMore
          ? undefined
          : html`<nav class="pager" aria-label="More rows">
              ${query.before === undefined ? undefined : html`<a href="${address({ ...query, before: undefined })}">Newest rows</a>`}
              ${hasMore && oldest !== undefined ? html`<a href="${address({ ...query, before: oldest })}" rel="next">Older rows</a>` : undefined}
            </nav>`
      }`,
  });
}

function line({ position, entry }: ListedAudit, query: AuditQuery, clean: Clean): Html {
  const row = readEntry(entry, clean);
  const { state, words, operation, target, repository, run, asker, url, rules, approval, by } = row;
  const more = rules.length - MOST_RULES;
  return html`<li id="row-${position}">
    <div class="row-head">
      <p>
        ${word(state, words)} ${operation === undefined ? undefined : html`<strong>${oneLine(operation, LONGEST_RULE)}</strong>`}
        ${target === undefined ? undefined : html`<code>${oneLine(target, LONGEST_WORD)}</code>`}
        ${approval === undefined ? undefined : html`<code>${oneLine(approval, LONGEST_WORD)}</code>`}
        ${by === undefined ? undefined : html`by <bdi>${oneLine(by, LONGEST_WORD)}</bdi>`}
      </p>
      ${when(row)}
    </div>
    ${
      rules.length === 0
        ? undefined
        : html`<p>
            ${rules
              .slice(0, MOST_RULES)
              .map(
                ({ rule, severity, words: said }) => html`${word(severity, said)} <code>${oneLine(rule, LONGEST_RULE)}</code> `,
              )}${more > 0 ? html`<span class="quiet">and ${counted(more, "more rule")}</span>` : undefined}
          </p>`
    }
    ${url === undefined ? undefined : html`<p>${webLink(url, oneLine(url, LONGEST_URL))}</p>`}
    <p class="facts">
      ${repository === undefined ? undefined : html`${repositoryLink(repository, query)} ·`}
      ${asker === undefined ? undefined : html`asked by <bdi>${oneLine(asker, LONGEST_WORD)}</bdi> ·`}
      ${run === undefined ? undefined : html`<a href="${BASE}/runs/${run}">the run</a> · <a href="${address({ run })}">its rows</a> ·`} row
      ${position}
    </p>
  </li> `;
}

/** One that is longer than any that GitHub knows is not linked: such an address would only make the page heavy. */
function repositoryLink(repository: string, { topic }: AuditQuery): Html {
  const shown = html`<bdi>${oneLine(repository, LONGEST_WORD)}</bdi>`;
  return repository.length > LONGEST_WORD ? shown : html`<a href="${address({ topic, repository })}">${shown}</a>`;
}

function when({ at }: AuditEntryView): Part {
  return at === undefined ? undefined : html`<time datetime="${at}">${at.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function filters(query: AuditQuery): Html {
  const { topic, repository, run, isImpossible } = query;
  const choice = (words: string, isCurrent: boolean, to: AuditTopic | undefined): Html =>
    html`<li>
      <a href="${address({ topic: to, repository, run })}" ${isCurrent ? html`aria-current="true"` : undefined}>${words}</a>
    </li>`;
  return html`<nav class="filters" aria-label="Narrow the log">
    <ul>
      ${choice("everything", topic === undefined && !isImpossible, undefined)}${AUDIT_TOPICS.map((one) => choice(TOPIC_WORDS[one], one === topic, one))}
    </ul>
    ${
      repository === undefined
        ? undefined
        : html`<p>Only <bdi>${oneLine(repository, LONGEST_WORD)}</bdi>. <a href="${address({ topic, run })}">Show every repository</a></p>`
    }
    ${run === undefined ? undefined : html`<p>Only the run <code>${run}</code>. <a href="${address({ topic, repository })}">Show every run</a></p>`}
  </nav>`;
}

function nothing({ topic, repository, run, before, isImpossible }: AuditQuery): Html {
  const isNarrow = isImpossible || [topic, repository, run, before].some((value) => value !== undefined);
  return isNarrow
    ? html`<p class="empty">No row fits. <a href="${AUDIT_PATH}">Show the whole log</a></p>`
    : html`<p class="empty">Nothing has been decided or written yet. The first run that writes to GitHub leaves its rows here.</p>`;
}

/** Filters with some of them taken away. */
type Narrowing = { readonly [K in keyof AuditFilter]?: AuditFilter[K] | undefined };

function address({ topic, repository, run, before }: Narrowing): string {
  const parameters = new URLSearchParams();
  if (topic !== undefined) parameters.set("show", topic);
  if (repository !== undefined) parameters.set("repository", repository);
  if (run !== undefined) parameters.set("run", run);
  if (before !== undefined) parameters.set("before", String(before));
  return parameters.size === 0 ? AUDIT_PATH : `${AUDIT_PATH}?${parameters.toString()}`;
}
