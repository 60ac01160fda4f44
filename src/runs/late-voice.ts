import { openCiVoice } from "./ci/ci-voice.ts";
import type { CiState } from "./ci/failure.ts";
import { lastAsked } from "./question.ts";
import { postReport, type RunComment, type RunCommentOptions } from "./run-comment.ts";
import type { RunContext } from "./run-context.ts";
import { setLabels } from "./triage/labels.ts";

/**
 * The voice of a run that nobody asked for in words: quiet while it works, one word at its end where there is something to say. Undefined for
 * every other run.
 */
export function openLateVoice(context: RunContext, options: RunCommentOptions, ci: CiState): RunComment | undefined {
  const { trigger, thread, ci: failed, quiet } = context.request;
  if (failed !== undefined) return openCiVoice(context, options, { ci: failed, state: ci });
  if (trigger === "triage" && quiet === true) return triageVoice(context, options);
  // What there is to say stands on the run's page, and in the pull request that it opened.
  return thread.kind === "none" ? { progress() {}, finish: () => Promise.resolve(), [Symbol.dispose]() {} } : undefined;
}

/**
 * One comment, and the labels where that is wanted. A triage that came to nothing is no news to whoever wrote the issue, but what it asked people
 * is, and what became of that.
 */
function triageVoice(context: RunContext, options: RunCommentOptions): RunComment {
  return {
    progress() {},
    async finish(report) {
      if (report.answer.trim() === "" && lastAsked(context.journal) === undefined) return;
      await postReport(options, report);
      await setLabels(context, report.answer);
    },
    [Symbol.dispose]() {},
  };
}
