import type { Journal } from "../../core/journal.ts";
import type { ToolResult } from "../../core/result.ts";
import { checkedBy, postedBy, REVIEW, reviewWish } from "../../tools/github/review-pr.ts";
import type { ReviewWish } from "../../tools/tool.ts";

/** One call by which a run wanted to post a review, whoever made it: the model, or a script of its. */
export interface ReviewTry {
  /** Absent where the arguments said nothing that could be posted. */
  readonly wish?: ReviewWish;
  readonly result: ToolResult;
}

/** All such calls of a run, in their order. */
export function reviewTries({ entries }: Pick<Journal, "entries">): readonly ReviewTry[] {
  const written = new Map<string, string>();
  const tries: ReviewTry[] = [];
  for (const row of entries) {
    const entry = row.kind === "nested" ? row.entry : row;
    if (entry.kind === "turn") for (const { id, arguments: args } of entry.message.calls) written.set(id, args);
    if (entry.kind !== "tool-result" || entry.tool !== REVIEW) continue;
    const wish = reviewWish(entry.arguments ?? written.get(entry.callId) ?? "");
    tries.push({ ...(wish === undefined ? {} : { wish }), result: entry.result });
  }
  return tries;
}

/** How many remarks the run's calls have posted so far. */
export function postedSoFar(journal: Pick<Journal, "entries">): number {
  return reviewTries(journal).reduce((sum, { result }) => sum + (result.status === "ok" ? postedBy(result.text) : 0), 0);
}

/** How the suggestions of the run's reviews were tried, a sentence for each review in which some were. */
export function triedSoFar(journal: Pick<Journal, "entries">): readonly string[] {
  return reviewTries(journal)
    .flatMap(({ result }) => (result.status === "ok" ? [checkedBy(result.text)] : []))
    .filter((text) => text !== "");
}

/**
 * The calls whose remarks stand nowhere: those that came to nothing, but for what a later one has said instead. Of a call that named files
 * that is a remark in each of them.
 */
export function lostTries(tries: readonly ReviewTry[]): readonly ReviewTry[] {
  return tries.flatMap((one, at) => {
    if (one.result.status === "ok") return [];
    const later = tries.slice(at + 1).filter(({ result }) => result.status === "ok");
    if (later.length === 0) return [one];
    const said = new Set(later.flatMap(({ wish }) => wish?.comments.map(({ path }) => path) ?? []));
    const missing = one.wish?.comments.filter(({ path }) => !said.has(path)) ?? [];
    return one.wish === undefined || missing.length === 0 ? [] : [{ ...one, wish: { ...one.wish, comments: missing } }];
  });
}

/** What of them can be shown in the check run instead: what the gate held back is shown nowhere. */
export function keptWishes(lost: readonly ReviewTry[]): readonly ReviewWish[] {
  return lost.flatMap(({ wish, result }) => (wish === undefined || result.status !== "error" ? [] : [wish]));
}
