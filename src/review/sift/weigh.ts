import { SEVERITIES, type Severity } from "../../core/remark-severity.ts";

interface Weighed {
  readonly severity?: Severity | undefined;
}

/** A remark whose severity nobody said stands between the two middle ones. */
const UNSAID = SEVERITIES.indexOf("minor") + 0.5;

/** Whether a remark matters enough. One whose severity nobody said always does. */
export function mattersEnough({ severity }: Weighed, least: Severity): boolean {
  return severity === undefined || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}

/** The remarks that matter most first; those that matter as much stay in their order. */
export function byWeight<T extends Weighed>(remarks: readonly T[]): readonly T[] {
  const weightOf = ({ severity }: Weighed): number => (severity === undefined ? UNSAID : SEVERITIES.indexOf(severity));
  return remarks.toSorted((a, b) => weightOf(b) - weightOf(a));
}
