import type { Journal } from "../core/journal.ts";
import type { Pin, RunRequest } from "../core/run.ts";
import { runScope, type RunScope } from "../gate/scope.ts";
import { RUN_COMMENT } from "./run-comment.ts";
import { configuredFrom, settingsFrom, settingsRow } from "./run-settings.ts";
import { pendingOf, resolvedOf, stepKey } from "./submit.ts";

/**
 * The scope of a run as its journal has it: what it made is its own. `submitting` is the key of the submission that is being judged: what
 * an earlier attempt made under that key is the same thing, not one more.
 */
export function scopeOf(request: RunRequest, pin: Pin | undefined, journal: Journal, submitting: string | undefined): RunScope {
  const configured = configuredFrom(journal);
  const settings = settingsFrom(journal);
  const made = (step: "pull-request" | "comment" | "check-run") =>
    journal.entries.flatMap((entry) => {
      if (entry.kind !== "outcome" || entry.outcome.id === undefined || !entry.key.endsWith(stepKey("", step))) return [];
      return [{ key: entry.key, id: entry.outcome.id }];
    });
  const others = (step: "pull-request" | "comment", kept: readonly string[]) =>
    made(step).filter(({ key }) => !kept.some((submission) => key === stepKey(submission, step))).length;
  const conversation = resolvedOf(submitting);
  const now = submitting === undefined ? [] : [submitting];
  return runScope(pin?.pull === undefined ? request : { ...request, pull: pin.pull }, {
    base: pin?.base.ref ?? request.repository.defaultBranch,
    ownPulls: made("pull-request").map(({ id }) => id),
    ownComments: made("comment").map(({ id }) => id),
    commits: [pin?.commit, pin?.pull?.headSha, settingsRow(journal)?.commit, ...publishedCommits(journal)].filter(
      (sha) => sha !== undefined,
    ),
    ownCheckRuns: made("check-run").map(({ id }) => id),
    pendingReviews: [pendingOf(submitting)].filter((id) => id !== undefined),
    ...(conversation === undefined ? {} : { ownConversation: conversation }),
    ...(configured === undefined ? {} : { configured }),
    ...(settings === undefined
      ? {}
      : {
          may: {
            rerun: settings.ci.rerun,
            openIssue: settings.ci.issue,
            label: settings.triggers.labels,
            uploadSarif: settings.gate_check.code_scanning,
          },
        }),
    made: { pullRequests: others("pull-request", now), comments: others("comment", [...now, RUN_COMMENT]) },
  });
}

/** Commits that the run itself has made. */
function publishedCommits({ entries }: Journal): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === "published" ? [entry.commit] : []));
}
