/** How much a remark of a review matters, from least to most. */
export const SEVERITIES = ["nit", "minor", "major", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
