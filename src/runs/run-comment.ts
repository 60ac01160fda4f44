import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { RunEnd, RunRequest, RunState } from "../core/run.ts";
import type { Markers } from "../github/marker.ts";
import type { Progress, Report } from "./report.ts";
import { renderProgress, renderReport } from "./report.ts";
import type { Submission, Submit } from "./submit.ts";

/** GitHub asks for at most this many edits: one every three seconds. */
const EDIT_GAP_MS = 3_000;

/** The one comment of a run, from its plan to its end state. */
export interface RunComment {
  /** Shows progress when the last edit is long enough ago; later calls replace earlier ones that were not shown. Never throws. */
  progress(progress: Progress): void;
  /** Brings the comment to its final state, after any edit in flight. */
  finish(report: Report): Promise<void>;
}

export interface RunCommentOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly submit: Submit;
  readonly markers: Markers;
  readonly log: Logger;
  readonly now?: () => number;
}

/** The key under which a run submits its one comment. */
export const RUN_COMMENT = "run-comment";

/**
 * Writes the run's comment, or takes up the one that an earlier attempt wrote.
 * @throws {GitHubError} `locked`, `archived` or `not-found` when the thread takes no comment.
 */
export async function openRunComment(options: RunCommentOptions, first: Progress): Promise<RunComment> {
  const { request, submit, log, now = Date.now } = options;
  const { repository, thread } = request;
  const body = stamped(options, "working", renderProgress(first));
  const made = await submit({ kind: "comment", repository, thread, body }, { key: RUN_COMMENT });
  const commentId = idOf(made);
  const edit = (body: string, recorded: boolean): Promise<Submission> =>
    submit(
      { kind: "edit-own-comment", repository, thread, commentId, body },
      recorded ? { key: "report" } : { key: "progress", unrecorded: true },
    );

  let shownAt = now();
  let waiting: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();
  const show = (): void => {
    timer = undefined;
    const latest = waiting;
    if (latest === undefined) return;
    waiting = undefined;
    inFlight = edit(stamped(options, "working", renderProgress(latest)), false).then(
      () => {
        shownAt = now();
      },
      // Progress is a courtesy: the end of the run does not depend on it.
      (error: unknown) => log.warn({ error: messageOf(error) }, "progress was not shown"),
    );
  };
  return {
    progress(progress) {
      waiting = progress;
      timer ??= setTimeout(() => void inFlight.then(show), Math.max(0, shownAt + EDIT_GAP_MS - now()));
    },
    async finish(report) {
      clearTimeout(timer);
      waiting = undefined;
      await inFlight;
      const done = await edit(stamped(options, report.end, renderReport(report)), true);
      if (done.status === "refused") await edit(stamped(options, report.end, renderReport(withoutTexts(report, done))), true);
    },
  };
}

/** The report when the gate holds back its texts: our own words alone, with what the gate said. */
function withoutTexts(report: Report, refused: Submission): Report {
  return { ...report, answer: "", findings: refused.decision.findings, summary: "The answer itself was held back by the gate." };
}

function stamped({ runId, markers }: RunCommentOptions, state: RunState | RunEnd, text: string): string {
  return `${text}\n\n${markers.stamp({ run: runId, state })}`;
}

function idOf(submission: Submission): number {
  if (submission.status === "done" && submission.outcome.id !== undefined) return submission.outcome.id;
  throw new TypeError("the run's comment was held back by the gate, or GitHub gave it no id");
}
