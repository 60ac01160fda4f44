import { STATE_WORDS } from "../core/words.ts";
import type { InstallationWork, QueueState, TroubledRun } from "../store/queue-list.ts";
import type { SeenWorker } from "../store/workers.ts";
import { oneLine } from "./clean.ts";
import { html, type Html, type Part } from "./html.ts";
import { BASE, layOut, type NavLink } from "./layout.ts";
import { age } from "./list-page.ts";
import { renderTable, renderTiles } from "./table.ts";
import { word } from "./timeline.ts";
import { count, counted, span } from "./words.ts";

export const QUEUE_PATH = `${BASE}/queue`;
const LONGEST_NAME = 100;
/** Milliseconds without a word after which a process is not at work; each says every half minute that it is there. */
const SILENT_AFTER = 90_000;

export interface QueuePage {
  /** Cleaned; at most `limit` of each list. */
  readonly state: QueueState;
  readonly limit: number;
  readonly links?: readonly NavLink[];
  readonly now: number;
}

/** What waits, who works, and what went wrong. */
export function renderQueue({ state, limit, links = [], now }: QueuePage): Html {
  const { lanes, installations, paused, workers, troubled } = state;
  const jobs = (lane: string, ...states: string[]): number =>
    lanes.reduce((sum, one) => sum + (one.lane === lane && states.includes(one.state) ? one.jobs : 0), 0);
  const oldest = Math.max(0, ...installations.flatMap(({ oldest: made }) => (made === undefined ? [] : [now - made.getTime()])));
  const sum = (which: "queued" | "working" | "waiting"): number => installations.reduce((all, one) => all + one[which], 0);
  const atWork = workers.filter(({ seen }) => now - seen.getTime() < SILENT_AFTER);
  return layOut({
    title: "Queue",
    current: QUEUE_PATH,
    links,
    body: html`${pauses(paused)}
      ${renderTiles([
        {
          name: "Queued",
          value: count(sum("queued")),
          beside: sum("queued") === 0 ? "nothing waits for a worker" : `oldest for ${span(oldest)}`,
        },
        {
          name: "Working",
          value: count(sum("working")),
          beside: `${counted(
            atWork.reduce((all, { slots }) => all + slots, 0),
            "place",
          )} in all`,
        },
        { name: "Waiting for approval", value: count(sum("waiting")) },
        { name: "Jobs put off", value: count(jobs("runs", "delayed") + jobs("acts", "delayed")), beside: "tried again in a while" },
        { name: "Acts under way", value: count(jobs("acts", "active", "queued")), beside: "eyes, commands, answers" },
      ])}
      <h2>Installations</h2>
      ${
        installations.length === 0
          ? html`<p class="empty">No run is queued, working or waiting.</p>`
          : renderTable(
              "What each installation has to do",
              INSTALLATION,
              installations.map((one) => installation(one, paused, now)),
            )
      }
      ${installations.length === limit ? html`<p class="quiet">Those with most to do are shown.</p>` : undefined}
      <h2>Workers</h2>
      ${
        workers.length === 0
          ? html`<p class="note">No process has said within a day that it takes runs. Start one with the role all or worker.</p>`
          : renderTable(
              "Processes that take runs",
              WORKER,
              workers.map((one) => worker(one, now)),
            )
      }
      <h2>Runs in trouble</h2>
      <p class="quiet">
        Those that a worker was lost with, or that met errors of the engine. A run is tried again until its tries are used up, and then
        fails: nothing stays behind in the queue.
      </p>
      ${
        troubled.length === 0
          ? html`<p class="empty">None of the runs that are kept.</p>`
          : renderTable(
              "Runs with lost workers or engine errors, newest first",
              TROUBLED,
              troubled.map((run) => trouble(run, now)),
            )
      }`,
  });
}

const number = (head: string) => ({ head, isNumber: true });
const INSTALLATION = [{ head: "Installation" }, number("Queued"), number("Working"), number("Waiting"), { head: "Oldest in the queue" }];
const WORKER = [{ head: "Machine" }, { head: "Release" }, number("Places"), { head: "Started" }, { head: "Last seen" }];
const TROUBLED = [{ head: "Run" }, { head: "State" }, number("Workers lost"), number("Errors"), { head: "Began" }];

function pauses(paused: QueueState["paused"]): Part {
  if (paused.length === 0) return undefined;
  const all = paused.some(({ scope }) => scope === "all");
  return html`<p class="note">
    ${all ? "Everything is paused: runs wait." : `Paused: ${counted(paused.length, "installation")} (${paused.map(({ scope }) => scope).join(", ")}).`}
    <code>sallyport resume</code> lets them go on.
  </p>`;
}

function installation(
  { id, owner, queued, working, waiting, oldest }: InstallationWork,
  paused: QueueState["paused"],
  now: number,
): Part[] {
  const isPaused = paused.some(({ scope }) => scope === id || scope === "all");
  return [
    html`<bdi>${oneLine(owner, LONGEST_NAME)}</bdi> <span class="quiet">${id}</span> ${isPaused ? word("waiting", "paused") : undefined}`,
    count(queued),
    count(working),
    count(waiting),
    oldest === undefined ? "–" : age(oldest, now),
  ];
}

function worker({ id, host, version, slots, since, seen }: SeenWorker, now: number): Part[] {
  const isSilent = now - seen.getTime() >= SILENT_AFTER;
  return [
    html`<bdi>${oneLine(host, LONGEST_NAME)}</bdi> <span class="quiet">${oneLine(id, LONGEST_NAME)}</span>`,
    oneLine(version, LONGEST_NAME),
    count(slots),
    age(since, now),
    html`${age(seen, now)} ${isSilent ? word("failed", "silent") : undefined}`,
  ];
}

function trouble({ id, state, request: { repository, thread, title }, createdAt, losses, failures }: TroubledRun, now: number): Part[] {
  const name = `${repository.owner}/${repository.name}#${thread.number}`;
  return [
    html`<a href="${BASE}/runs/${id}"><bdi>${oneLine(`${name} ${title}`, LONGEST_NAME)}</bdi></a>`,
    word(state, STATE_WORDS[state]),
    count(losses),
    count(failures),
    age(createdAt, now),
  ];
}
