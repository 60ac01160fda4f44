import { codeSpan } from "../../text/code-span.ts";
import type { ReadingPlan } from "./plan-reading.ts";
import type { Piece } from "./show-lines.ts";

/** What a review has read and what it has not, of all that was changed. */
export interface Receipt {
  /** Files of the difference. */
  readonly files: number;
  /** Files of which every changed line was shown to the reviewer. */
  readonly read: number;
  /** Files, or parts of files, that were not, with the reason. */
  readonly missed: readonly { readonly path: string; readonly why: string }[];
  /** Files that are not for reading, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** Changed lines that were shown, and all that were to be. */
  readonly lines: { readonly shown: number; readonly all: number };
}

/** Names in one list of the receipt; the rest is counted. */
const MOST_NAMES = 20;

/** @param shown the parts of the plan, by their place, that the reviewer was given */
export function receiptOf({ parts, skipped, left, files }: ReadingPlan, shown: ReadonlySet<number>): Receipt {
  const given = parts.flatMap(({ pieces }, at) => (shown.has(at) ? pieces : []));
  const unasked = parts.flatMap(({ pieces }, at) => (shown.has(at) ? [] : pieces));
  const why = new Map<string, string>();
  for (const { file } of unasked) why.set(file.path, "not looked at by the reviewer");
  for (const { file } of left) why.set(file.path, "beyond what one review reads");
  const begun = new Set(given.map(({ file }) => file.path));
  const missed = [...why].map(([path, reason]) => ({ path, why: begun.has(path) ? `in part: the rest was ${reason}` : reason }));
  for (const [path, lines] of cutLines(given)) {
    if (why.has(path)) continue;
    why.set(path, "");
    missed.push({ path, why: `in part: of ${lines} long ${lines === 1 ? "line" : "lines"} only the beginning` });
  }
  const count = (pieces: readonly Pick<Piece, "changed">[]): number => pieces.reduce((sum, { changed }) => sum + changed, 0);
  const all = count(given) + count(unasked) + count(left);
  return { files, read: [...begun].filter((path) => !why.has(path)).length, missed, skipped, lines: { shown: count(given), all } };
}

/** Changed lines of which only the beginning was shown, by file. */
function cutLines(pieces: readonly Piece[]): ReadonlyMap<string, number> {
  const cut = new Map<string, number>();
  for (const { file, cutLines: lines } of pieces) if (lines > 0) cut.set(file.path, (cut.get(file.path) ?? 0) + lines);
  return cut;
}

/** Whether everything that was to be read was read. */
export function isComplete({ missed }: Receipt): boolean {
  return missed.length === 0;
}

/** The receipt in one sentence. */
export function receiptSentence({ files, read, missed, skipped, lines }: Receipt): string {
  const parts = [`read ${read} of ${files} changed ${files === 1 ? "file" : "files"} (${lines.shown} of ${lines.all} changed lines)`];
  if (skipped.length > 0) parts.push(`${skipped.length} not for reading`);
  if (missed.length > 0) parts.push(`${missed.length} not read or not to the end`);
  return `Coverage: ${parts.join(", ")}.`;
}

/** The receipt in Markdown, names as inert code. */
export function renderReceipt(receipt: Receipt): string {
  const list = (title: string, entries: Receipt["missed"]): readonly string[] => {
    if (entries.length === 0) return [];
    const named = entries.slice(0, MOST_NAMES).map(({ path, why }) => `- ${codeSpan(path)}: ${why}`);
    const rest = entries.length - named.length;
    return [`${title}:\n${named.join("\n")}${rest > 0 ? `\n- and ${rest} more` : ""}`];
  };
  return [receiptSentence(receipt), ...list("Not read", receipt.missed), ...list("Not for reading", receipt.skipped)].join("\n\n");
}
