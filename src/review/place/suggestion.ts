import { codeBlock } from "../../text/code-span.ts";
import type { DiffFile } from "../diff/diff-file.ts";
import type { Remark } from "../remark.ts";
import { lineText } from "./lines.ts";
import type { Placed } from "./place-remark.ts";

/** A remark's words, and what it wants to stand in place of the lines it is about. */
export interface SplitBody {
  readonly words: string;
  readonly suggestion?: string;
}

/** A suggestion inside a list or a quote: GitHub offers that as well, and nobody has looked whether it can be applied. */
const NESTED = /^((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*(?:`{3,}|~{3,})[ \t]*)suggestion\b/i;

interface Fence {
  readonly character: string;
  readonly length: number;
  readonly info: string;
}

/**
 * Takes the suggestion out of a remark: its own field, else the first suggestion block that its text holds. Every other such block becomes
 * plain code, since GitHub would offer to apply each of them. Fences count at the start of a line only; inside lists and quotes they are code.
 */
export function splitBody({ body, suggestion }: Pick<Remark, "body" | "suggestion">): SplitBody {
  let found = suggestion;
  const words: string[] = [];
  let open: (Fence & { readonly taken: string[] | undefined }) | undefined;
  for (const row of body.replaceAll("\r\n", "\n").split("\n")) {
    if (open === undefined) {
      const fence = openingFence(row);
      if (fence === undefined) words.push(row.replace(NESTED, "$1"));
      else {
        const isSuggestion = /^suggestion\b/i.test(fence.info);
        open = { ...fence, taken: isSuggestion && found === undefined ? [] : undefined };
        if (open.taken === undefined) words.push(isSuggestion ? row.slice(0, row.toLowerCase().indexOf("suggestion")).trimEnd() : row);
      }
    } else if (closes(row, open)) {
      if (open.taken === undefined) words.push(row);
      else found = open.taken.join("\n");
      open = undefined;
    } else (open.taken ?? words).push(row);
  }
  // A block that nobody closed goes on to the end of the text.
  if (open?.taken !== undefined) found = open.taken.join("\n");
  const text = words.join("\n").trim();
  return found === undefined ? { words: text } : { words: text, suggestion: found.replace(/\r?\n$/, "") };
}

function openingFence(row: string): Fence | undefined {
  const [, marks, info = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$/.exec(row) ?? [];
  if (marks === undefined || (marks.startsWith("`") && info.includes("`"))) return undefined;
  return { character: marks.charAt(0), length: marks.length, info };
}

function closes(row: string, { character, length }: Fence): boolean {
  const [, marks = ""] = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(row) ?? [];
  return marks.startsWith(character) && marks.length >= length;
}

/** Why GitHub must not offer to apply a suggestion at its place; undefined when it may. */
export function whyNotApplicable(suggestion: string, placed: Placed, file: Pick<DiffFile, "hunks"> | undefined): string | undefined {
  if (placed.on === "body" || file === undefined) return "it has no place in the difference";
  const { side, line, startLine = line } = placed.place;
  if (side === "LEFT") return "it is about lines that are gone";
  if (placed.meant !== undefined) return "its lines are not all in one part of the difference";
  const wanted = suggestion.split("\n");
  const there: string[] = [];
  for (let number = startLine; number <= line; number += 1) there.push(lineText(file, side, number) ?? "");
  if (wanted.length === there.length && wanted.every((row, at) => row === there[at])) return "it is what stands there already";
  if (looksLikeDiff(wanted, there)) return "it is written as a difference";
  const above = lineText(file, side, startLine - 1);
  const [first = ""] = wanted;
  const repeatsAbove =
    above !== undefined && /\w/.test(first) && first.trimEnd() === above.trimEnd() && there[0]?.trimEnd() !== first.trimEnd();
  return repeatsAbove ? "it repeats the line above" : undefined;
}

/** Every line with something on it bears a marker that the lines it replaces do not bear. */
function looksLikeDiff(wanted: readonly string[], there: readonly string[]): boolean {
  const rows = wanted.filter((row) => row.trim() !== "");
  if (rows.length === 0) return false;
  const removed = rows.filter((row) => row.startsWith("-")).map((row) => row.slice(1).trim());
  if (removed.some((row) => row !== "" && there.some((one) => one.trim() === row))) return true;
  if (rows.some((row) => /^@@ -\d/.test(row))) return true;
  const isMarked = (row: string): boolean => /^[-+]/.test(row);
  return rows.every(isMarked) && rows.some((row) => row.startsWith("+")) && !there.some(isMarked);
}

/** A suggestion as it is published: a block that GitHub offers to apply, or plain code with the reason why not. */
export function renderSuggestion(suggestion: string, why: string | undefined): string {
  if (why === undefined) return codeBlock(suggestion === "" ? "" : `${suggestion}\n`, "suggestion");
  if (suggestion === "") return `(Proposed: delete these lines; not offered as a suggestion, since ${why}.)`;
  return `Proposed (not offered as a suggestion, since ${why}):\n\n${codeBlock(suggestion)}`;
}
