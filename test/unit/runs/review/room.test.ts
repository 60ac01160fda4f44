import { expect, test } from "vitest";
import { roomOf } from "../../../../src/runs/review/reading.ts";

test.each([1_000, 10_000, 50_000, 100_000, 500_000, 2_000_000, 50_000_000])(
  "of %i tokens a review's parts take about half, sent again and again",
  (budget) => {
    const { partSize, mostParts } = roomOf(budget);
    const sent = ((mostParts * (mostParts + 1)) / 2) * (partSize / 4);
    expect(mostParts).toBeGreaterThanOrEqual(1);
    expect(mostParts).toBeLessThanOrEqual(12);
    expect(partSize).toBeLessThanOrEqual(60_000);
    // Below that nothing could be read at all.
    if (budget >= 10_000) expect(sent).toBeLessThanOrEqual(budget * 0.6);
    if (budget <= 2_000_000 && budget >= 50_000) expect(sent).toBeGreaterThan(budget * 0.2);
  },
);
