/**
 * Keeps what a label can say within bounds: the first `most` values stand for themselves, whatever comes later is `other`. A label with
 * values that others choose would fill the memory of this process, and of whoever collects its metrics.
 */
export function boundedLabel(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most) return "other";
    known.add(value);
    return value;
  };
}
