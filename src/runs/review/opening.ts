import type { Guidance } from "../../agent/opening.ts";
import { reviewOpening } from "../../agent/review-opening.ts";
import type { Message } from "../../core/conversation.ts";
import { readGuidance, readNearby } from "../guidance.ts";
import type { Desk } from "../phases/check-out.ts";
import { phaseResult } from "../phase-results.ts";
import type { RunContext } from "../run-context.ts";
import { earlierRemarks } from "./earlier-remarks.ts";
import { pathsShown, type Reading } from "./reading.ts";

/** Reads what the model is told before a review's first turn; of GitHub it asks the title where the event did not bring it. */
export async function readReviewOpening(
  context: RunContext,
  {
    desk,
    reading,
    system,
  }: { readonly desk: Pick<Desk, "base" | "graph" | "workspace">; readonly reading: Reading; readonly system: string },
): Promise<readonly Message[]> {
  const { request, reader, run } = context;
  const { plan, since, files } = reading;
  const about = request.title === "" ? await reader.issue(request.thread.number) : undefined;
  const rest = plan.skipped.length + new Set(plan.left.map(({ file }) => file.path)).size;
  const scope = [
    `It changes ${files.length} ${files.length === 1 ? "file" : "files"}; the workspace is its head.`,
    ...(since === undefined ? [] : [`Only what is new since the last review (at ${since.slice(0, 10)}) is shown.`]),
    ...(rest === 0 ? [] : [`${rest} of them are not shown: generated, binary, ignored, or beyond what one review reads.`]),
  ].join(" ");
  const { earlier, changed } = isLaterLook(request, reading)
    ? await earlierRemarks(context, { workspace: desk.workspace, reading })
    : { earlier: "", changed: "" };
  return reviewOpening({
    runId: run.id,
    request: about === undefined ? request : { ...request, title: about.title, body: about.body },
    system,
    guidance: await guidanceFor(desk.base, pathsShown(reading)),
    scope,
    earlier,
    changed,
    around: await aroundChange(context, desk, reading),
    part: { text: plan.parts[0]?.text ?? "", of: plan.parts.length },
  });
}

/** Whether something can have been said before: not where an unasked review reads all, since it is the first. */
export function isLaterLook({ unasked }: Pick<RunContext["request"], "unasked">, { since }: Pick<Reading, "since">): boolean {
  return since !== undefined || unasked !== true;
}

/**
 * What the code graph says of what is read. Not where only what is new is read, nor where files are kept out of reviews: it could show both.
 */
async function aroundChange({ settings, journal }: RunContext, { graph }: Pick<Desk, "graph">, reading: Reading): Promise<string> {
  const commit = phaseResult(journal, "authorize")?.pin?.commit;
  if (graph === undefined || commit === undefined || reading.since !== undefined || settings.review.ignore.length > 0) return "";
  const pieces = reading.plan.parts[0]?.pieces ?? [];
  const text = [...new Set(pieces.map(({ file, hunk }) => file.hunks[hunk]?.heading ?? ""))].join("\n");
  return (await graph.pack({ text, files: pathsShown(reading), commit })) ?? "";
}

/** What the base says of the whole repository, and of the folders in which the change is. */
async function guidanceFor(base: Desk["base"], paths: readonly string[]): Promise<Guidance> {
  const guidance = await readGuidance(base);
  return { ...guidance, files: [...guidance.files, ...(await readNearby(base, guidance.further, paths))] };
}
