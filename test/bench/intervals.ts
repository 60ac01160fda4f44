/** A run at work in one process: milliseconds of the clock that all processes of a machine share. */
export interface Interval {
  readonly run: string;
  readonly thread: number;
  readonly began: number;
  readonly ended: number;
}

/** Pairs of neighbours of one thread, one of which began before the other had ended. */
export function overlapsOf(intervals: readonly Interval[]): readonly (readonly [Interval, Interval])[] {
  return [...byThread(intervals).values()].flatMap((ofThread) => {
    const sorted = ofThread.toSorted((a, b) => a.began - b.began);
    // The one that ends last may be an earlier one than the neighbour.
    let last = sorted[0];
    return sorted.slice(1).flatMap((next) => {
      const found = last !== undefined && next.began < last.ended ? [[last, next] as const] : [];
      if (last === undefined || next.ended > last.ended) last = next;
      return found;
    });
  });
}

/** Runs that worked before an older one of their thread. `order` has the runs from the oldest to the newest. */
export function outOfOrder(intervals: readonly Interval[], order: readonly string[]): readonly Interval[] {
  const places = new Map(order.map((run, place) => [run, place]));
  return [...byThread(intervals).values()].flatMap((ofThread) => {
    const sorted = ofThread.toSorted((a, b) => a.began - b.began);
    return sorted.filter(({ run }, at) => sorted.slice(at + 1).some((later) => (places.get(later.run) ?? -1) < (places.get(run) ?? -1)));
  });
}

function byThread(intervals: readonly Interval[]): ReadonlyMap<number, readonly Interval[]> {
  return Map.groupBy(intervals, ({ thread }) => thread);
}
