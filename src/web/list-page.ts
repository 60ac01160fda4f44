import type { Arrival } from "../core/arrivals.ts";
import type { RunState, Trigger } from "../core/run.ts";
import type { ListedRun, RunFilter } from "../store/run-list.ts";
import { STATE_WORDS } from "../core/words.ts";
import { oneLine } from "./clean.ts";
import { html, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { liveAddress } from "./live/topic.ts";
import { counted, KIND_WORDS, span } from "./words.ts";

/** Longest title in the list, in UTF-16 units: a hundred of them must stay a light page. */
const LONGEST_TITLE = 60;

/** The cursor of a page: everything on it is older. Undefined for the first page, and for what is no cursor. */
export function readCursor(parameters: URLSearchParams): number | undefined {
  const before = parameters.get("before") ?? "";
  return /^[1-9]\d{0,8}$/.test(before) ? Number(before) : undefined;
}

/** What the list is asked to show. */
export interface ListQuery extends RunFilter {
  /** A value that no run can have: the list is empty then, rather than whole. */
  readonly isImpossible: boolean;
}

/** Reads `repository`, `state` and `kind`; empty values count as missing. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const value = (name: string): string | undefined => parameters.get(name)?.trim() || undefined;
  const [repository, state, kind] = [value("repository"), value("state"), value("kind")];
  const knownState = keyOf(STATE_WORDS, state);
  const knownKind = keyOf(KIND_WORDS, kind);
  const before = readCursor(parameters);
  return {
    ...(before === undefined ? {} : { before }),
    ...(repository === undefined ? {} : { repository }),
    ...(knownState === undefined ? {} : { state: knownState }),
    ...(knownKind === undefined ? {} : { trigger: knownKind }),
    isImpossible: (state !== undefined && knownState === undefined) || (kind !== undefined && knownKind === undefined),
  };
}

function keyOf<K extends string>(words: Readonly<Record<K, string>>, value: string | undefined): K | undefined {
  return value !== undefined && Object.hasOwn(words, value) ? (value as K) : undefined;
}

export interface ListPage {
  readonly query: ListQuery;
  /** Newest first, cleaned. */
  readonly runs: readonly ListedRun[];
  /** More runs fit the query than are shown. */
  readonly hasMore: boolean;
  readonly unfinished: { readonly queued: number; readonly working: number };
  /** Jobs in the queue, where that is known. */
  readonly queueDepth?: number;
  /** What came last since this process began; absent where it receives nothing. */
  readonly lastDelivery?: Arrival | "none";
  readonly links?: readonly NavLink[];
  readonly now: number;
}

/** The list of runs. */
export function renderList({ query, runs, hasMore, unfinished, queueDepth, lastDelivery, links = [], now }: ListPage): Html {
  const depth = queueDepth === undefined ? "" : `, ${counted(queueDepth, "job")} in the queue`;
  return layOut({
    links,
    current: BASE,
    title: "Runs",
    ...(query.before === undefined ? { live: liveAddress("runs") } : {}),
    body: html`<p class="quiet">${unfinished.working} working, ${unfinished.queued} queued${depth}</p>
      ${lastDelivery === undefined ? undefined : html`<p class="quiet">${delivered(lastDelivery, now)}</p>`} ${filters(query)}
      ${
        runs.length === 0
          ? nothing(query)
          : html`<ol class="runs">
              ${runs.map((run) => line(run, query, now))}
            </ol>`
      }
      ${pager(query, hasMore ? runs.at(-1)?.position : undefined)}`,
  });
}

function line({ id, state, request, createdAt, tokens }: ListedRun, query: ListQuery, now: number): Html {
  const { repository, thread, actor, trigger, title } = request;
  const name = `${repository.owner}/${repository.name}`;
  const { before: _, ...filter } = query;
  return html`<li id="run-${id}">
    <p>
      <a class="word ${state}" href="${address({ ...filter, state })}">${STATE_WORDS[state]}</a>
      <a href="${BASE}/runs/${id}"><bdi>${name}#${thread.number} ${oneLine(title, LONGEST_TITLE)}</bdi></a>
    </p>
    <p class="facts">
      <a href="${address({ ...filter, repository: name })}">${name}</a> ·
      <a href="${address({ ...filter, trigger })}">${KIND_WORDS[trigger]}</a> by ${actor.login} · ${age(createdAt, now)} ·
      ${counted(tokens, "token")}
    </p>
  </li> `;
}

/** Ways to newer and older runs; none where all stand on one page. */
function pager(query: ListQuery, older: number | undefined): Part {
  if (older === undefined && query.before === undefined) return undefined;
  const { before: _, ...filter } = query;
  return html`<nav class="pager" aria-label="More runs">
    ${query.before === undefined ? undefined : html`<a href="${address(filter)}">Newest runs</a>`}
    ${older === undefined ? undefined : html`<a href="${address({ ...filter, before: older })}" rel="next">Older runs</a>`}
  </nav>`;
}

/** Whether GitHub reaches this server, as far as this process has seen. */
function delivered(last: Arrival | "none", now: number): Part {
  if (last === "none") return "Waiting for the first delivery of GitHub since this server was started.";
  return html`The last delivery of GitHub: ${last.event}, ${age(last.at, now)}.`;
}

/** How long ago, with the exact time for whoever asks. */
export function age(at: Date, now: number): Html {
  const exact = at.toISOString();
  return html`<time datetime="${exact}" title="${exact}">${span(now - at.getTime())} ago</time>`;
}

/** Links for what is one of a few, and a field for the name of a repository. */
function filters(query: ListQuery): Html {
  const { repository, state, trigger } = query;
  const choice = (words: string, isCurrent: boolean, to: Narrowing): Html =>
    html`<li>
      <a href="${address({ repository, state, trigger, ...to })}" ${isCurrent ? html` aria-current="true"` : undefined}>${words}</a>
    </li>`;
  const states = Object.entries(STATE_WORDS) as [RunState, string][];
  const kinds = Object.entries(KIND_WORDS) as [Trigger, string][];
  return html`<nav class="filters" aria-label="Narrow the list">
    <ul aria-label="State">
      ${choice("any state", state === undefined, { state: undefined })}${states.map(([key, words]) => choice(words, state === key, { state: key }))}
    </ul>
    <ul aria-label="Kind">
      ${choice("any kind", trigger === undefined, { trigger: undefined })}${kinds.map(([key, words]) => choice(words, trigger === key, { trigger: key }))}
    </ul>
    ${
      repository === undefined
        ? html`<form class="look-up" action="${BASE}" method="get">
            <label for="repository">Repository</label>
            <input id="repository" name="repository" placeholder="owner/name" autocomplete="off" autocapitalize="off" spellcheck="false" />
            ${state === undefined ? undefined : html`<input type="hidden" name="state" value="${state}" />`}
            ${trigger === undefined ? undefined : html`<input type="hidden" name="kind" value="${trigger}" />`}
            <button class="second">Narrow</button>
          </form>`
        : html`<p>Only ${oneLine(repository, 150)}. <a href="${address({ state, trigger })}">Show every repository</a></p>`
    }
  </nav>`;
}

function nothing({ repository, state, trigger, before, isImpossible }: ListQuery): Part {
  if (before !== undefined) return html`<p class="empty">There are no older runs. <a href="${BASE}">Show the newest</a></p>`;
  if (isImpossible || repository !== undefined || state !== undefined || trigger !== undefined)
    return html`<p class="empty">No run fits. <a href="${BASE}">Show all runs</a></p>`;
  return html`<p>
      There is no run yet. On an issue or a pull request of a repository that the App is installed on, write a comment that mentions it and
      says what to do:
    </p>
    <pre>@sallyport fix this</pre>
    <p>
      Write the App's own name after the @ where it is another one. The comment gets a pair of eyes within seconds, and the run appears
      here. If it does not, look at the deliveries on the App's settings page.
    </p>`;
}

/** A filter with some of its members taken away. */
type Narrowing = { readonly [K in keyof RunFilter]?: RunFilter[K] | undefined };

function address({ repository, state, trigger, before }: Narrowing): string {
  const parameters = new URLSearchParams();
  if (repository !== undefined) parameters.set("repository", repository);
  if (state !== undefined) parameters.set("state", state);
  if (trigger !== undefined) parameters.set("kind", trigger);
  if (before !== undefined) parameters.set("before", String(before));
  return parameters.size === 0 ? BASE : `${BASE}?${parameters.toString()}`;
}
