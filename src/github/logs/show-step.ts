import type { LogStep, NumberedLine } from "./log-step.ts";

/** UTF-16 units of one line that are shown: its start and its end. */
const LINE_HEAD = 320;
const LINE_TAIL = 80;
/** Bytes that are kept free for a mark between two lines that are no neighbours. */
const GAP = 24;

/**
 * One step within `room` bytes: its title, the first error with what stands around it, and how the step ended, in the log's order. What
 * matters most is taken first; whatever is left out between is counted.
 */
export function showStep(step: LogStep, room: number, mask: (text: string) => string): string {
  const title = step.title === undefined ? [] : [`Step: ${shortLine(mask(step.title))}`];
  const chosen = new Map<number, string>();
  let left = room - Buffer.byteLength(title.join("")) - GAP;
  for (const { at, text } of byImportance(step)) {
    if (chosen.has(at)) continue;
    const shown = shortLine(mask(text));
    const hasNeighbour = chosen.has(at - 1) || chosen.has(at + 1);
    left -= Buffer.byteLength(shown) + 1 + (hasNeighbour ? 0 : GAP);
    if (left < 0) break;
    chosen.set(at, shown);
  }
  return [...title, ...withGaps(chosen, step.from)].join("\n");
}

function byImportance({ cause, named, before, after, others, marked, tail }: LogStep): readonly NumberedLine[] {
  const backwards = (lines: readonly NumberedLine[]): readonly NumberedLine[] => lines.toReversed();
  const end = backwards(tail);
  return [
    ...(cause === undefined ? [] : [cause]),
    ...backwards(marked).slice(0, 1),
    ...(named === undefined ? [] : [named]),
    ...after.slice(0, 12),
    ...backwards(before).slice(0, 4),
    ...end.slice(0, 8),
    ...others,
    ...backwards(marked),
    ...after.slice(12),
    ...backwards(before),
    ...end,
  ];
}

function withGaps(chosen: ReadonlyMap<number, string>, from: number): readonly string[] {
  const shown: string[] = [];
  let last = from;
  for (const [at, text] of [...chosen].toSorted(([a], [b]) => a - b)) {
    if (at > last + 1) shown.push(`[… ${at - last - 1} lines …]`);
    shown.push(text);
    last = at;
  }
  return shown;
}

function shortLine(line: string): string {
  if (line.length <= LINE_HEAD + LINE_TAIL) return line;
  return `${line.slice(0, LINE_HEAD).toWellFormed()} […] ${line.slice(-LINE_TAIL).toWellFormed()}`;
}
