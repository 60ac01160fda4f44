import { errorRank, type ErrorRank } from "./error-rank.ts";

/** A line with its number in the whole log. */
export interface NumberedLine {
  readonly at: number;
  readonly text: string;
}

/** What is kept of one step, however long it was. */
export interface LogStep {
  /** As the runner heads it: `Run npm test`; undefined for what comes before the first step. */
  readonly title: string | undefined;
  /** The line of its title. */
  readonly from: number;
  /** The runner marked an error in it. */
  readonly hasError: boolean;
  /** The first line of the highest rank, when there is any. */
  readonly cause: (NumberedLine & { readonly rank: ErrorRank }) | undefined;
  /** The first line that names what failed, where the cause is another one. */
  readonly named: NumberedLine | undefined;
  readonly before: readonly NumberedLine[];
  readonly after: readonly NumberedLine[];
  /** The next lines of the same rank: other tests that failed, other errors of a compiler. */
  readonly others: readonly NumberedLine[];
  /** What the runner marked as errors, the last ones. */
  readonly marked: readonly NumberedLine[];
  /** How the step ended. */
  readonly tail: readonly NumberedLine[];
}

export interface OpenStep {
  /** `said` is the line without the runner's word for it; `marked`: the runner says that it is an error. */
  add(line: NumberedLine, said: string, marked: boolean): void;
  close(): LogStep;
}

/** Lines that are kept: a window around the first error, and the end. All of them together are far more than is ever shown. */
const BEFORE = 6;
const AFTER = 40;
const TAIL = 60;
const MARKED = 4;
const OTHERS = 12;

interface Found {
  readonly line: NumberedLine;
  readonly before: readonly NumberedLine[];
  readonly after: NumberedLine[];
  readonly others: NumberedLine[];
}

/** Begins a step; what is held of it is bounded in lines. */
export function openStep(title: string | undefined, from: number): OpenStep {
  const first = new Map<ErrorRank, Found>();
  const tail: NumberedLine[] = [];
  const marked: NumberedLine[] = [];
  let hasError = false;

  return {
    add(line, said, isMarked) {
      const rank = errorRank(said, isMarked);
      for (const { after } of first.values()) if (after.length < AFTER) after.push(line);
      const found = first.get(rank);
      if (found !== undefined && found.others.length < OTHERS) found.others.push(line);
      if (rank > 0 && found === undefined) first.set(rank, { line, before: tail.slice(-BEFORE), after: [], others: [] });
      keepLast(tail, line, TAIL);
      if (!isMarked) return;
      hasError = true;
      keepLast(marked, line, MARKED);
    },
    close() {
      const rank = ([4, 3, 2, 1] as const).find((one) => first.has(one));
      const found = rank === undefined ? undefined : first.get(rank);
      const named = rank === 4 ? first.get(3)?.line : undefined;
      return {
        title,
        from,
        hasError,
        cause: found === undefined || rank === undefined ? undefined : { ...found.line, rank },
        named,
        before: found?.before ?? [],
        after: found?.after ?? [],
        others: rank === undefined || rank < 3 ? [] : (found?.others ?? []),
        marked,
        tail,
      };
    },
  };
}

function keepLast<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
