import { join } from "node:path";
import { DEFAULT_LINKS } from "../../gate/outgoing.ts";
import type { PullPin } from "../../core/run.ts";
import type { Model } from "../../model/model.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import type { ReviewSubmitted, ReviewWish } from "../../tools/tool.ts";
import { refuterWish, whyUnpriced } from "../model-wish.ts";
import { budgetOf } from "../phases/converse.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { runUsage } from "../run-usage.ts";
import { filteredWish } from "./filtered-wish.ts";
import { reviewer } from "./post-review.ts";
import type { TestPlan } from "../test-plan.ts";
import type { Source } from "./reading.ts";
import { trySuggestions } from "./try-suggestions.ts";
import { sifting, type SiftOptions } from "./sift-wish.ts";

export interface ReviewerOptions {
  readonly source: Source;
  readonly pull: PullPin;
  readonly difference: () => Promise<readonly DiffFile[]>;
  /** How the repository tests itself, as far as that is known. */
  readonly tests?: TestPlan | undefined;
  readonly isFirst: () => boolean;
  /** When the run's work began, in milliseconds since the epoch. */
  readonly startedAt: number;
}

/** How a run's calls post reviews: sifted as the configuration wants it. */
export function openReviewer(
  context: RunContext,
  dependencies: RunDependencies,
  { source, pull, difference, startedAt, tests, isFirst }: ReviewerOptions,
): (callId: string, wish: ReviewWish) => Promise<ReviewSubmitted> {
  const { markers, links, mask } = dependencies;
  const refuter = refuterOf(context, dependencies);
  const hasRoom = (): boolean => {
    const { tokens, minutes, usd = 0, budget } = runUsage(context.journal, budgetOf(context), startedAt, context.now());
    return tokens.input + tokens.output < budget.tokens && minutes < budget.minutes && usd < (budget.usd ?? Number.POSITIVE_INFINITY);
  };
  const trials = trialsOf(context, dependencies, { source, pull, tests, hasRoom });
  const sift = {
    ...(trials === undefined ? {} : { trySuggestions: trials }),
    difference,
    store: source.store,
    hasRoom,
    mask,
    ...(refuter === undefined ? {} : { refuter }),
  };
  const post = sifting(context, sift, reviewer(context, { pull, markers, difference, isFirst, webUrl: (links ?? DEFAULT_LINKS).origin }));
  const { extensions } = dependencies;
  if (extensions === undefined) return post;
  return async (callId, wish) => post(callId, await filteredWish(wish, extensions, context.view));
}

/** How suggestions are tried, where the repository wants that: not a fork's, whose code nobody has asked to run. */
function trialsOf(
  { settings, run, signal, log }: RunContext,
  { sandbox, workspaces }: RunDependencies,
  { source, pull, tests, hasRoom }: Pick<ReviewerOptions, "source" | "pull" | "tests"> & { readonly hasRoom: () => boolean },
): SiftOptions["trySuggestions"] {
  if (!settings.review.check_suggestions || sandbox === undefined || tests === undefined || !pull.sameRepository) return undefined;
  // Beside the attempt's own workspace, and swept with it.
  const directory = join(workspaces, `${run.id}.${run.attempt}.trial`);
  return (trials) => trySuggestions(trials, { sandbox, tests, source, commit: pull.headSha, directory, hasRoom, signal, log });
}

/** Who tries to refute remarks, where the repository wants that. One whose price is not known is not asked where money is limited. */
function refuterOf({ settings, log }: RunContext, { models }: RunDependencies): Model | undefined {
  if (!settings.review.refute || models === undefined) return undefined;
  const model = models(refuterWish(settings));
  const unpriced = whyUnpriced(settings, model);
  if (unpriced === undefined) return model;
  log.warn({ why: unpriced.why }, "remarks are not looked at a second time");
  return undefined;
}
