import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Comment, EditOwnComment } from "../core/operation.ts";
import type { RunRequest, RunState } from "../core/run.ts";
import type { Finding } from "../core/result.ts";
import { STATE_WORDS } from "../core/words.ts";
import type { Markers } from "../github/marker.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import type { OutgoingPolicy } from "../text/outgoing/policy.ts";
import { orPlainly, UNSAID } from "./plain-end.ts";
import type { Progress, Report } from "./report.ts";
import { QUEUED, renderProgress, renderReport } from "./report.ts";
import type { Submission, Submit } from "./submit.ts";

/** GitHub asks for at most this many edits: one every three seconds. */
const EDIT_GAP_MS = 3_000;
/** A progress edit is given up after this long: it must not wait out a rate limit and then cover the run's last words. */
const PROGRESS_WITHIN_MS = 10_000;
/** Progress that is so late was asked for before this process slept, and the run may be another's by now. */
const LATE_MS = 2_000;

/** Bytes of the answer, and of all that is shown: GitHub takes 65,536 characters, the marker among them. */
const LONGEST_ANSWER = 56_000;
const LONGEST_TEXT = 65_000;

/** The one comment of a run, from its plan to its end state. Disposed of, it shows nothing more. */
export interface RunComment extends Disposable {
  /** Shows progress when the last edit is long enough ago; later calls replace earlier ones that were not shown. Never throws. */
  progress(progress: Progress): void;
  /** Brings the comment to its final state, after any edit in flight. @throws {GitHubError} when it cannot be edited. */
  finish(report: Report): Promise<void>;
}

export interface RunCommentOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly submit: Submit;
  /** What the comment may point at. */
  readonly outgoing: OutgoingPolicy;
  readonly markers: Markers;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly now?: () => number;
  /** Milliseconds that the last words wait for after an edit; as long as any other edit when left out. */
  readonly lastGapMs?: number | undefined;
  /** What the run may cost: shown while it works. */
  readonly ahead?: string;
  /** How often the run has said its last words before: it may wait for people, and go on. */
  readonly reports?: number;
  /** An earlier attempt, or the queue, has written the comment: what it shows is out of date. */
  readonly isThere?: boolean;
  /** An earlier attempt has said the last words: they stand there and are not said again, so no progress may cover them. */
  readonly isTold?: boolean;
}

/** The key under which a run submits its one comment. */
export const RUN_COMMENT = "run-comment";

/** Writes the run's comment while it waits for its turn. @throws {GitHubError} when the thread takes none. */
export async function openQueuedComment(options: RunCommentOptions): Promise<void> {
  const { repository, thread } = options.request;
  await options.submit({ kind: "comment", repository, thread, body: stamped(options, "queued", QUEUED) }, { key: RUN_COMMENT });
}

/** The key of a run's last words; `before` is how often it has said some. */
export function reportKey(before: number): string {
  return before === 0 ? "report" : `report-${before + 1}`;
}

/**
 * Writes the run's comment, or takes up the one that an earlier attempt wrote.
 * @throws {GitHubError} `locked`, `archived` or `not-found` when the thread takes no comment.
 */
export async function openRunComment(options: RunCommentOptions, first: Progress): Promise<RunComment> {
  const { request, submit, log, signal, now = Date.now, lastGapMs = EDIT_GAP_MS } = options;
  const { repository, thread } = request;
  const ahead = options.ahead === undefined ? {} : { ahead: options.ahead };
  const body = stamped(options, "working", renderProgress({ ...first, ...ahead }));
  const made = await submit({ kind: "comment", repository, thread, body }, { key: RUN_COMMENT });
  const commentId = idOf(made);
  const ended = new AbortController();

  let shownAt = options.isThere === true ? Number.NEGATIVE_INFINITY : now();
  let hasEdited = false;
  let waiting: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();
  let isOver = options.isTold === true;

  async function show(progress: Progress): Promise<void> {
    try {
      const text = stamped(options, "working", renderProgress({ ...progress, ...ahead }));
      const until = AbortSignal.any([ended.signal, AbortSignal.timeout(PROGRESS_WITHIN_MS)]);
      const operation = { kind: "edit-own-comment", repository, thread, commentId, body: text } as const;
      hasEdited = true;
      shownAt = now();
      await submit(operation, { key: "progress", unrecorded: true, signal: until });
    } catch (error) {
      // Progress is a courtesy: the end of the run does not depend on it.
      if (!ended.signal.aborted && !signal.aborted) log.warn({ error: messageOf(error) }, "progress was not shown");
    } finally {
      shownAt = now();
    }
  }

  function tick(due: number): void {
    timer = undefined;
    const latest = waiting;
    waiting = undefined;
    if (latest === undefined || isOver || now() > due + LATE_MS) return;
    inFlight = inFlight.then(() => show(latest));
  }

  /** Waits until the next edit may be made. */
  async function gap(): Promise<void> {
    signal.throwIfAborted();
    const ms = shownAt + lastGapMs - now();
    if (!hasEdited || ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wait = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clearTimeout(wait);
    signal.throwIfAborted();
  }

  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
    waiting = undefined;
  };
  return {
    progress(progress) {
      if (isOver) return;
      waiting = progress;
      if (timer !== undefined) return;
      const due = Math.max(now(), shownAt + EDIT_GAP_MS);
      timer = setTimeout(() => tick(due), due - now());
    },
    async finish(report) {
      stop();
      await inFlight;
      await gap();
      await sayReport(options, report, {
        key: reportKey(options.reports ?? 0),
        frame: { kind: "edit-own-comment", repository, thread, commentId },
      });
    },
    [Symbol.dispose]() {
      stop();
      ended.abort();
    },
  };
}

/**
 * The one comment of a run that is quiet while it works, with all that it has to say; a run that waited for people and went on edits it.
 * @throws {GitHubError} `locked`, `archived` or `not-found` when the thread takes no comment.
 */
export async function postReport(options: RunCommentOptions, report: Report): Promise<void> {
  const { repository, thread } = options.request;
  const made = await sayReport(options, report, { key: RUN_COMMENT, frame: { kind: "comment", repository, thread } });
  if ((options.reports ?? 0) === 0) return;
  const frame = { kind: "edit-own-comment", repository, thread, commentId: idOf(made) } as const;
  await sayReport(options, report, { key: reportKey(options.reports ?? 0), frame });
}

interface Saying {
  readonly key: string;
  readonly frame: Omit<EditOwnComment, "body"> | Omit<Comment, "body">;
}

/** Says the report in one comment; where its words cannot be put together, how the run has ended. */
function sayReport(options: RunCommentOptions, report: Report, { key, frame }: Saying): Promise<Submission> {
  const { runId, markers, submit } = options;
  const body = `**${STATE_WORDS[report.end]}** — ${UNSAID}\n\n${markers.stamp({ run: runId, state: report.end })}`;
  return orPlainly(
    options,
    () => sayInFull(options, report, { key, frame }),
    () => submit({ ...frame, body }, { key }),
  );
}

/** Where the gate holds back its texts, ever less of it. */
async function sayInFull(options: RunCommentOptions, report: Report, { key, frame }: Saying): Promise<Submission> {
  // Cleaned before it is measured: what makes a text inert takes room.
  let said: Report = {
    ...report,
    answer: cleanAndBound(report.answer, options.outgoing, LONGEST_ANSWER, "the rest of the answer").text,
  };
  for (const reduce of [withoutAnswer, bare, undefined]) {
    const shown = said;
    const bodyOf = (findings: readonly Finding[]): string => stamped(options, shown.end, renderReport(withFindings(shown, findings)));
    const written = shown.answer === "" ? [] : [report.answer];
    const made = await options.submit(
      { ...frame, body: bodyOf([]), written },
      {
        key,
        annotate: (operation, findings) =>
          operation.kind === "edit-own-comment" || operation.kind === "comment" ? { ...operation, body: bodyOf(findings) } : operation,
      },
    );
    if (made.status === "done") return made;
    options.log.warn({ rules: made.decision.findings.map(({ rule }) => rule) }, "the report was held back");
    if (reduce !== undefined) said = reduce(said, made);
  }
  throw new TypeError("the gate held back even a report without any text");
}

/** The report when the gate holds back its texts: our own words, with what the gate said. */
function withoutAnswer(report: Report, { decision }: Submission): Report {
  const summary = `${report.summary} The answer itself was held back by the gate.`;
  return { ...ownFigures(report), summary, findings: decision.findings };
}

/** What is left when those words are held back too: the end state alone, which must be said. */
function bare(report: Report): Report {
  return { ...ownFigures(report), summary: "What there is to say was held back by the gate; the run's page has it.", findings: [] };
}

/** The parts of a report in which nobody else has a word. */
function ownFigures({ runId, end, turns, usage, elapsedMs, sandbox }: Report): Omit<Report, "summary" | "findings"> {
  return { runId, end, turns, usage, elapsedMs, sandbox, answer: "" };
}

/** The report with what the gate says of the report itself. */
function withFindings(report: Report, findings: readonly Finding[]): Report {
  const isKnown = ({ rule, why }: Finding): boolean => report.findings.some((known) => known.rule === rule && known.why === why);
  return { ...report, findings: [...report.findings, ...findings.filter((finding) => !isKnown(finding))] };
}

/** All of a comment passes one cleaning, our own words too: names and reasons in them are often somebody else's. */
function stamped({ runId, markers, outgoing }: RunCommentOptions, state: RunState, text: string): string {
  return `${cleanAndBound(text, outgoing, LONGEST_TEXT, "the rest of it").text}\n\n${markers.stamp({ run: runId, state })}`;
}

function idOf(submission: Submission): number {
  if (submission.status === "done" && submission.outcome.id !== undefined) return submission.outcome.id;
  throw new TypeError("the run's comment was held back by the gate, or GitHub gave it no id");
}
