import { z } from "zod";
import { type ToolResult, failed, ok } from "../../core/result.ts";
import { SHOWN_BYTES } from "../bounds.ts";
import { defineTool } from "../define-tool.ts";
import { text } from "../tool-arguments.ts";
import type { Outputs } from "./memory.ts";

/** Outputs that an answer about an unknown id names, the newest. */
const NAMED = 20;

export const readOutput = defineTool({
  name: "read_output",
  description:
    "Reads a part of a result of this run that was too large and ended with [spilled] and its id. The last line of the answer says which lines are shown and where to read on. A line that is too long comes in parts, by start_character.",
  effect: "read",
  parameters: z.object({
    id: text(100, "The id after [spilled], such as out-1.").min(1),
    start_line: z.int().min(1).optional().describe("First line to read, 1-based. Default: 1."),
    end_line: z.int().min(1).optional().describe("Last line to read. Default: as many as fit."),
    start_character: z.int().min(1).optional().describe("Where in the first line to begin, 1-based. Default: 1."),
  }),
  async handler({ id: written, start_line: start = 1, end_line: end, start_character: from = 1 }, { outputs }) {
    // As it stands before the number of lines.
    const id = written.replace(/:$/, "");
    const stored = await outputs?.read(id);
    if (stored === undefined) return unknownId(id, outputs?.list() ?? []);
    if (end !== undefined && end < start) return failed(`end_line ${end} lies before start_line ${start}.`);
    return showPart(stored, { id, start, end, from });
  },
});

function unknownId(id: string, known: ReturnType<Outputs["list"]>): ToolResult {
  if (known.length === 0) return failed(`There is no output ${JSON.stringify(id)}: no result of this run was spilled so far.`);
  const names = known.slice(-NAMED).map((one) => `${one.id} (${one.lines} lines, ${one.bytes} bytes)`);
  const more = known.length > names.length ? `, and ${known.length - names.length} older ones` : "";
  return failed(`There is no output ${JSON.stringify(id)} in this run. There are: ${names.join(", ")}${more}.`);
}

interface Part {
  readonly id: string;
  readonly start: number;
  readonly end: number | undefined;
  /** In the first line. */
  readonly from: number;
}

function showPart(stored: string, { id, start, end, from }: Part): ToolResult {
  const lines = (stored.endsWith("\n") ? stored.slice(0, -1) : stored).split("\n");
  const total = lines.length;
  const first = lines[start - 1];
  if (first === undefined) return failed(`${id} has ${total} lines; start_line ${start} lies behind its end.`);
  if (from > Math.max(1, first.length)) {
    return failed(`Line ${start} of ${id} has ${first.length} characters; start_character ${from} lies behind its end.`);
  }
  const rest = first.slice(isInsidePair(first, from - 1) ? from : from - 1);
  if (Buffer.byteLength(rest) > SHOWN_BYTES) {
    const shown = fitting(rest);
    const at = first.length - rest.length;
    const next = at + shown.length + 1;
    return ok(
      `${shown}\n[${id}, line ${start} of ${total}, characters ${at + 1}–${next - 1} of ${first.length}; read on with start_line ${start} and start_character ${next}]`,
    );
  }
  const kept = [rest];
  let bytes = Buffer.byteLength(rest) + 1;
  for (let line = start + 1; line <= Math.min(end ?? total, total); line++) {
    const next = lines[line - 1] ?? "";
    bytes += Buffer.byteLength(next) + 1;
    if (bytes > SHOWN_BYTES) break;
    kept.push(next);
  }
  const last = start + kept.length - 1;
  const readOn = last < total ? `; read on with start_line ${last + 1}` : "";
  return ok(`${kept.join("\n")}\n[${id}, lines ${start}–${last} of ${total}${readOn}]`);
}

/** The start of a line that may be shown at once; most characters take one byte. */
function fitting(line: string): string {
  let end = Math.min(line.length, SHOWN_BYTES);
  while (Buffer.byteLength(line.slice(0, end)) > SHOWN_BYTES) end = Math.floor(end * 0.75);
  return line.slice(0, isInsidePair(line, end) ? end - 1 : end);
}

function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
