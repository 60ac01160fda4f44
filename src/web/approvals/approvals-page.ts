import type { Finding } from "../../core/result.ts";
import { SEVERITY_WORDS } from "../../core/words.ts";
import type { StoredApproval } from "../../store/approvals.ts";
import type { OpenQuestion } from "../../store/open-questions.ts";
import type { Topic } from "../../store/live-versions.ts";
import type { StoredRun } from "../../store/runs.ts";
import type { ChangeSetDiff } from "../changes/file-diff.ts";
import { renderDiff } from "../changes/diff-view.ts";
import { oneLine, type Clean } from "../clean.ts";
import { html, type Html, type Part } from "../html.ts";
import { APPROVALS_PATH, BASE, layOut } from "../layout.ts";
import { age } from "../list-page.ts";
import { liveAddress } from "../live/topic.ts";
import { word } from "../timeline.ts";
import { SIGN_IN_PATH } from "../sign-in/sign-in.ts";
import type { Viewer } from "../sign-in/viewer.ts";
import { KIND_WORDS, span } from "../words.ts";

const LONGEST_TITLE = 120;
const LONGEST_TEXT = 1_000;
const MOST_FINDINGS = 50;

/** The questions that wait. */
export function renderQuestions(
  questions: readonly OpenQuestion[] | undefined,
  {
    viewer,
    unknown,
    hasMore,
    now,
  }: { readonly viewer: Viewer; readonly unknown?: string; readonly hasMore: boolean; readonly now: number },
): Html {
  return page(
    viewer,
    "Approvals",
    html`${unknown === undefined ? undefined : html`<p class="note">There is no approval <code>${unknown}</code>.</p>`}
    ${identity(viewer, APPROVALS_PATH)} ${questions === undefined ? lookUp() : list(questions, now)}
    ${hasMore ? html`<p class="quiet">Those that have waited longest are shown.</p>` : undefined}`,
    "approvals",
  );
}

function list(questions: readonly OpenQuestion[], now: number): Part {
  if (questions.length === 0)
    return html`<div class="empty">
      <p>Nothing waits for approval.</p>
      <p class="quiet">When the gate asks about a change, the question appears here and in the run's comment on GitHub.</p>
    </div>`;
  return html`<ol class="runs">
    ${questions.map(
      ({ id, request: { repository, thread, title, actor, trigger }, operation, requestedAt, expires }) =>
        html`<li>
          <p>
            <a href="${APPROVALS_PATH}/${id}"
              ><bdi>${repository.owner}/${repository.name}#${thread.number} ${oneLine(title, LONGEST_TITLE)}</bdi></a
            >
          </p>
          <p class="facts">
            <code>${id}</code> · ${plain(operation)} · ${KIND_WORDS[trigger]} by ${actor.login} · asked ${age(requestedAt, now)} · good for
            ${span(expires.getTime() - now)}
          </p>
        </li> `,
    )}
  </ol>`;
}

/** People who see nothing else come with the id that the run's comment names. */
function lookUp(): Part {
  return html`<form class="look-up" action="${APPROVALS_PATH}" method="get">
    <label for="id">The approval's id, as the run's comment names it</label>
    <input id="id" name="id" required pattern="[a-zA-Z]{5}-[a-zA-Z]{5}" placeholder="kodim-pabuf" autocomplete="off" autocapitalize="off" />
    <button>Show it</button>
  </form>`;
}

export interface QuestionPage {
  readonly viewer: Viewer;
  readonly stored: StoredApproval;
  /** Cleaned. */
  readonly about: StoredRun;
  readonly diff: ChangeSetDiff | undefined;
  /** Why the viewer may not answer it; undefined where they may, and where nobody can any more. */
  readonly whyNot: string | undefined;
  readonly clean: Clean;
  readonly now: number;
}

/** One question, with all that is needed to answer it. */
export function renderQuestion({ viewer, stored, about, diff, whyNot, clean, now }: QuestionPage): Html {
  const { repository, thread, title, actor, trigger } = about.request;
  const findings = (stored.findings as readonly Finding[]).slice(0, MOST_FINDINGS);
  const path = `${APPROVALS_PATH}/${stored.id}`;
  const name = html`<bdi>${repository.owner}/${repository.name}#${thread.number} ${oneLine(title, LONGEST_TITLE)}</bdi>`;
  return page(
    viewer,
    `Approval ${stored.id}`,
    html`<p>${viewer.seesAll ? html`<a href="${BASE}/runs/${about.id}">${name}</a>` : name}</p>
      <dl>
        <dt>What waits</dt>
        <dd>${plain(stored.operation)}</dd>
        <dt>Asked for by</dt>
        <dd>${actor.login} (${KIND_WORDS[trigger]})</dd>
        <dt>Waits since</dt>
        <dd>${age(stored.requestedAt, now)}</dd>
        <dt>Digest</dt>
        <dd><code>${stored.digest}</code></dd>
      </dl>
      <h2>Why people are asked</h2>
      <ul class="findings">
        ${findings.map((finding) => html`<li>${say(finding, clean)}</li>`)}
      </ul>
      <h2>Answer</h2>
      ${standing({ viewer, stored, whyNot, path, isWaiting: about.state === "waiting", now })}
      <h2>Change set</h2>
      ${
        diff === undefined
          ? html`<p>The run has changed no file.</p>`
          : renderDiff({ diff, findings, clean, ...(viewer.seesAll ? { patch: `${BASE}/runs/${about.id}/change.patch` } : {}) })
      }`,
  );
}

function say({ rule, severity, where, why, fix }: Finding, clean: Clean): Html {
  const place = where === undefined ? undefined : `${where.path}${where.line === undefined ? "" : `:${where.line}`}`;
  return html`${word(severity, SEVERITY_WORDS[severity])} <code>${oneLine(clean(rule), LONGEST_TITLE)}</code>
    ${place === undefined ? undefined : html`in <code>${oneLine(clean(place), LONGEST_TEXT)}</code>`}
    <bdi>${oneLine(clean(why), LONGEST_TEXT)}</bdi> <bdi>${oneLine(clean(fix), LONGEST_TEXT)}</bdi>`;
}

interface Standing {
  readonly viewer: Viewer;
  readonly stored: StoredApproval;
  readonly whyNot: string | undefined;
  readonly path: string;
  readonly isWaiting: boolean;
  readonly now: number;
}

function standing({ viewer, stored, whyNot, path, isWaiting, now }: Standing): Part {
  const { answer, voided, expires } = stored;
  if (answer !== undefined) return html`<p>${answer.by.login} ${answer.kind} this, ${age(answer.at, now)}.</p>`;
  if (voided !== undefined) return html`<p>The run has asked about something else since: this counts no more.</p>`;
  if (expires.getTime() <= now) return html`<p>Nobody answered in time: this has expired.</p>`;
  if (!isWaiting) return html`<p>The run does not wait for this now.</p>`;
  if (viewer.answersAs === undefined) return identity(viewer, path);
  if (whyNot !== undefined) return [identity(viewer, path), html`<p class="note">${whyNot.replaceAll("`", "")}</p>`];
  return html`${identity(viewer, path)}
    <form class="answer" action="${path}" method="post">
      <input type="hidden" name="key" value="${viewer.formKey}" />
      <button name="answer" value="approved">Approve</button>
      <button class="second" name="answer" value="denied">Deny</button>
    </form>
    <p class="quiet">Approved, exactly this is published. The question is good for ${span(expires.getTime() - now)} more.</p>`;
}

/** Whose word it would be. */
function identity({ answersAs, canSignIn, formKey, seesAll }: Viewer, path: string): Part {
  const signIn = canSignIn ? html`<a href="${SIGN_IN_PATH}?to=${path}">Sign in with GitHub</a>` : undefined;
  if (answersAs === undefined) {
    return canSignIn
      ? html`<p>To answer here, say who you are: ${signIn}. What counts is your permission in the repository.</p>`
      : html`<p class="quiet">
          Answers are given in a comment on GitHub; here by whoever opens the dashboard with its token, or signs in through GitHub where the
          operator has set that up.
        </p>`;
  }
  if (answersAs === "operator")
    return html`<p class="quiet">
      You answer as the operator. ${signIn === undefined ? undefined : html`${signIn} to answer in your own name.`}
    </p>`;
  return html`<form class="identity" action="${APPROVALS_PATH}/sign-out" method="post">
    <input type="hidden" name="key" value="${formKey}" />
    <p class="quiet">
      You answer as ${answersAs.login}${seesAll ? undefined : ", by your permission in the repository"}.
      <button class="plain">Sign out</button>
    </p>
  </form>`;
}

function page({ seesAll, links }: Viewer, title: string, body: Part, topic?: Topic): Html {
  return layOut({
    title,
    body,
    nav: seesAll,
    links,
    current: APPROVALS_PATH,
    ...(topic !== undefined && seesAll ? { live: liveAddress(topic) } : {}),
  });
}

const plain = (operation: string): string => operation.replaceAll("-", " ");
