import { inflateSync } from "node:zlib";
import { DiffError } from "./diff-error.ts";
import type { BinaryHunk, Hunk } from "./file-patch.ts";

/**
 * Applies hunks at exactly the lines that they name, to bytes that are exactly theirs: no offset, no fuzz.
 * @throws {DiffError} where the file is another than the diff was made for.
 */
export function applyHunks(before: Uint8Array, hunks: readonly Hunk[]): Buffer {
  const lines = linesOf(before);
  try {
    return joined(lines, hunks);
  } catch (error) {
    // Some program has changed the diff's line ends to CR LF on its way here; the file's own are LF.
    const isConverted = hunks.every((hunk) => hunk.lines.every(({ text }) => /\r\n?$/.test(text)));
    if (!isConverted) throw error;
    return joined(lines, hunks.map(withoutCarriageReturns));
  }
}

function withoutCarriageReturns(hunk: Hunk): Hunk {
  return { ...hunk, lines: hunk.lines.map(({ operation, text }) => ({ operation, text: text.replace(/\r(?=\n?$)/, "") })) };
}

function joined(lines: readonly string[], hunks: readonly Hunk[]): Buffer {
  const out: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || start > lines.length) throw unfit(hunk, "does not fit the file");
    for (; at < start; at++) out.push(lines[at] ?? "");
    for (const { operation, text } of hunk.lines) {
      if (operation !== "+") {
        if (lines[at] !== text) throw unfit(hunk, `does not fit the file, whose line ${at + 1} is another`);
        at += 1;
      }
      if (operation !== "-") out.push(text);
    }
  }
  for (; at < lines.length; at++) out.push(lines[at] ?? "");
  // A line without an end can only be the last one.
  if (out.slice(0, -1).some((line) => !line.endsWith("\n"))) {
    throw new DiffError("joins two lines into one", hunks[0] === undefined ? {} : { line: hunks[0].line });
  }
  return Buffer.from(out.join(""), "latin1");
}

function unfit({ line }: Hunk, why: string): DiffError {
  return new DiffError(`has a hunk that ${why}`, { line, hint: "Give the commit that it was made against with --base." });
}

/** Raw lines with their ends. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Applies a binary patch. @throws {DiffError} when it does not unpack to what it says. */
export function applyBinary(before: Uint8Array, { kind, size, data, line }: BinaryHunk): Buffer {
  let unpacked: Buffer;
  try {
    unpacked = inflateSync(data, { maxOutputLength: Math.max(size, 1) });
  } catch {
    throw new DiffError("has a binary patch that cannot be unpacked", { line });
  }
  if (unpacked.length !== size) throw new DiffError(`has a binary patch of ${unpacked.length} bytes that says ${size}`, { line });
  return kind === "literal" ? unpacked : applyDelta(before, unpacked, line);
}

/** Source: git's gitformat-pack(5), "Deltified representation". */
function applyDelta(before: Uint8Array, delta: Buffer, line: number): Buffer {
  const broken = (): DiffError => new DiffError("has a binary delta that does not fit the file", { line });
  let at = 0;
  const next = (): number => {
    const byte = delta[at];
    if (byte === undefined) throw broken();
    at += 1;
    return byte;
  };
  const size = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = next();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw broken();
  };
  if (size() !== before.length) throw broken();
  const target = size();
  const parts: Uint8Array[] = [];
  let made = 0;
  while (at < delta.length) {
    const command = next();
    let part: Uint8Array;
    if (command & 0x80) {
      let offset = 0;
      for (let bit = 0; bit < 4; bit++) if (command & (1 << bit)) offset += next() * 2 ** (8 * bit);
      let length = 0;
      for (let bit = 0; bit < 3; bit++) if (command & (0x10 << bit)) length += next() * 2 ** (8 * bit);
      if (length === 0) length = 0x10000;
      if (offset + length > before.length) throw broken();
      part = before.subarray(offset, offset + length);
    } else {
      if (command === 0 || at + command > delta.length) throw broken();
      part = delta.subarray(at, at + command);
      at += command;
    }
    made += part.length;
    if (made > target) throw broken();
    parts.push(part);
  }
  if (made !== target) throw broken();
  return Buffer.concat(parts);
}
