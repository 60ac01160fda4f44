import { stripHidden, stripInvisible } from "./hidden.ts";

/** Characters of a name that somebody else chose. */
const LONGEST_NAME = 300;

/**
 * One line of hostile text as inert Markdown code, whatever backticks it holds; the end of a long one is left out. What would be hidden
 * elsewhere, such as a comment, is shown: people decide by what stands here.
 */
export function codeSpan(text: string, longest = LONGEST_NAME): string {
  const line = stripInvisible(text.toWellFormed()).replace(/\s+/g, " ").trim();
  const clean = line.length <= longest ? line : `${line.slice(0, longest - 1).toWellFormed()}…`;
  // Two backticks alone would be the beginning of a longer one.
  if (clean === "") return "` `";
  const fence = "`".repeat(longestRun(clean, "`") + 1);
  const pad = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${fence}${pad}${clean}${pad}${fence}`;
}

/** A fenced code block whose content stays as it is: the fence is longer than any run of backticks in it. */
export function codeBlock(content: string, info = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(content, "`") + 1));
  return `${fence}${info}\n${content === "" || content.endsWith("\n") ? content : `${content}\n`}${fence}`;
}

/** Hostile text on one line: white space of any kind is one blank, hidden characters are gone. */
export function oneLine(text: string): string {
  return stripHidden(text).replace(/\s+/g, " ").trim();
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
