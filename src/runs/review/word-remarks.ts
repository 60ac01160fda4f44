import type { DiffFile } from "../../review/diff/diff-file.ts";
import { applySuggestion } from "../../review/place/apply-suggestion.ts";
import { findFile } from "../../review/place/find-file.ts";
import { placeRemark } from "../../review/place/place-remark.ts";
import { renderSuggestion, splitBody, whyNotApplicable, type SplitBody } from "../../review/place/suggestion.ts";
import { breaksFile } from "../../review/sift/check-suggestion.ts";
import { phrase } from "../../review/sift/phrase.ts";
import type { ReviewWish } from "../../tools/tool.ts";
import type { Store } from "../../workspace/store.ts";
import { sideText } from "./code-at-hand.ts";
import type { Trial, Tried } from "./try-suggestions.ts";

type Wished = ReviewWish["comments"][number];

interface WordOptions {
  /** The whole difference of the pull request. */
  readonly difference: () => Promise<readonly DiffFile[]>;
  /** Holds both sides of its files. */
  readonly store: Store;
  readonly trySuggestions?: (trials: readonly Trial[]) => Promise<Tried>;
  readonly signal: AbortSignal;
}

/** What is known of a remark's suggestion. */
interface Proposal {
  /** Why it must not be offered. */
  readonly why?: string;
  /** Its file with it, where it can be offered and tried. */
  readonly trial?: Trial;
}

const FAILING = "the tests fail with it";

/** Remarks as they are posted: each with its weight in words, and a suggestion that must not be offered as plain code with the reason. */
export async function wordedAll(
  remarks: readonly Wished[],
  options: WordOptions,
): Promise<{ readonly comments: readonly Wished[]; readonly checked: string }> {
  const files = await options.difference();
  const proposals = await Promise.all(remarks.map((remark) => proposalOf(remark, files, options)));
  const trials = proposals.flatMap(({ trial }) => trial ?? []);
  const tried = trials.length === 0 ? undefined : await options.trySuggestions?.(trials);
  const failing = new Set(trials.filter((_, at) => tried?.verdicts[at] === false));
  const comments = remarks.map((remark, at) => {
    const { why, trial } = proposals[at] ?? {};
    return worded(remark, why ?? (trial !== undefined && failing.has(trial) ? FAILING : undefined));
  });
  return { comments, checked: tried?.sentence ?? "" };
}

function worded(remark: Wished, why: string | undefined): Wished {
  const { severity, category, evidence, ...place } = remark;
  if (why === undefined) return { ...place, body: phrase({ body: remark.body, severity, category, evidence }) };
  const { words, suggestion = "" } = partsOf(remark);
  const { suggestion: _, ...plain } = place;
  const body = [phrase({ body: words, severity, category, evidence }), renderSuggestion(suggestion, why)].join("\n\n");
  return { ...plain, body };
}

function partsOf({ body, suggestion }: Wished): SplitBody {
  return splitBody(suggestion === undefined ? { body } : { body, suggestion });
}

async function proposalOf(remark: Wished, files: readonly DiffFile[], { store, signal }: WordOptions): Promise<Proposal> {
  const { suggestion } = partsOf(remark);
  if (suggestion === undefined) return {};
  const { path, line, side = "RIGHT", start_line: startLine } = remark;
  const placed = placeRemark({ path, line, side, ...(startLine === undefined ? {} : { startLine }) }, files);
  const file = findFile(files, path);
  // What is plain code for its place is made so where the place is.
  if (file === undefined || placed.on === "body" || whyNotApplicable(suggestion, placed, file) !== undefined) return {};
  if (!file.modes[1].startsWith("100")) return { why: "it is about no file of text" };
  const text = await sideText(file, "RIGHT", store, signal);
  if (text === undefined) return {};
  const { line: last, startLine: first = last } = placed.place;
  const applied = applySuggestion(text, { first, last }, suggestion);
  if (applied === undefined) return { why: "it does not apply to the lines as they are" };
  const why = breaksFile(file.path, text, { first, last }, suggestion);
  return why === undefined ? { trial: { path: file.path, text: applied } } : { why };
}
