import type { Arrival } from "../core/arrivals.ts";
import type { RunState, Trigger } from "../core/run.ts";
import type { ListedRun, RunFilter } from "../store/run-list.ts";
import { STATE_WORDS } from "../core/words.ts";
import { oneLine } from "./clean.ts";
import { html, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { counted, KIND_WORDS, span } from "./words.ts";

/** Longest title in the list, in UTF-16 units: a hundred of them must stay a light page. */
const LONGEST_TITLE = 60;

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
  return {
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
    body: html`<p class="quiet">${unfinished.working} working, ${unfinished.queued} queued${depth}</p>
      ${lastDelivery === undefined ? undefined : html`<p class="quiet">${delivered(lastDelivery, now)}</p>`} ${filters(query)}
      ${
        runs.length === 0
          ? nothing(query)
          : html`<ol class="runs">
              ${runs.map((run) => line(run, query, now))}
            </ol>`
      }
      ${hasMore ? html`<p class="quiet">Older runs are not shown: these are the newest ${runs.length} that fit.</p>` : undefined}`,
  });
}

function line({ id, state, request, createdAt, tokens }: ListedRun, query: ListQuery, now: number): Html {
  const { repository, thread, actor, trigger, title } = request;
  const name = `${repository.owner}/${repository.name}`;
  return html`<li>
    <p>
      <a class="word ${state}" href="${address({ ...query, state })}">${STATE_WORDS[state]}</a>
      <a href="${BASE}/runs/${id}"><bdi>${name}#${thread.number} ${oneLine(title, LONGEST_TITLE)}</bdi></a>
    </p>
    <p class="facts">
      <a href="${address({ ...query, repository: name })}">${name}</a> ·
      <a href="${address({ ...query, trigger })}">${KIND_WORDS[trigger]}</a> by ${actor.login} · ${age(createdAt, now)} ·
      ${counted(tokens, "token")}
    </p>
  </li> `;
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

/** Links instead of a form: the pages' policy lets no form be sent. */
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
    ${repository === undefined ? undefined : html`<p>Only ${oneLine(repository, 150)}. <a href="${address({ state, trigger })}">Show every repository</a></p>`}
  </nav>`;
}

function nothing({ repository, state, trigger, isImpossible }: ListQuery): Part {
  if (isImpossible || repository !== undefined || state !== undefined || trigger !== undefined)
    return html`<p>No run fits. <a href="${BASE}">Show all runs</a></p>`;
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
type Narrowing = { readonly [K in keyof RunFilter]: RunFilter[K] | undefined };

function address({ repository, state, trigger }: Narrowing): string {
  const parameters = new URLSearchParams();
  if (repository !== undefined) parameters.set("repository", repository);
  if (state !== undefined) parameters.set("state", state);
  if (trigger !== undefined) parameters.set("kind", trigger);
  return parameters.size === 0 ? BASE : `${BASE}?${parameters.toString()}`;
}
