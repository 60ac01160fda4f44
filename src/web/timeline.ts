import type { ToolCall } from "../core/conversation.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Decision, Finding } from "../core/result.ts";
import type { JournalRow } from "../store/run-list.ts";
import { SEVERITY_WORDS } from "../core/words.ts";
import { dollars } from "../text/dollars.ts";
import { oneLine } from "./clean.ts";
import { html, webLink, type Html, type Part } from "./html.ts";
import { argumentsOf, fields, spoken, verbatim, type Texts } from "./texts.ts";
import { counted, RESULT_WORDS, span, VERDICT_WORDS } from "./words.ts";

/** Most calls of a turn, findings of a decision and paths of a change that are shown. */
const MOST_CALLS = 25;
const MOST_FINDINGS = 25;
/** UTF-16 units of a name, a path or an address within a line. */
const LONGEST_WORD = 120;
const LONGEST_URL = 500;

/** A row's heading and what stands below it. */
interface Step {
  readonly heading: Part;
  readonly body?: Part;
}

/** The journal as a list, oldest first. `since` is when the run was made. */
export function renderTimeline(rows: readonly JournalRow[], since: Date, texts: Texts): Html {
  return html`<ol class="timeline">
    ${rows.map((row, index) => {
      const before = rows[index - 1]?.attempt ?? row.attempt;
      return html`${before === row.attempt ? undefined : html`<li class="quiet">Attempt ${row.attempt} went on from here.</li>`}${renderRow(row, since, texts)}`;
    })}
  </ol>`;
}

function renderRow({ entry, createdAt, sequence }: JournalRow, since: Date, texts: Texts): Html {
  const { heading, body } = stepOf(entry, texts);
  const exact = createdAt.toISOString();
  return html`<li id="row-${sequence}">
    <div class="row-head">
      <h3>${heading}</h3>
      <time datetime="${exact}" title="${exact}">after ${span(createdAt.getTime() - since.getTime())}</time>
    </div>
    ${body}
  </li> `;
}

function stepOf(entry: JournalEntry, texts: Texts): Step {
  switch (entry.kind) {
    case "phase":
      return { heading: `Phase ended: ${entry.phase}`, body: folded("What it left", fields(entry.result, texts)) };
    case "opening":
      return { heading: `The conversation was opened with ${counted(entry.messages.length, "message")}` };
    case "turn":
      return turn(entry, texts);
    case "tool-result": {
      const { status, text } = entry.result;
      const heading = html`Result of <code>${oneLine(entry.tool, LONGEST_WORD)}</code>: ${word(status, RESULT_WORDS[status])}`;
      const asked = entry.arguments === undefined ? undefined : renderCall({ name: entry.tool, arguments: entry.arguments }, texts);
      const answered = text === "" ? undefined : folded(counted(text.length, "character"), verbatim(text, texts), status !== "ok");
      return { heading, body: [asked, answered] };
    }
    case "note":
      return { heading: "Said to the model", body: verbatim(entry.text, texts) };
    case "compacted":
      return {
        heading: `Turns up to ${entry.turn} left the conversation`,
        body: folded("What stands for them", verbatim(entry.text, texts)),
      };
    case "settings":
      return { heading: "The configuration was read", body: fields({ commit: entry.commit, faulty: faultsIn(entry) }, texts) };
    case "snapshot":
      return {
        heading: `The workspace was saved: ${counted(entry.entries.length, "path differs", "paths differ")} from the pinned commit`,
        ...(entry.tooLarge === undefined ? {} : { body: fields({ "too large to be saved": entry.tooLarge.join(", ") }, texts) }),
      };
    case "decision":
      return {
        heading: html`Gate on ${plain(entry.operation)}: ${word(entry.decision.verdict, VERDICT_WORDS[entry.decision.verdict])}`,
        body: findings(entry.decision, texts),
      };
    case "asked":
      return { heading: html`People were asked, as <code>${oneLine(entry.approval, LONGEST_WORD)}</code>: ${plain(entry.operation.kind)}` };
    case "approved":
      return { heading: html`<code>${oneLine(entry.approval, LONGEST_WORD)}</code> was approved by ${oneLine(entry.by, LONGEST_WORD)}` };
    case "asked-call":
      return {
        heading: html`People were asked, as <code>${oneLine(entry.approval, LONGEST_WORD)}</code>, about a call of
          ${oneLine(entry.tool, LONGEST_WORD)}`,
        body: fields({ detail: entry.detail }, texts),
      };
    case "answered":
      return {
        heading: html`<code>${oneLine(entry.approval, LONGEST_WORD)}</code> was ${entry.isApproved ? "approved" : "denied"} by
          ${oneLine(entry.by, LONGEST_WORD)}`,
      };
    case "responded":
      return { heading: "A tool gave the run's answer", body: fields({ text: entry.text }, texts) };
    case "artifact":
      return {
        heading: html`A tool kept <code>${oneLine(entry.name, LONGEST_WORD)}</code>: ${counted(entry.bytes, "byte", "bytes")} of
          ${oneLine(entry.mediaType, LONGEST_WORD)}`,
      };
    case "branch":
      return { heading: html`Branch chosen: <code>${oneLine(entry.name, LONGEST_WORD)}</code>` };
    case "published":
      return published(entry);
    case "replayed": {
      const [upon, onto] = [oneLine(entry.upon, LONGEST_WORD), oneLine(entry.onto, LONGEST_WORD)];
      return { heading: html`The work was replayed on <code>${onto}</code>, where <code>${upon}</code> stands`, body: key(entry.key) };
    }
    case "intent":
      return { heading: `Write to GitHub began: ${plain(entry.operation)}`, body: key(entry.key) };
    case "outcome": {
      const { operation, url, id, sha, branch } = entry.outcome;
      const where = url === undefined ? undefined : html`<p>${webLink(url, oneLine(url, LONGEST_URL))}</p>`;
      return { heading: `Write to GitHub done: ${plain(operation)}`, body: [where, fields({ id, sha, branch }, texts), key(entry.key)] };
    }
    case "nested": {
      const { heading, body } = stepOf(entry.entry, texts);
      return { heading: html`<span class="quiet">Inside the call ${oneLine(entry.callId, LONGEST_WORD)}:</span> ${heading}`, body };
    }
    default:
      // A row of a newer release.
      return { heading: "A row that this release does not know", body: fields(entry satisfies never, texts) };
  }
}

function faultsIn({ faulty = [] }: Extract<JournalEntry, { kind: "settings" }>): string | undefined {
  const said = faulty.map(({ file, faults: [first] }) => (first === undefined ? file : `${file}:${first.line}: ${first.why}`));
  return said.length === 0 ? undefined : said.join("; ");
}

function turn({ turn, message, usage, model, usd }: Extract<JournalEntry, { kind: "turn" }>, texts: Texts): Step {
  const { text, calls } = message;
  const more = calls.length - MOST_CALLS;
  return {
    heading: `Turn ${turn}`,
    body: html`${text.trim() === "" ? undefined : spoken(text, texts)} ${calls.slice(0, MOST_CALLS).map((call) => renderCall(call, texts))}
      ${more > 0 ? html`<p class="quiet">and ${counted(more, "more call")}</p>` : undefined}
      <p class="quiet">
        ${oneLine(model, LONGEST_WORD)} · ${counted(usage.input, "token")} in (${usage.cached} cached), ${counted(usage.output, "token")}
        out${usd === undefined ? undefined : html` · ${dollars(usd)}`}
      </p>`,
  };
}

function renderCall({ name, arguments: raw }: Omit<ToolCall, "id">, texts: Texts): Html {
  const args = argumentsOf(raw, texts);
  const [hint] = typeof args === "object" && args !== null ? Object.values(args as Record<string, string>) : [raw];
  return folded(
    html`Call <code>${oneLine(name, LONGEST_WORD)}</code> <bdi>${oneLine(hint ?? "", LONGEST_WORD)}</bdi>`,
    fields(args, texts) ?? html`<p class="quiet">without arguments</p>`,
  );
}

function findings({ findings }: Decision, texts: Texts): Part {
  if (findings.length === 0) return undefined;
  const more = findings.length - MOST_FINDINGS;
  return html`<ul>
      ${findings.slice(0, MOST_FINDINGS).map((finding) => renderFinding(finding, texts))}
    </ul>
    ${more > 0 ? html`<p class="quiet">and ${counted(more, "more finding")}</p>` : undefined}`;
}

function renderFinding({ rule, severity, where, why, fix }: Finding, { limit }: Texts): Html {
  const place = where === undefined ? undefined : `${where.path}${where.line === undefined ? "" : `:${where.line}`}`;
  return html`<li>
    ${word(severity, SEVERITY_WORDS[severity])}
    <code>${oneLine(rule, LONGEST_WORD)}</code>${place === undefined ? undefined : html` in <code>${oneLine(place, LONGEST_URL)}</code>`}:
    <bdi>${oneLine(why, limit)}</bdi> <bdi>${oneLine(fix, limit)}</bdi>
  </li>`;
}

function published({ branch, commit, changes, pull }: Extract<JournalEntry, { kind: "published" }>): Step {
  const paths = counted(changes.length, "path");
  return {
    heading: pull === undefined ? `Published ${paths}` : `Published ${paths} as pull request #${pull}`,
    body: html`<p>Commit <code>${oneLine(commit, LONGEST_WORD)}</code> on branch <code>${oneLine(branch, LONGEST_WORD)}</code></p>`,
  };
}

function folded(summary: Part, body: Part, isOpen = false): Html {
  if (body === undefined) return html``;
  return html`<details${isOpen ? html` open` : undefined}><summary>${summary}</summary>${body}</details>`;
}

/** A state, verdict or status: its word, and a colour by its key. */
export function word(key: string, words: string): Html {
  return html`<span class="word ${key}">${words}</span>`;
}

const key = (key: string): Html => html`<p class="quiet">key ${oneLine(key, LONGEST_WORD)}</p>`;
const plain = (operation: string): string => operation.replaceAll("-", " ");
