import { DiffError } from "./diff-error.ts";
import type { DiffLines } from "./diff-lines.ts";
import type { BinaryHunk } from "./file-patch.ts";

/** Source: git's base85.c. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/** What GitHub takes as one blob. */
const LARGEST = 40 * 1024 * 1024;

/** Reads what follows the line `GIT binary patch`: the way forward, and where it is given the way back, which nobody needs here. @throws {DiffError} */
export function parseBinary(lines: DiffLines): BinaryHunk {
  const forward = parseOne(lines);
  if (forward === undefined) throw new DiffError("has a binary patch without content", { line: lines.number });
  parseOne(lines);
  return forward;
}

function parseOne(lines: DiffLines): BinaryHunk | undefined {
  const [, kind, size = ""] = /^(literal|delta) (\d{1,12})$/.exec(lines.header() ?? "") ?? [];
  if (kind !== "literal" && kind !== "delta") return undefined;
  const line = lines.number;
  if (Number(size) > LARGEST) throw new DiffError(`holds a binary file of ${size} bytes, more than GitHub takes`, { line });
  lines.step();
  const parts: Buffer[] = [];
  for (let text = lines.header(); text !== undefined && text !== ""; text = lines.header()) {
    parts.push(decodeLine(text, lines.number));
    lines.step();
  }
  // The empty line that ends it.
  if (lines.header() === "") lines.step();
  return { line, kind, size: Number(size), data: Buffer.concat(parts) };
}

/** The first character says how many bytes the line holds, the rest are groups of five for four bytes each. */
function decodeLine(text: string, line: number): Buffer {
  const garbled = (): DiffError => new DiffError("has a line of a binary patch that cannot be read", { line });
  const length = /^[A-Z]/.test(text) ? text.charCodeAt(0) - 64 : /^[a-z]/.test(text) ? text.charCodeAt(0) - 70 : 0;
  if (length === 0 || text.length !== 1 + Math.ceil(length / 4) * 5) throw garbled();
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
  for (let group = 0; group * 5 + 1 < text.length; group++) {
    let value = 0;
    for (const character of text.slice(group * 5 + 1, group * 5 + 6)) {
      const digit = DIGITS.indexOf(character);
      if (digit < 0) throw garbled();
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) throw garbled();
    bytes.writeUInt32BE(value, group * 4);
  }
  return bytes.subarray(0, length);
}
