import { expect, test } from "vitest";
import { CORPUS_LANGUAGES, scoreCorpus } from "../../../scripts/graph-corpus.ts";
import { rates, type Score } from "../../../scripts/score-calls.ts";

const NOTHING: Score = { right: 0, wrong: 0, missed: 0, byName: { right: 0, wrong: 0 }, failures: [] };
const LEAST = {
  typescript: { function: 0.99, method: 0.95 },
  python: { function: 0.95, method: 0.95 },
  go: { function: 0.9, method: 0.9 },
  java: { function: 0.9, method: 0.9 },
  rust: { function: 0.9, method: 0.9 },
} as const;

test.each(CORPUS_LANGUAGES)("calls of the small corpus in %s lead where its marks say, names alone not counted", async (language) => {
  const scores = await scoreCorpus(language);
  for (const kind of ["function", "method"] as const) {
    const score = scores.get(kind) ?? NOTHING;
    expect(rates(score).f1, `${kind}: ${score.failures.join("\n")}`).toBeGreaterThanOrEqual(LEAST[language][kind]);
    expect(score.right).toBeGreaterThan(10);
  }
});

test("what only a name speaks for is counted apart from what is known", () => {
  const score: Score = { ...NOTHING, right: 8, missed: 4, byName: { right: 2, wrong: 2 } };
  expect(rates(score)).toEqual({ precision: 1, recall: 8 / 12, f1: 0.8 });
  expect(rates(score, true)).toEqual({ precision: 10 / 12, recall: 10 / 12, f1: 10 / 12 });
});
