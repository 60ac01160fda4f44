import type { Adapter } from "./adapter.ts";
import { corpusCases } from "./cases.ts";
import type { CorpusCase } from "./cases.ts";
import { playCase } from "./play-case.ts";
import type { CaseResult } from "./play-case.ts";

export interface RunOptions {
  /** The cases to play; all by default. */
  readonly cases?: readonly CorpusCase[];
  /** Cases at a time; 2 by default. */
  readonly parallel?: number;
  /** Told of each case as it ends. */
  readonly onResult?: (result: CaseResult) => void;
}

/** Plays the cases at an adapter's doors, and answers what became of each, in their order. */
export async function runCorpus(adapter: Adapter, { cases = corpusCases(), parallel = 2, onResult }: RunOptions = {}) {
  const played = cases.filter(({ door }) => adapter.doors.includes(door));
  const results: CaseResult[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < played.length; at = next++) {
      const one = played[at];
      if (one === undefined) return;
      const result = await playCase(one, adapter);
      results[at] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return results;
}
