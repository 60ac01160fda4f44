import { z } from "zod";
import { failed, ok } from "../../core/result.ts";
import { SHOWN_BYTES, countLines, cutAtCharacter } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { showPath } from "../show-path.ts";
import { pathText } from "../tool-arguments.ts";
import { readTarget } from "./find-target.ts";
import { lfsSize } from "./lfs-pointer.ts";

const LINE_FEED = 0x0a;
/** Where git looks for a NUL when it asks whether a file is binary. */
const SNIFFED_BYTES = 8000;

export const readFile = defineTool({
  name: "read_file",
  description:
    "Reads a text file of the repository, exactly as it is and without line numbers. Long files come in parts: the last line of the answer says which lines were shown and where to read on. Invisible characters are named as ⟦U+200B⟧.",
  effect: "read",
  parameters: z.object({
    path: pathText("The file, relative to the repository root."),
    start_line: z.int().min(1).optional().describe("First line to read, 1-based. Default: 1."),
    end_line: z.int().min(1).optional().describe("Last line to read. Default: as many as fit."),
  }),
  async handler({ path, start_line: start = 1, end_line: end }, { workspace }) {
    const target = await readTarget(workspace, path);
    if (!target.ok) return target.result;
    const { file } = target;
    const name = showPath(file.path);
    if (end !== undefined && end < start) return failed(`end_line ${end} lies before start_line ${start}.`);
    if (file.bytes.subarray(0, SNIFFED_BYTES).includes(0)) {
      return failed(`${name} is a binary file of ${file.bytes.length} bytes and cannot be shown as text.`);
    }
    if (file.bytes.length === 0) return ok(`(${name} is empty)`);
    const stored = lfsSize(file.bytes);
    if (stored !== undefined) {
      const what = `[${name} is a Git LFS pointer: it stands for a file of ${stored} bytes that is kept elsewhere and is not here. Leave it as it is.]`;
      return ok(`${decode(file.bytes)}${what}`);
    }
    const total = countLines(file.bytes);
    if (start > total) return failed(`${name} has ${total} ${total === 1 ? "line" : "lines"}; start_line ${start} lies behind its end.`);
    return ok(showLines(file.bytes, start, Math.min(end ?? total, total), total));
  },
});

/** The lines from `start` to `end` as far as they fit, with a last line that says what else there is. */
function showLines(bytes: Uint8Array, start: number, end: number, total: number): string {
  const from = offsetOfLine(bytes, 0, start - 1);
  let to = from;
  let last = start - 1;
  while (last < end) {
    const next = offsetOfLine(bytes, to, 1);
    if (next - from > SHOWN_BYTES) break;
    to = next;
    last++;
  }
  if (last < start) return showLongLine(bytes.subarray(from, offsetOfLine(bytes, from, 1)), start, total);
  const text = decode(bytes.subarray(from, to));
  if (start === 1 && last === total) return text;
  const readOn = last < total ? `; read on with start_line ${last + 1}` : "";
  return `${text}${text.endsWith("\n") ? "" : "\n"}[lines ${start}–${last} of ${total}${readOn}]`;
}

function showLongLine(line: Uint8Array, number: number, total: number): string {
  const shown = cutAtCharacter(line, SHOWN_BYTES);
  const readOn = number < total ? `; read on with start_line ${number + 1}` : "";
  return `${decode(line.subarray(0, shown))}\n[line ${number} of ${total} has ${line.length} bytes, the first ${shown} are shown; grep shows what stands around a match in it${readOn}]`;
}

/** The offset behind `count` more lines. */
function offsetOfLine(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let line = 0; line < count; line++) {
    const next = bytes.indexOf(LINE_FEED, at);
    if (next < 0) return bytes.length;
    at = next + 1;
  }
  return at;
}

/** A byte order mark is left out: it belongs to the file, not to its text. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
