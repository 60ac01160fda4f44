import type { Journal } from "../core/journal.ts";
import type { Pin, RunRequest } from "../core/run.ts";
import { runScope, type RunScope } from "../gate/scope.ts";
import { RUN_COMMENT } from "./run-comment.ts";

/**
 * The scope of a run as its journal has it: what it made is its own. `submitting` is the key of the submission that is being judged: what
 * an earlier attempt made under that key is the same thing, not one more.
 */
export function scopeOf(request: RunRequest, pin: Pin | undefined, journal: Journal, submitting: string | undefined): RunScope {
  const outcomes = journal.entries.flatMap((entry) => (entry.kind === "outcome" && entry.outcome.id !== undefined ? [entry] : []));
  const others = outcomes.filter(({ key }) => submitting === undefined || !key.startsWith(`${submitting}/`));
  const pulls = (rows: typeof outcomes) => rows.filter(({ key }) => key.endsWith("/open-pull-request/pull-request"));
  const comments = (rows: typeof outcomes) => rows.filter(({ key }) => key.endsWith("/comment"));
  const ids = (rows: typeof outcomes) => rows.flatMap(({ outcome }) => outcome.id ?? []);
  return runScope(pin?.pull === undefined ? request : { ...request, pull: pin.pull }, {
    base: pin?.base.ref ?? request.repository.defaultBranch,
    ownPulls: ids(pulls(outcomes)),
    ownComments: ids(comments(outcomes)),
    made: {
      pullRequests: pulls(others).length,
      comments: comments(others).filter(({ key }) => !key.startsWith(`${RUN_COMMENT}/`)).length,
    },
  });
}
