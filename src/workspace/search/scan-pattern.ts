import { PatternError, readClass, readEscape, spelled, withinLine, WORD, type Cursor } from "./scan-class.ts";

export type TranslatedPattern = { readonly ok: true; readonly regex: RegExp } | { readonly ok: false; readonly why: string };

/** `^`, `$` and `\b` as ripgrep has them where lines may end in CRLF; what says "no word here" says it of bytes that are no UTF-8 never. */
const LINE_START = "(?:(?<![^\\r\\n])(?!(?<=\\r)\\n))";
const LINE_END = "(?:(?![^\\r\\n])(?<!\\r(?=\\n)))";
const ASSERTIONS: Readonly<Record<string, string>> = {
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}\\p{Cs}])(?![${WORD}\\p{Cs}]))`,
  "<": `(?:(?<![${WORD}])(?=[${WORD}]))`,
  ">": `(?:(?<=[${WORD}])(?![${WORD}]))`,
  "b{start}": `(?:(?<![${WORD}])(?=[${WORD}]))`,
  "b{end}": `(?:(?<=[${WORD}])(?![${WORD}]))`,
  "b{start-half}": `(?:(?<![${WORD}\\p{Cs}]))`,
  "b{end-half}": `(?:(?![${WORD}\\p{Cs}]))`,
  A: "(?:(?<![^\\n]))",
  z: "(?:(?![\\s\\S]))",
};
/** Above it a repetition is refused, as ripgrep refuses what would grow too large. */
const MOST_REPETITIONS = 10_000;
/** Groups within groups. */
const DEEPEST = 200;

/**
 * A regular expression of ripgrep's language (Rust's regex crate, by line, line breaks CRLF or LF) as one of JavaScript's that finds the same
 * lines of a text. What has no counterpart (the flags `x` and `-u`) is refused in words.
 * Source: the documentation of the regex crate, "Syntax".
 */
export function translatePattern(pattern: string, ignoreCase: boolean): TranslatedPattern {
  // ripgrep puts the pattern into a group of its own before it is parsed, which shows where brackets are not balanced.
  const cursor: Cursor = { characters: Array.from(`(?:${pattern})`), at: 0, names: new Set() };
  try {
    const source = alternatives(cursor, ignoreCase, 0);
    if (cursor.at < cursor.characters.length) throw new PatternError("unopened group");
    return { ok: true, regex: new RegExp(source, ignoreCase ? "giv" : "gv") };
  } catch (error) {
    if (error instanceof PatternError || error instanceof SyntaxError) return { ok: false, why: error.message };
    throw error;
  }
}

/** Everything up to the end of the group. A flag that is set inside lasts until there, over bars too. */
function alternatives(cursor: Cursor, outerCase: boolean, depth: number): string {
  if (depth > DEEPEST) throw new PatternError("exceeds the maximum number of nested groups");
  const { characters } = cursor;
  let ignoresCase = outerCase;
  let open = 0;
  let source = "";
  let atom: string | undefined;
  const flush = (): void => {
    source += atom ?? "";
    atom = undefined;
  };
  for (;;) {
    const character = characters[cursor.at];
    if (character === undefined || character === ")") break;
    cursor.at++;
    if (character === "|") {
      flush();
      source += `${")".repeat(open)}|`;
      open = ignoresCase === outerCase ? 0 : 1;
      if (open > 0) source += modifier(ignoresCase);
      continue;
    }
    const times = repetition(cursor, character);
    if (times !== undefined) {
      if (atom === undefined) throw new PatternError("repetition operator missing expression");
      atom = `(?:${atom}${times})`;
      continue;
    }
    flush();
    if (character !== "(") {
      atom = single(cursor, character);
      continue;
    }
    const group = openGroup(cursor, ignoresCase);
    if (group.kind === "flags") {
      ignoresCase = group.ignoresCase;
      open++;
      source += modifier(ignoresCase);
      continue;
    }
    const inside = alternatives(cursor, group.ignoresCase, depth + 1);
    if (characters[cursor.at] !== ")") throw new PatternError("unclosed group");
    cursor.at++;
    atom = `${group.ignoresCase === ignoresCase ? "(?:" : modifier(group.ignoresCase)}${inside})`;
  }
  flush();
  return source + ")".repeat(open);
}

const modifier = (ignoresCase: boolean): string => (ignoresCase ? "(?i:" : "(?-i:");

type Group = { readonly kind: "group" | "flags"; readonly ignoresCase: boolean };

/** What follows an opening bracket: a plain or named group, or flags, for a group or for what comes. */
function openGroup(cursor: Cursor, ignoresCase: boolean): Group {
  const { characters } = cursor;
  if (characters[cursor.at] !== "?") return { kind: "group", ignoresCase };
  const rest = characters.slice(cursor.at, cursor.at + 100).join("");
  if (/^\?<?[=!]/.test(rest)) throw new PatternError("look-around, including look-ahead and look-behind, is not supported");
  const [opening, name = ""] = /^\?P?<([A-Za-z_][\w.[\]]*)>/.exec(rest) ?? [];
  if (opening !== undefined) {
    if (cursor.names.has(name)) throw new PatternError(`duplicate capture group name: ${name}`);
    cursor.names.add(name);
    cursor.at += opening.length;
    return { kind: "group", ignoresCase };
  }
  const [whole = "", on = "", off, end] = /^\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([:)])/.exec(rest) ?? [];
  if (whole === "" || (on === "" && off === undefined && end === ")")) throw new PatternError("unrecognized group or flag");
  for (const flag of `${on}${off ?? ""}`) if (!"imsURu".includes(flag)) throw new PatternError(`the flag ${flag} is not known here`);
  if (off?.includes("u") === true) throw new PatternError("the flag u cannot be turned off here");
  cursor.at += Array.from(whole).length;
  // Within one line, and for the question whether it matches, the other flags change nothing.
  const asked = off?.includes("i") === true ? false : on.includes("i") || ignoresCase;
  return { kind: end === ":" ? "group" : "flags", ignoresCase: asked };
}

/** One of `* + ? {m,n}`, with its own `?`; undefined when the character begins none. */
function repetition(cursor: Cursor, character: string): string | undefined {
  let times = character;
  if (character === "{") {
    const rest = cursor.characters.slice(cursor.at, cursor.at + 40).join("");
    const [whole, least = "", , most] = /^\s*(\d+)\s*(,\s*(\d*)\s*)?\}/.exec(rest) ?? [];
    if (whole === undefined) throw new PatternError("repetition quantifier expects a valid decimal");
    if (most !== undefined && most !== "" && Number(most) < Number(least))
      throw new PatternError("invalid repetition count range, the start must be <= the end");
    if (Math.max(Number(least), Number(most ?? 0)) > MOST_REPETITIONS) throw new PatternError("the repetition count is too large");
    cursor.at += whole.length;
    times = `{${whole.replace(/\s/g, "")}`;
  } else if (!"*+?".includes(character)) {
    return undefined;
  }
  if (cursor.characters[cursor.at] !== "?") return times;
  cursor.at++;
  return `${times}?`;
}

/** One character, class or assertion. */
function single(cursor: Cursor, character: string): string {
  if (character === ".") return withinLine("\\s\\S");
  if (character === "^") return LINE_START;
  if (character === "$") return LINE_END;
  if (character === "[") return withinLine(readClass(cursor));
  if (character !== "\\") return literally(character);
  const rest = cursor.characters.slice(cursor.at, cursor.at + 14).join("");
  const name = /^(?:b\{(?:start|end)(?:-half)?\}|[bBAz<>])/.exec(rest)?.[0];
  const assertion = name === undefined ? undefined : ASSERTIONS[name];
  if (name !== undefined && assertion !== undefined) {
    cursor.at += name.length;
    return assertion;
  }
  const escape = readEscape(cursor);
  return "inside" in escape ? withinLine(escape.inside) : literally(escape.literal);
}

function literally(character: string): string {
  if (character === "\n" || character === "\r")
    throw new PatternError(`the literal "${character === "\n" ? "\\n" : "\\r"}" is not allowed: a match lies within one line`);
  return spelled(character);
}
