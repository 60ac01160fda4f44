import { createHash } from "node:crypto";
import type { Journal, Spilled } from "../core/journal.ts";
import type { Outputs } from "../tools/memory/memory.ts";

/** Characters from which a result is spilled whose tool says nothing of it: a little more than the tools show that bound themselves. */
const SPILLED_AFTER = 32_000;
/** UTF-8 bytes. No result over 64 kB enters the conversation; the rest of the room is for its prefix and a warning. */
const LARGEST_RESULT = 62_000;
/** Characters that are shown of a spilled result: a third from its start, the rest from its end, where commands say how they ended. */
const SHOWN = 12_000;
/** Bytes that a run may spill altogether. */
const ROOM = 64 * 1024 * 1024;

/** A result's text as the conversation takes it. */
export interface Bounded {
  readonly text: string;
  /** Set when the whole text is to be stored with the result's row. */
  readonly spilled?: { readonly entry: Spilled; readonly blobs: ReadonlyMap<string, Uint8Array> };
}

export interface SpillOptions {
  /** The tool's own threshold, in characters. */
  readonly after?: number | undefined;
  readonly journal: Pick<Journal, "entries">;
  /** Bytes that the run may spill altogether. */
  readonly room?: number;
}

/**
 * A text that fits, or the ends of one that does not, with the line that says how the rest is read. The same text twice is stored once and
 * has one id, so that a call that is repeated is still seen as the same.
 */
export function spill(text: string, { after = SPILLED_AFTER, journal, room = ROOM }: SpillOptions): Bounded {
  const bytes = Buffer.byteLength(text);
  if (text.length <= after && bytes <= LARGEST_RESULT) return { text };
  const ends = showEnds(text, Math.min(SHOWN, after));
  const notKept = `${ends}\n[the part left out was not kept: what this run may store of large results (${room} bytes) is used up; narrow the call to see it]`;
  if (bytes > room) return { text: notKept };
  const content = Buffer.from(text);
  const blob = createHash("sha1").update(`blob ${bytes}\0`).update(content).digest("hex");
  const stored = new Map(spilledIn(journal).map((one) => [one.blob, one]));
  const known = stored.get(blob);
  const used = [...stored.values()].reduce((sum, one) => sum + one.bytes, 0);
  if (known === undefined && bytes > room - used) return { text: notKept };
  const entry = known ?? { id: `out-${stored.size + 1}`, blob, bytes, lines: countLines(text) };
  return { text: `${ends}\n${spilledLine(entry)}`, spilled: { entry, blobs: new Map([[blob, content]]) } };
}

function spilledLine({ id, lines }: Pick<Spilled, "id" | "lines">): string {
  return `[spilled] ${id}: ${lines} lines, read with read_output`;
}

/** A result's text and the line that ends it when it was spilled, with its line break. */
export function splitSpilled(text: string): { readonly body: string; readonly line: string } {
  const at = /\n\[spilled\] out-\d+: \d+ lines, read with read_output$/.exec(text)?.index ?? text.length;
  return { body: text.slice(0, at), line: text.slice(at) };
}

/** What a run has spilled so far, as `read_output` reads it. */
export function spilledOutputs(journal: Pick<Journal, "entries" | "blob">): Outputs {
  return {
    list: () => [...new Map(spilledIn(journal).map((one) => [one.id, one])).values()],
    async read(id) {
      const one = spilledIn(journal).find((spilled) => spilled.id === id);
      const bytes = one === undefined ? undefined : await journal.blob(one.blob);
      return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    },
  };
}

function spilledIn({ entries }: Pick<Journal, "entries">): readonly Spilled[] {
  return entries.flatMap((row) => {
    // A script's call spills as the model's own does; what a subagent spilled is for the subagent, and `arguments` tells them apart.
    const entry = row.kind === "nested" && "arguments" in row.entry ? row.entry : row;
    return entry.kind === "tool-result" && entry.spilled !== undefined ? [entry.spilled] : [];
  });
}

function showEnds(text: string, shown: number): string {
  const head = cutHead(text, Math.floor(shown / 3));
  const tail = cutTail(text, shown - Math.floor(shown / 3));
  const left = text.length - head.length - tail.length;
  return `${head}${head.endsWith("\n") ? "" : "\n"}[… ${left} of ${text.length} characters left out here …]\n${tail}`;
}

/** At most so many characters from the start: whole lines where that costs less than half of them. */
function cutHead(text: string, most: number): string {
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return text.slice(0, line > end / 2 ? line : end);
}

function cutTail(text: string, most: number): string {
  const from = text.length - most;
  const start = /[\udc00-\udfff]/.test(text[from] ?? "") ? from + 1 : from;
  const line = text.indexOf("\n", start - 1) + 1;
  return text.slice(line > 0 && line < start + most / 2 ? line : start);
}

/** Lines as editors count them: a final line break ends the last line and begins none. */
function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return text.endsWith("\n") ? lines : lines + 1;
}
