import type { Usage } from "../core/conversation.ts";
import type { Finding } from "../core/result.ts";
import type { Phase, RunEnd } from "../core/run.ts";
import { SEVERITY_WORDS, STATE_WORDS } from "../core/words.ts";
import { boundText } from "../text/bound.ts";
import { codeSpan, oneLine } from "../text/code-span.ts";
import { dollars } from "../text/dollars.ts";
import { stripHidden } from "../text/hidden.ts";
import type { SandboxLevel } from "../workspace/sandbox/sandbox.ts";
import { renderQuestion, type Question } from "./question.ts";

/** Longest body that GitHub takes, less room for the marker. */
const LONGEST_BODY = 64_000;
/** Bytes of what happened, in our own words and those of errors; and of what the gate found. */
const LONGEST_SUMMARY = 4_000;
const LONGEST_GATE = 32_000;
/** Characters of what a tool says while it works. */
const LONGEST_WORDS = 120;

/** What the comment shows while a run works. */
export interface Progress {
  /** Phases that have ended. */
  readonly finished: readonly Phase[];
  readonly current: Phase;
  readonly turn: number;
  /** The name of the tool at work, as the model wrote it: shown only when it can be no word of ours. */
  readonly tool?: string;
  /** What a tool says it is about: hostile text, in a line. */
  readonly words?: string;
  readonly tokens: number;
  readonly elapsedMs: number;
  /** What the run may cost, where the day is limited: our own words, none of them a word by which an end is known. */
  readonly ahead?: string;
}

/** All that is said about a run that has ended. */
export interface Report {
  readonly runId: string;
  readonly end: RunEnd;
  /** What happened, in our own words: one or two sentences. */
  readonly summary: string;
  /** The model's last words: hostile text. */
  readonly answer: string;
  readonly findings: readonly Finding[];
  /** What people are asked, where the run waits for them. */
  readonly question?: Question;
  /** That the dependencies could not be installed, and why. */
  readonly install?: string;
  /** The command that tested the change last, and how it ended. */
  readonly tests?: string;
  /** What the run noted, and how people keep it. */
  readonly memory?: string;
  readonly turns: number;
  readonly usage: Usage;
  /** United States dollars, where the price was known. */
  readonly usd?: number;
  readonly elapsedMs: number;
  readonly model?: string;
  /** What the run vouches for, signed; absent where it vouches for nothing. */
  readonly receipt?: { readonly envelope: string; readonly statement: string; readonly keptAt: string };
  /** `partial` and `none` are said to people. */
  readonly sandbox: SandboxLevel | "none";
}

const PLAN: readonly { readonly phase: Phase; readonly says: string }[] = [
  { phase: "authorize", says: "read the request" },
  { phase: "check-out", says: "unpack the pinned commit" },
  { phase: "converse", says: "work on it" },
  { phase: "publish", says: "pass the gate and publish" },
];

/** The visible text while a run waits for its turn. */
export const QUEUED = "**queued** — another run is at work on this thread; this one begins as soon as that has ended.";

/** The visible text while a run works: a plan with check boxes and one status line, holding none of the end words. */
export function renderProgress(progress: Progress): string {
  const plan = PLAN.map(({ phase, says }) => `- [${progress.finished.includes(phase) ? "x" : " "}] ${says}`).join("\n");
  const tool = progress.tool !== undefined && isShowable(progress.tool) ? `, \`${progress.tool}\`` : "";
  const step = progress.turn === 0 ? "" : `turn ${progress.turn}${tool} · `;
  const { words = "" } = progress;
  const said = words === "" || namesState(words) ? "" : `${codeSpan(words, LONGEST_WORDS)} · `;
  const ahead = progress.ahead === undefined ? "" : ` · ${progress.ahead}`;
  return `**working**\n\n${plan}\n\n<sub>${said}${step}${figures(progress.tokens, progress.elapsedMs)}${ahead}</sub>`;
}

/** A name such as tools have, without any word by which a state is known. */
function isShowable(tool: string): boolean {
  return /^[a-z][a-z0-9_]{0,63}$/i.test(tool) && !namesState(tool);
}

/** Whether a text holds a word by which the end of a run is known. */
function namesState(text: string): boolean {
  const words = Object.values(STATE_WORDS).flatMap((word) => word.split(" ").filter((part) => part.length > 3));
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => words.includes(word));
}

/** The final text: the end state in its word, what came of it, what the gate found, the figures. */
export function renderReport(report: Report): string {
  const answer = stripHidden(report.answer).trim();
  const gate = report.findings.length === 0 ? [] : [boundText(renderGate(report.findings), LONGEST_GATE, "more findings")];
  const summary = `**${STATE_WORDS[report.end]}** — ${boundText(report.summary, LONGEST_SUMMARY, "the rest of it")}`;
  const question = report.question === undefined ? [] : [renderQuestion(report.question)];
  const after = [
    ...question,
    ...(report.install === undefined ? [] : [report.install]),
    ...(report.tests === undefined ? [] : [report.tests]),
    ...(report.memory === undefined ? [] : [report.memory]),
    ...gate,
    `<sub>${footer(report)}</sub>`,
  ];
  // What must not be lost is measured first; the model's words take the room that is left.
  const room = LONGEST_BODY - Buffer.byteLength([summary, ...after].join("\n\n")) - 4;
  const words = answer === "" ? [] : [boundText(answer, room, "the rest of the answer")];
  return [summary, ...words, ...after].join("\n\n");
}

/** How one person reads what the gate found: rule, severity in words, place, reason, what to do. */
export function renderGate(findings: readonly Finding[]): string {
  const shown = findings.slice(0, 20);
  const rows = shown.map(({ rule, severity, where, why, fix }) => {
    const place = where === undefined ? "" : ` in ${codeSpan(`${where.path}${where.line === undefined ? "" : `:${where.line}`}`, 600)}`;
    return `- **${SEVERITY_WORDS[severity]}** \`${rule}\`${place}: ${oneLine(why)}. ${oneLine(fix)}`;
  });
  const more = findings.length > shown.length ? `\n- and ${findings.length - shown.length} more` : "";
  return `**Gate**\n\n${rows.join("\n")}${more}`;
}

function footer(report: Report): string {
  const model = report.model === undefined ? "" : ` · ${codeSpan(report.model)}`;
  const cost = report.usd === undefined ? "" : ` · ${dollars(report.usd)}`;
  const sandbox = report.sandbox === "strong" ? "" : ` · sandbox: ${report.sandbox}`;
  return `${report.turns} turns · ${figures(report.usage.input + report.usage.output, report.elapsedMs)}${cost}${model}${sandbox} · run ${report.runId}`;
}

function figures(tokens: number, elapsedMs: number): string {
  return `${tokens.toLocaleString("en")} tokens · ${Math.round(elapsedMs / 1000)} s`;
}
