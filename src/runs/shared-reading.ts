/** Readings that several runs of one delivery make at the same time: they are made once. */
export interface SharedReading {
  /** Answers what `read` does, or did a moment ago for the same key. What failed is read anew. */
  of<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** How long an answer is handed on, and how many are kept. */
const KEPT_MS = 30_000;
const MOST_KEPT = 200;

export function shareReading(now: () => number = Date.now): SharedReading {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>();
  return {
    of<T>(key: string, read: () => Promise<T>): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined && now() - known.at < KEPT_MS) return known.answer as Promise<T>;
      const answer = read();
      const entry = { at: now(), answer };
      kept.delete(key);
      kept.set(key, entry);
      answer.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      // The oldest stand first.
      for (const [old, { at }] of kept) if (kept.size > MOST_KEPT || now() - at >= KEPT_MS) kept.delete(old);
      return answer;
    },
  };
}
