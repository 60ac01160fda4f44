import { stripInvisible } from "../../text/hidden.ts";
import { shorten } from "../bounds.ts";
import { byteMatches, lineAt } from "./byte-matches.ts";

/** Files above this are not searched for near misses. */
const SEARCHED_BYTES = 4 * 1024 * 1024;

/** One way in which a text may fail to match: equal once both sides are folded, and what to say then. Foldings keep the number of lines. */
interface NearMiss {
  readonly fold: (text: string) => string;
  readonly says: (sample: Sample) => string;
}
/** What stands at the place in the file, and what was asked for. */
interface Sample {
  readonly line: string;
  readonly asked: string;
}

const NEAR_MISSES: readonly NearMiss[] = [
  {
    fold: (text) => text.replaceAll("\r", ""),
    says: () => "by its line endings: the file mixes CRLF and LF, so they must be given exactly",
  },
  { fold: byLine((line) => line.trimEnd()), says: () => "by white space at the ends of lines: trailing blanks must be given exactly" },
  { fold: byLine((line) => line.trim()), says: ({ line, asked }) => `by white space alone: ${indentation(line, asked)}` },
  {
    fold: byLine((line) => line.split(/\s+/).join(" ").trim()),
    says: () => "by white space alone: blanks and tabs inside the lines differ",
  },
  {
    fold: plainPunctuation,
    says: () => "by its quotes, dashes or blanks: the file has typographic ones (such as “ ” ‘ ’ – or a no-break space)",
  },
  {
    fold: (text) => text.normalize("NFC"),
    says: () => "by the Unicode form of its letters: the file writes accents as characters of their own, or the other way round",
  },
  { fold: stripInvisible, says: () => "by invisible characters that the file holds there: read_file names them, such as ⟦U+200B⟧" },
  { fold: (text) => text.toLowerCase(), says: () => "by upper and lower case" },
  {
    fold: (text) => plainPunctuation(byLine((line) => line.split(/\s+/).join(" ").trim())(text)),
    says: () => "by white space and typographic quotes",
  },
];

/** Why a text that was not found may have been expected to be: one sentence that says what differs and what to do. Linear in both. */
export function explainMiss(file: Uint8Array, asked: string): string {
  if (file.length === 0) return "The file is empty; write_file fills it.";
  if (file.length > SEARCHED_BYTES) return "Copy it from what read_file or grep shows.";
  const text = Buffer.from(file).toString("utf8");
  for (const { fold, says } of NEAR_MISSES) {
    const line = lineOf(fold(text), fold(asked));
    if (line !== undefined) {
      return `It differs from line ${line} ${says({ line: text.split("\n")[line - 1] ?? "", asked })}. Copy the text exactly as read_file shows it.`;
    }
  }
  const unescaped = asked.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll('\\"', '"');
  if (unescaped !== asked && lineOf(text, unescaped) !== undefined)
    return "It would match without the backslashes: write line breaks, tabs and quotes as themselves.";
  return explainLines(text, asked);
}

function lineOf(text: string, asked: string): number | undefined {
  if (asked.trim() === "") return undefined;
  const bytes = Buffer.from(text);
  const [offset] = byteMatches(bytes, Buffer.from(asked), 1);
  return offset === undefined ? undefined : lineAt(bytes, offset);
}

function byLine(fold: (line: string) => string): (text: string) => string {
  return (text) => text.split("\n").map(fold).join("\n");
}

function indentation(line: string, asked: string): string {
  const indents = (text: string, character: string) => text.split("\n").some((line) => line.startsWith(character));
  if (line.startsWith("\t") && indents(asked, " ")) return "the file is indented with tabs, old_string with blanks";
  if (line.startsWith(" ") && indents(asked, "\t")) return "the file is indented with blanks, old_string with tabs";
  return "the indentation is another one";
}

function plainPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ");
}

/** Names the first whole line of the asked text that stands nowhere in the file. */
function explainLines(text: string, asked: string): string {
  const advice = "Read the file again and copy the text from there.";
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const wanted = asked.split("\n").map((line) => line.trim());
  const strange = wanted.findIndex(
    (line, at) => line !== "" && !lines.has(line) && (at > 0 && at < wanted.length - 1 ? true : lineOf(text, line) === undefined),
  );
  if (strange < 0) return `Its lines stand in the file, but not one after another. ${advice}`;
  return wanted.length === 1
    ? advice
    : `Its line ${strange + 1} (${shorten(JSON.stringify(wanted[strange]), 80)}) stands nowhere in the file. ${advice}`;
}
