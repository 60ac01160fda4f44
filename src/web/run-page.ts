import type { Finding } from "../core/result.ts";
import type { JournalRow, RunTranscript } from "../store/run-list.ts";
import { STATE_WORDS } from "../core/words.ts";
import { dollars } from "../text/dollars.ts";
import { renderDiff } from "./changes/diff-view.ts";
import type { ChangeSetDiff } from "./changes/file-diff.ts";
import { oneLine, type Clean } from "./clean.ts";
import { html, webLink, type Html, type Part } from "./html.ts";
import { APPROVALS_PATH, BASE, layOut, type NavLink } from "./layout.ts";
import { age } from "./list-page.ts";
import { liveAddress } from "./live/topic.ts";
import { spoken, type Texts } from "./texts.ts";
import { renderTimeline, word } from "./timeline.ts";
import { count, counted, KIND_WORDS } from "./words.ts";

/** UTF-16 units of all texts of a page together, and the least and the most of one. */
const ROOM = 60_000;
const SHORTEST_CUT = 200;
const LONGEST_CUT = 4_000;
const LONGEST_TITLE = 200;

export interface RunPage {
  /** Cleaned. */
  readonly transcript: RunTranscript;
  /** Undefined before the run has saved a workspace. */
  readonly diff: ChangeSetDiff | undefined;
  /** GitHub's pages, without a final slash. */
  readonly webUrl: string;
  /** Set on a page of earlier rows. */
  readonly before?: number;
  /** The way to its replay, once there is something to judge again. */
  readonly replay?: Html | undefined;
  readonly clean: Clean;
  readonly links?: readonly NavLink[];
  readonly now: number;
}

/** One run: who asked for what, what came of it, its change set, and its journal as a timeline. */
export function renderRun({ transcript, diff, webUrl, before, replay, clean, links = [], now }: RunPage): Html {
  const { run, usage, usd, rows, omitted } = transcript;
  const { request } = run;
  const { repository, thread, actor, trigger } = request;
  const name = `${repository.owner}/${repository.name}`;
  const limit = Math.max(SHORTEST_CUT, Math.min(LONGEST_CUT, Math.floor(ROOM / Math.max(1, rows.length))));
  const texts: Texts = { limit, clean };
  const address = `${BASE}/runs/${run.id}`;
  const goesOn = ["queued", "working", "waiting"].includes(run.state);
  const isAtWork = run.state === "queued" || run.state === "working";
  return layOut({
    links,
    title: `${name} #${thread.number}`,
    ...(goesOn && before === undefined ? { live: liveAddress(`run ${run.id}`) } : {}),
    body: html`<p class="lead">${word(run.state, STATE_WORDS[run.state])} <bdi>${oneLine(request.title, LONGEST_TITLE)}</bdi></p>
      ${run.state === "waiting" ? html`<p class="note">Its question is among the <a href="${APPROVALS_PATH}">approvals</a>.</p>` : undefined}
      <dl>
        <dt>Kind</dt>
        <dd>${KIND_WORDS[trigger]}, on ${thread.kind === "issue" ? "an issue" : "a pull request"}</dd>
        <dt>On GitHub</dt>
        <dd>${gitHubLinks({ webUrl, name, number: thread.number, rows })}</dd>
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
      ${isAtWork ? undefined : replay}
      ${goesOn ? html`<noscript><p class="quiet">The run goes on; load the page again to see more.</p></noscript>` : undefined}
      <h2>Request</h2>
      ${request.text.trim() === "" ? html`<p class="quiet">The request has no text of its own.</p>` : spoken(request.text, { ...texts, limit: LONGEST_CUT })}
      <h2 id="changes">Change set</h2>
      ${
        diff === undefined
          ? html`<p class="quiet">No path differs from the pinned commit.</p>`
          : renderDiff({ diff, findings: findingsOf(rows), clean, patch: `${address}/change.patch` })
      }
      <h2 id="timeline">Timeline</h2>
      ${before === undefined ? undefined : html`<p class="quiet">Earlier rows. <a href="${address}#timeline">To the newest ones</a></p>`}
      ${
        omitted === 0
          ? undefined
          : html`<p class="quiet">
              ${counted(omitted, "earlier row is", "earlier rows are")} not shown.
              <a href="${address}?before=${rows[0]?.sequence ?? 0}#timeline">Show them</a>
            </p>`
      }
      ${rows.length === 0 ? html`<p class="quiet">Nothing has happened yet.</p>` : renderTimeline(rows, run.createdAt, texts)}`,
  });
}

/** The thread, and the pull request that came of the run. */
function gitHubLinks({
  webUrl,
  name,
  number,
  rows,
}: {
  readonly webUrl: string;
  readonly name: string;
  readonly number: number;
  readonly rows: readonly JournalRow[];
}): Part {
  const page = (kind: "issues" | "pull", to: number): string =>
    `${webUrl}/${name.split("/").map(encodeURIComponent).join("/")}/${kind}/${to}`;
  const pull = rows.flatMap(({ entry }) => (entry.kind === "published" && entry.pull !== undefined ? [entry.pull] : [])).at(-1);
  const parts = [
    // GitHub sends the number of a pull request on to its own page.
    ...(number > 0 ? [webLink(page("issues", number), `${name}#${number}`)] : []),
    ...(pull === undefined || pull === number ? [] : [html`pull request ${webLink(page("pull", pull), `#${pull}`)}`]),
  ];
  return parts.length === 0 ? name : parts.map((part, index) => [index === 0 ? undefined : ", ", part]);
}

/** What the gate said last of all that the run would publish; before that, what it said of each write. */
function findingsOf(rows: readonly JournalRow[]): readonly Finding[] {
  const decisions = rows.flatMap(({ entry }) => (entry.kind === "decision" ? [entry] : []));
  const whole = decisions.findLast(({ operation }) => operation === "commit" || operation === "open-pull-request");
  const all =
    whole?.decision.findings ?? decisions.flatMap(({ operation, decision }) => (operation === "workspace-write" ? decision.findings : []));
  return [...new Map(all.map((finding) => [JSON.stringify(finding), finding])).values()];
}
