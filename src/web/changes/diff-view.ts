import type { Finding } from "../../core/result.ts";
import { SEVERITY_WORDS } from "../../core/words.ts";
import { cut, oneLine, type Clean } from "../clean.ts";
import { html, type Html, type Part } from "../html.ts";
import { counted } from "../words.ts";
import type { ChangeSetDiff, FileDiff, Hunk } from "./file-diff.ts";
import { marked } from "./marked.ts";

/** Lines of all files together, UTF-16 units of one line, and findings at one place. */
const MOST_LINES = 300;
const LONGEST_LINE = 300;
const MOST_FINDINGS = 5;
const LONGEST_PATH = 200;
const LONGEST_WHY = 500;

export interface DiffView {
  readonly diff: ChangeSetDiff;
  /** What the gate said of it; those without a place are shown elsewhere. */
  readonly findings: readonly Finding[];
  readonly clean: Clean;
  /** Where all of it is as a file; absent for whoever may not have it. */
  readonly patch?: string;
}

/** A change set, file by file, with the gate's findings below the lines that they are about. */
export function renderDiff({ diff, findings, clean, patch }: DiffView): Html {
  const { files, more, hasBase } = diff;
  if (files.length === 0) return html`<p>No path differs from the pinned commit.</p>`;
  let room = MOST_LINES;
  const shown = files.map((file) => {
    const here = findings.filter(({ where }) => where?.path === file.path);
    const { markup, lines } = renderFile(file, { room, findings: here, clean });
    room -= lines;
    return markup;
  });
  const total = files.reduce((sum, { body }) => sum + linesOf(body), 0);
  return html`<p class="facts">
      ${counted(files.length + more, "file")}${patch === undefined ? undefined : html` · <a href="${patch}" download>Download the patch</a>`}
    </p>
    ${hasBase ? undefined : html`<p class="note">The commit that this is against is not kept on this machine: every file is shown whole.</p>`}
    ${shown}
    ${total > MOST_LINES ? html`<p class="quiet">Only the first ${MOST_LINES} of ${counted(total, "line")} are shown.</p>` : undefined}
    ${more > 0 ? html`<p class="quiet">and ${counted(more, "more path")}</p>` : undefined}`;
}

interface FileView {
  readonly room: number;
  readonly findings: readonly Finding[];
  readonly clean: Clean;
}

function renderFile(file: FileDiff, { room, findings, clean }: FileView): { readonly markup: Html; readonly lines: number } {
  const { path, change, before, after, body } = file;
  const name = oneLine(clean(path), LONGEST_PATH);
  const mode = change === "changed" && before !== after ? ` · mode ${before ?? "unknown"} to ${after ?? "unknown"}` : modeWords(after);
  const { rows, lines, told } =
    body.kind === "none" || room <= 0
      ? { rows: undefined, lines: 0, told: new Set<Finding>() }
      : renderHunks(body.hunks, { room, findings, clean });
  const elsewhere = findings.filter((finding) => !told.has(finding));
  const markup = html`<section class="file">
    <h3><bdi>${name}</bdi> <span class="quiet">${change}${mode}${body.kind === "lines" ? tally(body.hunks) : undefined}</span></h3>
    ${
      elsewhere.length === 0
        ? undefined
        : html`<ul class="findings">
            ${elsewhere.slice(0, MOST_FINDINGS).map((finding) => html`<li>${say(finding, clean)}</li>`)}
          </ul>`
    }
    ${body.kind === "none" ? html`<p class="quiet">${body.why}</p>` : undefined}
    ${
      rows === undefined || lines === 0
        ? undefined
        : html`<table class="diff">
            <caption class="unseen">
              Changes of ${name}
            </caption>
            <thead class="unseen">
              <tr>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Line</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
  </section>`;
  return { markup, lines };
}

function renderHunks(hunks: readonly Hunk[], { room, findings, clean }: FileView): { rows: Part[]; lines: number; told: Set<Finding> } {
  const rows: Part[] = [];
  const told = new Set<Finding>();
  let lines = 0;
  for (const { oldStart, newStart, lines: text } of hunks) {
    if (lines >= room) break;
    if (rows.length > 0 || newStart > 1)
      rows.push(
        html`<tr class="gap">
          <td colspan="3">${`from line ${Math.max(1, newStart)}`}</td>
        </tr>`,
      );
    let [before, after] = [oldStart, newStart];
    for (const line of text) {
      if (lines >= room) break;
      lines += 1;
      const sign = line[0] ?? " ";
      const number = sign === "-" || sign === "\\" ? undefined : after;
      rows.push(renderLine(sign, line.slice(1), [sign === "+" || sign === "\\" ? undefined : before, number]));
      if (sign !== "+" && sign !== "\\") before += 1;
      if (sign !== "-" && sign !== "\\") after += 1;
      const here = findings.filter(({ where }) => number !== undefined && where?.line === number);
      for (const finding of here) told.add(finding);
      if (here.length > 0)
        rows.push(
          html`<tr class="finding">
            <td colspan="3">${here.slice(0, MOST_FINDINGS).map((finding) => html`<p>${say(finding, clean)}</p>`)}</td>
          </tr>`,
        );
    }
  }
  return { rows, lines, told };
}

const KINDS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "\\": "end" };

function renderLine(sign: string, text: string, [before, after]: readonly [number | undefined, number | undefined]): Html {
  const kind = KINDS[sign] ?? "same";
  const { shown, left } = cut(text, LONGEST_LINE);
  const rest = left === 0 ? undefined : html`<span class="quiet"> … ${counted(left, "more character")}</span>`;
  return html`<tr class="${kind}">
    <td>${before}</td>
    <td>${after}</td>
    <td><code>${sign === "\\" ? "\\" : sign}${marked(shown, kind !== "same")}</code>${rest}</td>
  </tr>`;
}

function say({ rule, severity, why, fix }: Finding, clean: Clean): Html {
  return html`<span class="word ${severity}">${SEVERITY_WORDS[severity]}</span> <code>${oneLine(clean(rule), LONGEST_PATH)}</code>
    <bdi>${oneLine(clean(why), LONGEST_WHY)}</bdi> <bdi>${oneLine(clean(fix), LONGEST_WHY)}</bdi>`;
}

function linesOf(body: FileDiff["body"]): number {
  return body.kind === "none" ? 0 : body.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** ` · 3 added, 1 removed` */
function tally(hunks: readonly Hunk[]): string {
  const count = (sign: string): number => hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return ` · ${count("+")} added, ${count("-")} removed`;
}

function modeWords(mode: FileDiff["after"]): string {
  if (mode === "100755") return " · executable";
  if (mode === "120000") return " · a link";
  return mode === "160000" ? " · a submodule" : "";
}
