import type { Decision, Finding } from "../../core/result.ts";
import { SEVERITY_WORDS } from "../../core/words.ts";
import { oneLine, type Clean } from "../clean.ts";
import { html, markupOf, type Html, type Part } from "../html.ts";
import { BASE, layOut } from "../layout.ts";
import { SIGN_IN_PATH } from "../sign-in/sign-in.ts";
import type { Viewer } from "../sign-in/viewer.ts";
import { renderTable } from "../table.ts";
import { word } from "../timeline.ts";
import { counted, VERDICT_WORDS } from "../words.ts";

/** Characters of markup of each table's rows, which leaves a light page; what is listed besides; and UTF-16 units of one text. */
const ROOM = { changes: 20_000, writes: 10_000 } as const;
const MOST_FAULTS = 20;
const LONGEST_WORD = 80;
const LONGEST_TEXT = 200;
/** UTF-16 units of a policy that is tried: a light page shows it again. */
export const LONGEST_POLICY = 10_000;

type Verdict = Decision["verdict"];

/** A recorded run as another policy judges it. */
export interface ReplayFindings {
  readonly recordedAnswers: number;
  readonly changes: readonly {
    readonly operation: string;
    readonly files: number;
    readonly was: Verdict;
    readonly approved: boolean;
    readonly would: Verdict;
    readonly added: readonly Finding[];
    readonly gone: readonly Finding[];
  }[];
  readonly writes: readonly {
    readonly turn: number;
    readonly tool: string;
    readonly path: string;
    readonly was: "made" | "blocked";
    readonly would: Verdict;
    readonly rules: readonly string[];
  }[];
  readonly notJudged: readonly { readonly was: Verdict; readonly why: string }[];
  readonly carried: readonly string[];
  readonly partsAtTurn?: number;
}

/** What came of a replay. */
export type ReplayOutcome =
  | { readonly status: "replayed"; readonly report: ReplayFindings }
  | { readonly status: "faulty"; readonly faults: readonly { readonly line: number; readonly key: string; readonly why: string }[] }
  | { readonly status: "failed"; readonly why: string; readonly again: boolean };

export interface ReplayPage {
  readonly viewer: Viewer;
  readonly run: string;
  /** What the run is about, cleaned. */
  readonly name: string;
  /** What was tried; empty for the policy of this moment. */
  readonly policy: string;
  /** Why the viewer may not have it replayed. */
  readonly whyNot?: string | undefined;
  readonly outcome?: ReplayOutcome;
  readonly clean: Clean;
}

/** Where a run is replayed. */
function replayPath(run: string): string {
  return `${BASE}/runs/${run}/replay`;
}

/** On the page of a run: one button, and the way to the page that takes another policy. */
export function renderReplayButton({ answersAs, formKey }: Viewer, run: string): Html {
  const path = replayPath(run);
  if (answersAs === undefined) return html`<p><a href="${path}">Replay it by another policy</a></p>`;
  return html`<form class="answer" action="${path}" method="post">
    <input type="hidden" name="key" value="${formKey}" />
    <button class="second">Replay by today's policy</button>
    <a href="${path}">by another one</a>
  </form>`;
}

/** The form that asks for a replay, and what came of one. */
export function renderReplay({ viewer, run, name, policy, whyNot, outcome, clean }: ReplayPage): Html {
  const title = html`<bdi>${oneLine(name, LONGEST_TEXT)}</bdi>`;
  return layOut({
    title: "Replay",
    nav: viewer.seesAll,
    links: viewer.links,
    body: html`<p class="lead">${viewer.seesAll ? html`<a href="${BASE}/runs/${run}">${title}</a>` : title}</p>
      ${outcome === undefined ? undefined : shown(outcome, { policy, clean })} ${ask(viewer, run, policy, whyNot)}`,
  });
}

function ask(viewer: Viewer, run: string, policy: string, whyNot: string | undefined): Part {
  if (viewer.answersAs === undefined) return stranger(viewer, run);
  if (whyNot !== undefined) return html`<p class="note">${whyNot}</p>`;
  // A browser drops a line end right after the tag of a text area: the one that stands there is there to be dropped.
  return html`<h2>Judge it again</h2>
    <p>
      The recorded changes and writes are judged once more, by this release's rules. No model is asked, nothing is executed, nothing is
      written to GitHub.
    </p>
    <form action="${replayPath(run)}" method="post">
      <input type="hidden" name="key" value="${viewer.formKey}" />
      <label for="policy">Another policy (optional)</label>
      <p class="quiet" id="policy-help">
        Written like <code>.github/sallyport.yml</code>; its <code>gate</code> counts over the server's own, which it can tighten and not
        loosen. Left empty, the repository's policy of this moment counts.
      </p>
      <textarea
        id="policy"
        name="policy"
        rows="8"
        maxlength="${LONGEST_POLICY}"
        autocomplete="off"
        spellcheck="false"
        aria-describedby="policy-help"
      >
${policy}</textarea>
      <p><button>Replay</button></p>
    </form>`;
}

function stranger({ canSignIn }: Viewer, run: string): Part {
  return canSignIn
    ? html`<p>
        To have this run judged again by another policy, <a href="${SIGN_IN_PATH}?to=${replayPath(run)}">sign in with GitHub</a>. What
        counts is your permission in the repository.
      </p>`
    : html`<p class="quiet">
        A run is judged again, by another policy, for whoever opens the dashboard with its token, or signs in through GitHub where the
        operator has set that up. <code>sallyport replay</code> does the same on a terminal.
      </p>`;
}

function shown(outcome: ReplayOutcome, { policy, clean }: { readonly policy: string; readonly clean: Clean }): Part {
  if (outcome.status === "failed") return html`<p class="note" role="alert">${outcome.why}</p>`;
  if (outcome.status === "faulty")
    return html`<div class="note" role="alert">
      <p>This is no policy yet:</p>
      <ul>
        ${outcome.faults.slice(0, MOST_FAULTS).map(
          ({ line, key, why }) =>
            html`<li>
              line ${line}${key === "" ? undefined : html`, <code>${oneLine(clean(key), LONGEST_WORD)}</code>`}:
              <bdi>${oneLine(clean(why), LONGEST_TEXT)}</bdi>
            </li>`,
        )}
      </ul>
    </div>`;
  return differences(outcome.report, policy, clean);
}

function differences(report: ReplayFindings, policy: string, clean: Clean): Part {
  const { changes, writes, notJudged, carried, partsAtTurn, recordedAnswers } = report;
  const otherwise = changes.filter(({ was, would }) => was !== would).length;
  const by = policy === "" ? "the repository's policy of this moment" : "the policy below";
  const room: Room = { left: ROOM.changes };
  const roomOfWrites: Room = { left: ROOM.writes };
  return html`<h2>What would be otherwise</h2>
    <p role="status">
      By ${by},
      ${changes.length === 0 ? "there was no change set to judge" : `${counted(otherwise, "verdict")} of ${changes.length} would be another one`}.
      ${counted(recordedAnswers, "recorded answer")} of the model ${recordedAnswers === 1 ? "was" : "were"} used as
      ${recordedAnswers === 1 ? "it is" : "they are"}.
    </p>
    ${
      changes.length === 0
        ? undefined
        : renderTable(
            "Change sets that were to leave",
            [{ head: "Change set" }, { head: "Then" }, { head: "Now" }, { head: "Findings added" }, { head: "Findings gone" }],
            fitting(changes, room, ({ operation, files, was, approved, would, added, gone }) => [
              `${operation.replaceAll("-", " ")}, ${counted(files, "file")}`,
              html`${verdict(was)}${approved ? " approved since" : undefined}`,
              verdict(would),
              findings(added, room, clean),
              findings(gone, room, clean),
            ]),
          )
    }
    ${
      writes.length === 0
        ? undefined
        : renderTable(
            "Writes of the model into the workspace",
            [{ head: "Path" }, { head: "Turn", isNumber: true }, { head: "Tool" }, { head: "Then" }, { head: "Now" }, { head: "Rules" }],
            fitting(writes, roomOfWrites, ({ turn, tool, path, was, would, rules }) => [
              html`<code>${oneLine(clean(path), LONGEST_TEXT)}</code>`,
              turn,
              html`<code>${oneLine(clean(tool), LONGEST_WORD)}</code>`,
              verdict(was === "made" ? "allow" : "block"),
              verdict(would),
              rules.slice(0, 5).join(", "),
            ]),
          )
    }
    ${room.left > 0 && roomOfWrites.left > 0 ? undefined : html`<p class="quiet">There is more than is shown: sallyport replay tells all of it.</p>`}
    ${partsAtTurn === undefined ? undefined : html`<p class="note">From turn ${partsAtTurn} on a tool would have been answered otherwise: what the model would have done then, nobody knows.</p>`}
    ${
      notJudged.length === 0
        ? undefined
        : html`<h3>Not judged</h3>
            <ul>
              ${notJudged.slice(0, MOST_FAULTS).map(({ was, why }) => html`<li>${verdict(was)} then: <bdi>${oneLine(clean(why), LONGEST_TEXT)}</bdi></li>`)}
            </ul>`
    }
    <p class="quiet">Taken over as they were found then, since what they look at is not recorded: ${carried.join(", ")}.</p>`;
}

const verdict = (key: Verdict): Html => word(key, VERDICT_WORDS[key]);

/** What is left of the page, in characters of markup. */
interface Room {
  left: number;
}

/** The first of these, as far as there is room on the page. */
function fitting<T, P extends Part>(all: readonly T[], room: Room, render: (one: T) => P): readonly P[] {
  const shown: P[] = [];
  for (const one of all) {
    if (room.left <= 0) break;
    const part = render(one);
    room.left -= markupOf(part).length;
    shown.push(part);
  }
  return shown;
}

function findings(all: readonly Finding[], room: Room, clean: Clean): Part {
  if (all.length === 0) return "none";
  // Those that came and those that went share what is left.
  const here = fitting(all, { left: room.left / 2 }, ({ rule, severity, where, why }) => {
    const place = where === undefined ? undefined : `${where.path}${where.line === undefined ? "" : `:${where.line}`}`;
    return html`<li>
      ${word(severity, SEVERITY_WORDS[severity])} <code>${oneLine(clean(rule), LONGEST_WORD)}</code>
      ${place === undefined ? undefined : html`in <code>${oneLine(clean(place), LONGEST_WORD)}</code>`}
      <bdi>${oneLine(clean(why), LONGEST_TEXT)}</bdi>
    </li>`;
  });
  const more = all.length - here.length;
  return html`<ul class="findings">
    ${here} ${more > 0 ? html`<li class="quiet">and ${counted(more, "more finding")}</li>` : undefined}
  </ul>`;
}
