import type { RunTranscript, SnapshotRow } from "../store/run-list.ts";
import { STATE_WORDS } from "../core/words.ts";
import { dollars } from "../text/dollars.ts";
import { oneLine, type Clean } from "./clean.ts";
import { html, type Html } from "./html.ts";
import { layOut, type NavLink } from "./layout.ts";
import { age } from "./list-page.ts";
import { spoken, type Texts } from "./texts.ts";
import { renderTimeline, word } from "./timeline.ts";
import { count, counted, KIND_WORDS } from "./words.ts";

/** UTF-16 units of all texts of a page together, and the least and the most of one. */
const ROOM = 60_000;
const SHORTEST_CUT = 200;
const LONGEST_CUT = 4_000;
const LONGEST_TITLE = 200;
const MOST_PATHS = 200;

export interface RunPage {
  /** Cleaned. */
  readonly transcript: RunTranscript;
  readonly clean: Clean;
  readonly links?: readonly NavLink[];
  readonly now: number;
}

/** One run: who asked for what, what came of it, and its journal as a timeline. */
export function renderRun({ transcript, clean, links = [], now }: RunPage): Html {
  const { run, usage, usd, rows, omitted, snapshot } = transcript;
  const { request } = run;
  const { repository, thread, actor, trigger } = request;
  const name = `${repository.owner}/${repository.name}`;
  const limit = Math.max(SHORTEST_CUT, Math.min(LONGEST_CUT, Math.floor(ROOM / Math.max(1, rows.length))));
  const texts: Texts = { limit, clean };
  return layOut({
    links,
    title: `${name} #${thread.number}`,
    body: html`<p>${word(run.state, STATE_WORDS[run.state])} <bdi>${oneLine(request.title, LONGEST_TITLE)}</bdi></p>
      <dl>
        <dt>Kind</dt>
        <dd>${KIND_WORDS[trigger]}, on ${thread.kind === "issue" ? "an issue" : "a pull request"}</dd>
        <dt>Asked by</dt>
        <dd>${actor.login}</dd>
        <dt>Began</dt>
        <dd>${age(run.createdAt, now)}</dd>
        <dt>Attempts</dt>
        <dd>
          ${run.attempt}${run.losses + run.failures === 0 ? undefined : ` (${counted(run.losses, "worker")} lost, ${counted(run.failures, "engine error")})`}
        </dd>
        <dt>Tokens</dt>
        <dd>
          ${count(usage.input + usage.output)}: ${count(usage.input)} in, of them ${count(usage.cached)} cached, and ${count(usage.output)}
          out
        </dd>
        ${
          usd === undefined
            ? undefined
            : html`<dt>Cost</dt>
                <dd>${dollars(usd)}</dd>`
        }
        <dt>Run</dt>
        <dd><code>${run.id}</code></dd>
      </dl>
      ${run.state === "queued" || run.state === "working" ? html`<p class="quiet">The run goes on; load the page again to see more.</p>` : undefined}
      <h2>Request</h2>
      ${request.text.trim() === "" ? html`<p class="quiet">The request has no text of its own.</p>` : spoken(request.text, { ...texts, limit: LONGEST_CUT })}
      <h2>Change set</h2>
      ${changes(snapshot)}
      <h2>Timeline</h2>
      ${omitted === 0 ? undefined : html`<p class="quiet">${counted(omitted, "earlier row is", "earlier rows are")} not shown.</p>`}
      ${rows.length === 0 ? html`<p>Nothing has happened yet.</p>` : renderTimeline(rows, run.createdAt, texts)}`,
  });
}

function changes(snapshot: SnapshotRow | undefined): Html {
  const entries = snapshot?.entries ?? [];
  if (entries.length === 0) return html`<p>No path differs from the pinned commit.</p>`;
  const more = entries.length - MOST_PATHS;
  return html`<ul>
      ${entries
        .slice(0, MOST_PATHS)
        .map(
          ({ path, blob, mode }) =>
            html`<li>
              <code>${oneLine(path, LONGEST_TITLE)}</code> <span class="quiet">${blob === undefined ? "deleted" : modeWords(mode)}</span>
            </li>`,
        )}
    </ul>
    ${more > 0 ? html`<p class="quiet">and ${counted(more, "more path")}</p>` : undefined}`;
}

function modeWords(mode: SnapshotRow["entries"][number]["mode"]): string {
  if (mode === "100755") return "written, executable";
  if (mode === "120000") return "written, a link";
  if (mode === "160000") return "written, a submodule";
  return "written";
}
