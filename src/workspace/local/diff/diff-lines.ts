import { DiffError, quoted } from "./diff-error.ts";

/** No header of a diff is longer: names have at most 4,095 bytes, and quoting makes four characters of one. */
const LONGEST_HEADER = 40_000;

/** A diff's lines with a place in them. Raw: one character a byte. */
export interface DiffLines {
  /** 1-based. */
  readonly number: number;
  /** The current line as a header: a line end that some program has changed to CR LF is taken off. Undefined behind the last. */
  header(): string | undefined;
  next(): string | undefined;
  /** The current line as it stands, without its line feed. */
  raw(): string | undefined;
  step(): void;
}

/** Cuts a diff into lines. @throws {DiffError} when it ends inside a line that says something. */
export function diffLines(text: string): DiffLines {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let at = 0;
  const header = (index: number): string | undefined => {
    const line = lines[index];
    if (line === undefined) return undefined;
    if (line.length > LONGEST_HEADER) throw new DiffError("has a line that is too long to be a header", { line: index + 1 });
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  return {
    get number() {
      return at + 1;
    },
    header: () => header(at),
    next: () => header(at + 1),
    raw: () => lines[at],
    step: () => void (at += 1),
  };
}

/** The error for a line that has no place in a diff. */
export function unexpected(lines: DiffLines): DiffError {
  return new DiffError(`has a line that is no part of a diff: ${quoted(lines.header() ?? "")}`, { line: lines.number });
}
