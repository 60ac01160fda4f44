import { stripHidden } from "../hidden.ts";
import { applyEdits, span, type Edit } from "./edit.ts";
import { findLive } from "./found.ts";
import { CODE } from "./live.ts";
import type { Cleaned, OutgoingPolicy, Removed } from "./policy.ts";

const MOST_READINGS = 4;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g;

/**
 * A title or a commit message of somebody else's as it may be published. Neither is Markdown to whoever reads it for closing words, so those
 * count in code too; addresses lose their scheme, since they are made links of anywhere. The same text comes back from a second cleaning.
 */
export function cleanPlain(text: string, policy: OutgoingPolicy): Cleaned {
  const removed = new Set<Removed>();
  let current = text.toWellFormed();
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    const next = readOnce(current, policy, removed);
    if (next === current) return { text: current, removed: [...removed] };
    current = next;
  }
  // Nothing that still changes after so many readings is worth its signs.
  removed.add("mentions");
  return { text: current.replace(/[`@＠﹫#＃﹟:/\\<>]/g, " "), removed: [...removed] };
}

function readOnce(text: string, policy: OutgoingPolicy, removed: Set<Removed>): string {
  const seen = stripHidden(text).replace(/[\u2028\u2029]/g, " ");
  if (seen !== text) removed.add("hidden text");
  const spans = [...seen.matchAll(CODE_SPAN)].map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }));
  let shown = "";
  for (const { start, end } of spans) shown += seen.slice(shown.length, start) + CODE.repeat(end - start);
  shown += seen.slice(shown.length);
  const edits: Edit[] = findLive(shown, policy).map(({ start, end, content, kind }) => ({
    start,
    end,
    insert: span(withoutScheme(content)),
    kind,
    span: true,
  }));
  for (const { start, end, content, kind } of findLive(seen, policy)) {
    if (kind !== "closing words" || !shown.startsWith(CODE, start)) continue;
    edits.push({
      start,
      end,
      insert: withoutScheme(content)
        .replace(/[#＃﹟]|-(?=\d+$)/g, " ")
        .trim(),
      kind,
    });
  }
  if (edits.length === 0) return seen;
  for (const { kind } of edits) removed.add(kind);
  for (const { index } of shown.matchAll(/`/g)) edits.push({ start: index, end: index + 1, insert: "'", kind: "mentions" });
  return applyEdits(seen, edits);
}

function withoutScheme(content: string): string {
  return content.replace(/^[a-z][a-z0-9+.-]*:[/\\]*/i, "").replace(/^www\./i, "");
}
