import { UnreadableError } from "./facts.ts";

/** What the subset knows: every scalar stays the text that it is. */
export type Plain = string | readonly Plain[] | { readonly [key: string]: Plain };

/** Deepest nesting of either kind. */
const DEEPEST = 20;
/** A key: in quotes, or plain up to a colon that ends it. */
const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'&*!|>%@`{}[\],?#:-](?:[^:#]|:(?=\S)|(?<=\S)#)*?))\s*:(?=\s|$)\s*/;

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

/**
 * Parses the YAML that writers of lockfiles write: block mappings and lists, one-line flow collections, quoted and plain scalars, block
 * scalars. Everything beyond (anchors, aliases, tags, directives, several documents, scalars over several lines) is refused, as are keys
 * that stand twice; so the text has one reading, and reading it takes linear time. @throws {UnreadableError}
 */
export function parseBlockYaml(text: string): Plain {
  const lines = linesOf(text.replace(/^\ufeff/, ""));
  const reader = { lines, at: 0 };
  if (lines[0]?.text === "---" && lines[0].indent === 0) reader.at = 1;
  const value = reader.at < lines.length ? block(reader, lines[reader.at]?.indent ?? 0, 0) : {};
  if (reader.at < lines.length) throw refused(lines[reader.at], "is not indented as the lines before it");
  return value;
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  if (/\r(?!\n)/.test(text)) throw new UnreadableError("has line ends that tools read differently");
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.replace(/\s+$/, "");
    const indent = line.length - line.trimStart().length;
    const content = line.slice(indent);
    if (line.slice(0, indent).includes("\t")) throw new UnreadableError(`is indented with tabs (line ${index + 1})`);
    // Blank lines and comments matter to block scalars only, and those are read for nothing but their end.
    if (content !== "" && !content.startsWith("#")) lines.push({ indent, text: content, number: index + 1 });
  }
  return lines;
}

function block(reader: Reader, indent: number, depth: number): Plain {
  if (depth > DEEPEST) throw refused(reader.lines[reader.at], `is nested more than ${DEEPEST} levels deep`);
  const first = reader.lines[reader.at];
  return first !== undefined && /^-(\s|$)/.test(first.text) ? list(reader, indent, depth) : mapping(reader, indent, depth);
}

function mapping(reader: Reader, indent: number, depth: number): Plain {
  const table = Object.create(null) as Record<string, Plain>;
  for (let line = reader.lines[reader.at]; line !== undefined && line.indent === indent; line = reader.lines[reader.at]) {
    const { key, rest } = keyOf(reader, line);
    if (Object.hasOwn(table, key)) throw refused(line, "has a key that stands there already, which tools read differently");
    table[key] = valueOf(reader, rest, line, depth, true);
  }
  return table;
}

function keyOf(reader: Reader, line: Line): { readonly key: string; readonly rest: string } {
  reader.at++;
  if (line.text.startsWith("? ")) {
    // A long key has a line of its own, in quotes, and the colon the next.
    const next = reader.lines[reader.at];
    const quoted = line.text.slice(2).trim();
    const match = /^["']/.test(quoted) ? KEY.exec(`${quoted}:`) : null;
    if (match?.[0].length !== quoted.length + 1 || next?.indent !== line.indent || !/^:(\s|$)/.test(next.text)) {
      throw refused(line, "has a key that cannot be read plainly");
    }
    reader.at++;
    return { key: keyText(match, line), rest: next.text.slice(1).trim() };
  }
  const match = KEY.exec(line.text);
  if (match === null) throw refused(line, "is no plain key and value");
  return { key: keyText(match, line), rest: line.text.slice(match[0].length) };
}

function keyText(match: RegExpExecArray, line: Line): string {
  const [, double, single, plain] = match;
  if (double !== undefined) return unescaped(double, line);
  return single === undefined ? (plain ?? "").trim() : single.replaceAll("''", "'");
}

function valueOf(reader: Reader, rest: string, line: Line, depth: number, isOfKey: boolean): Plain {
  const next = reader.lines[reader.at];
  if (/^[|>][-+0-9]*(\s+#.*)?$/.test(rest)) {
    const text: string[] = [];
    for (let more = next; more !== undefined && more.indent > line.indent; more = reader.lines[++reader.at]) text.push(more.text);
    return text.join("\n");
  }
  if (rest !== "" && !rest.startsWith("#")) return flow(rest, line);
  if (next !== undefined && next.indent > line.indent) return block(reader, next.indent, depth + 1);
  // A list may stand at its key's own indentation.
  if (isOfKey && next !== undefined && next.indent === line.indent && /^-(\s|$)/.test(next.text))
    return list(reader, next.indent, depth + 1);
  return "";
}

function list(reader: Reader, indent: number, depth: number): Plain {
  const items: Plain[] = [];
  for (
    let line = reader.lines[reader.at];
    line !== undefined && line.indent === indent && /^-(\s|$)/.test(line.text);
    line = reader.lines[reader.at]
  ) {
    if (line.text[1] === "\t") throw refused(line, "has a tab behind its dash");
    const rest = line.text.slice(1).trimStart();
    if (rest !== "" && !/^["'[{]/.test(rest) && KEY.test(rest)) {
      // A mapping that begins behind the dash: read on as if the dash were a blank.
      const shifted = { indent: indent + line.text.length - rest.length, text: rest, number: line.number };
      const lines = reader.lines as Line[];
      lines[reader.at] = shifted;
      items.push(mapping(reader, shifted.indent, depth + 1));
    } else {
      reader.at++;
      items.push(valueOf(reader, rest, line, depth, false));
    }
  }
  return items;
}

/** A value on one line: a flow collection or a scalar, with nothing but a comment behind it. */
function flow(text: string, line: Line): Plain {
  const cursor = { text, at: 0 };
  const value = flowValue(cursor, line, 0, false);
  const rest = cursor.text.slice(cursor.at).trim();
  if (rest !== "" && !(rest.startsWith("#") && /\s/.test(cursor.text[cursor.text.length - rest.length - 1] ?? " ")))
    throw refused(line, "has something behind its value");
  return value;
}

interface Cursor {
  readonly text: string;
  at: number;
}

function flowValue(cursor: Cursor, line: Line, depth: number, inFlow: boolean): Plain {
  if (depth > DEEPEST) throw refused(line, `is nested more than ${DEEPEST} levels deep`);
  const opener = cursor.text[cursor.at];
  if (opener === "{" || opener === "[") return collection(cursor, line, depth, opener);
  return scalar(cursor, line, inFlow);
}

function collection(cursor: Cursor, line: Line, depth: number, opener: "{" | "["): Plain {
  const items: Plain[] = [];
  const table = Object.create(null) as Record<string, Plain>;
  const closer = opener === "{" ? "}" : "]";
  cursor.at++;
  for (;;) {
    skipBlanks(cursor);
    if (cursor.text[cursor.at] === closer) break;
    const first = flowValue(cursor, line, depth + 1, true);
    skipBlanks(cursor);
    if (opener === "[") {
      items.push(first);
    } else {
      if (typeof first !== "string" || cursor.text[cursor.at] !== ":" || Object.hasOwn(table, first))
        throw refused(line, "has a flow mapping that cannot be read plainly");
      cursor.at++;
      skipBlanks(cursor);
      table[first] = /[,}]/.test(cursor.text[cursor.at] ?? "") ? "" : flowValue(cursor, line, depth + 1, true);
      skipBlanks(cursor);
    }
    if (cursor.text[cursor.at] === ",") cursor.at++;
    else if (cursor.text[cursor.at] !== closer) throw refused(line, "has a flow collection that does not end on it");
  }
  cursor.at++;
  return opener === "{" ? table : items;
}

function scalar(cursor: Cursor, line: Line, inFlow: boolean): string {
  const pattern = /"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'/y;
  pattern.lastIndex = cursor.at;
  const quoted = pattern.exec(cursor.text);
  if (quoted !== null) {
    cursor.at = pattern.lastIndex;
    return quoted[1] === undefined ? (quoted[2] ?? "").replaceAll("''", "'") : unescaped(quoted[1], line);
  }
  // Plain: up to a comment, and inside a collection up to what structures it.
  const plain = inFlow ? /(?:[^,{}[\]:#]|:(?=[^\s,{}[\]])|(?<=\S)#)+/y : /(?:[^:#]|:(?=\S)|(?<=\S)#)+/y;
  plain.lastIndex = cursor.at;
  const text = plain.exec(cursor.text)?.[0] ?? "";
  if (text.trim() === "" || /^[\t&*!|>%@`"'?{}[\],#]|^-(\s|$)/.test(text)) throw refused(line, "has a value that cannot be read plainly");
  cursor.at += text.length;
  return text.trim();
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.text[cursor.at] === " ") cursor.at++;
}

function unescaped(text: string, line: Line): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    throw refused(line, "has an escape in its quotes that cannot be read plainly");
  }
}

function refused(line: Line | undefined, why: string): UnreadableError {
  return new UnreadableError(`is not written as lockfiles are: line ${line?.number ?? 1} ${why}`);
}
