import { createHash } from "node:crypto";
import { refute, type Verdict } from "../../agent/refute.ts";
import type { Decision } from "../../core/result.ts";
import type { Model } from "../../model/model.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import { findFile } from "../../review/place/find-file.ts";
import { whyLeftAlone } from "../../review/read/why-skipped.ts";
import { byWeight, mattersEnough } from "../../review/sift/weigh.ts";
import type { ReviewSubmitted, ReviewWish } from "../../tools/tool.ts";
import type { Store } from "../../workspace/store.ts";
import type { RunContext } from "../run-context.ts";
import { codeAtHand, sideText } from "./code-at-hand.ts";
import { postedSoFar } from "./tries.ts";
import type { Trial, Tried } from "./try-suggestions.ts";
import { wordedAll } from "./word-remarks.ts";

type Post = (callId: string, wish: ReviewWish) => Promise<ReviewSubmitted>;
type Wished = ReviewWish["comments"][number];

export interface SiftOptions {
  /** The whole difference of the pull request. */
  readonly difference: () => Promise<readonly DiffFile[]>;
  /** Holds both sides of its files. */
  readonly store: Store;
  /** What is asked to refute each remark; absent where nobody wants that. */
  readonly refuter?: Model;
  /** Tries suggestions by the repository's tests; absent where nobody wants that, or nothing can. */
  readonly trySuggestions?: (trials: readonly Trial[]) => Promise<Tried>;
  /** Whether the run's budget lets another question be asked. */
  readonly hasRoom: () => boolean;
  readonly mask: (text: string) => string;
}

/** What of a review is not posted. */
interface LeftOut {
  /** About files that the configuration keeps out of reviews. */
  readonly alone: number;
  readonly below: number;
  readonly refuted: number;
  readonly beyond: number;
}

/** Remarks that are put to the refuter at once. */
const AT_ONCE = 4;
const NOTHING_HELD: Decision = { verdict: "allow", findings: [] };

/**
 * Reviews as they are to be posted: without remarks that matter too little, that did not hold when somebody tried to refute them, or that are
 * more than the repository wants; each with its weight in words, and a suggestion that would break its file as plain code. What is left out
 * is counted, to people and to the reviewer.
 */
export function sifting(context: RunContext, options: SiftOptions, post: Post): Post {
  return async (callId, wish) => {
    if (wish.comments.length === 0) return post(callId, wish);
    const { kept, leftOut } = await sift(context, options, callId, wish.comments);
    const note = noteOf(context, leftOut);
    const told = note === "" ? {} : { leftOut: note };
    if (kept.length === 0)
      return { status: "done", as: "nothing", decision: NOTHING_HELD, placed: { onLines: 0, inBody: 0, repeated: 0 }, ...told };
    const { comments, checked } = await wordedAll(kept, { ...options, signal: context.signal });
    const body = [wish.body.trim(), note].filter((part) => part !== "").join("\n\n");
    const posted = await post(callId, { ...wish, body, comments });
    return posted.status === "done" ? { ...posted, ...told, ...(checked === "" ? {} : { checked }) } : posted;
  };
}

async function sift(
  context: RunContext,
  options: SiftOptions,
  callId: string,
  wished: readonly Wished[],
): Promise<{ readonly kept: readonly Wished[]; readonly leftOut: LeftOut }> {
  const { min_severity: least, max_remarks: wanted, ignore, paths } = context.settings.review;
  // Whoever posts in portions has no more of them.
  const most = Math.max(0, wanted - postedSoFar(context.journal));
  const files = await options.difference();
  const leftAlone = whyLeftAlone({ ignore, paths });
  const about = wished.filter(({ path }) => leftAlone(findFile(files, path)?.path ?? path) === undefined);
  const enough = about.filter((remark) => mattersEnough(remark, least));
  const ranked = byWeight(enough);
  const standing = new Set<Wished>();
  let refuted = 0;
  let at = 0;
  while (at < ranked.length && standing.size < most) {
    const batch = ranked.slice(at, at + Math.min(AT_ONCE, most - standing.size));
    at += batch.length;
    const verdicts = await Promise.all(batch.map((remark) => secondLook(context, options, callId, remark)));
    for (const [index, remark] of batch.entries()) {
      if (verdicts[index]?.verdict === "refuted") refuted += 1;
      else standing.add(remark);
    }
  }
  const leftOut = { alone: wished.length - about.length, below: about.length - enough.length, refuted, beyond: ranked.length - at };
  context.log.info({ wished: wished.length, ...leftOut }, "the remarks of a review were sifted");
  return { kept: wished.filter((remark) => standing.has(remark)), leftOut };
}

/** Tries to refute a remark, where that is wanted and its code is at hand. */
async function secondLook(
  { journal, run, signal, log }: RunContext,
  { refuter, difference, store, hasRoom, mask }: SiftOptions,
  callId: string,
  remark: Wished,
): Promise<Verdict> {
  const unasked: Verdict = { verdict: "unasked" };
  if (refuter === undefined) return unasked;
  const { path, line, start_line: start = line, side = "RIGHT", body, suggestion, evidence = "" } = remark;
  const file = findFile(await difference(), path);
  if (file === undefined) return unasked;
  const words = [`${file.path}:${start === line ? line : `${start}-${line}`} (${side})`, body, evidence, suggestion ?? ""];
  const text = words.filter((part) => part !== "").join("\n\n");
  // The model chooses the ids of its calls; what is asked is a part of the name, so that another question is never taken for this one.
  const id = `${callId}/refute-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
  const wasAsked = journal.entries.some((entry) => entry.kind === "nested" && entry.callId === id);
  if (!wasAsked && !hasRoom()) return unasked;
  const lines = { first: Math.min(start, line), last: Math.max(start, line) };
  const code = codeAtHand(file, side, lines, await sideText(file, side, store, signal));
  return refute({ model: refuter, journal, id, runId: run.id, remark: text, code, mask, signal, log });
}

/** What was left out, in words for people. */
function noteOf({ settings }: RunContext, { alone, below, refuted, beyond }: LeftOut): string {
  const remarks = (count: number): string => `${count} ${count === 1 ? "remark" : "remarks"}`;
  const said = [
    ...(alone === 0 ? [] : [`${remarks(alone)} about files that are kept out of reviews`]),
    ...(below === 0 ? [] : [`${remarks(below)} below \`${settings.review.min_severity}\``]),
    ...(refuted === 0 ? [] : [`${remarks(refuted)} that did not hold on a second look`]),
    ...(beyond === 0 ? [] : [`${remarks(beyond)} beyond the ${settings.review.max_remarks} that are wanted`]),
  ];
  return said.length === 0 ? "" : `Left out: ${said.join(", ")}.`;
}
