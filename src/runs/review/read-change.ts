import { FetchError } from "../../workspace/fetch-error.ts";
import { messageOf } from "../../core/errors.ts";
import type { Command } from "../../core/run.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { planReview, type Reading } from "./reading.ts";

const ABOUT_CHANGE: readonly Command["name"][] = ["describe", "explain", "tests", "changelog"];

/**
 * What of a pull request's change a run is shown beside its request, as a review would be: where somebody asks about the change itself.
 * Undefined for all other runs, and where the change cannot be had: the run can look for itself.
 */
export async function readChange(
  context: RunContext,
  dependencies: Pick<RunDependencies, "database">,
  about: Parameters<typeof planReview>[2],
): Promise<Reading | undefined> {
  const { command } = context.request;
  if (command === undefined || !ABOUT_CHANGE.includes(command.name)) return undefined;
  try {
    const reading = await planReview(context, dependencies, about);
    return reading.plan.parts.length === 0 ? undefined : reading;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    context.log.warn({ why: messageOf(error) }, "the change that a run is asked about cannot be shown");
    return undefined;
  }
}
