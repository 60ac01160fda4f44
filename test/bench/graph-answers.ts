import { CORPUS_LANGUAGES, scoreCorpus } from "../../scripts/graph-corpus.ts";
import { rates } from "../../scripts/score-calls.ts";
import type { Measured, Target } from "./bench.ts";

type Language = (typeof CORPUS_LANGUAGES)[number];
type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** How well the graph resolves the calls of the small corpus that is shipped: F1 by language, and by what is called. */
export async function bench(): Promise<Measured<Answers>> {
  const result: Record<string, Record<string, number>> = {};
  for (const language of CORPUS_LANGUAGES)
    result[language] = Object.fromEntries([...(await scoreCorpus(language))].map(([kind, score]) => [kind, rates(score).f1]));
  const text = Object.entries(result).map(
    ([language, kinds]) =>
      `${language.padEnd(12)}${Object.entries(kinds)
        .map(([kind, f1]) => `${kind} ${f1.toFixed(3)}`)
        .join("  ")}`,
  );
  return { result, text: ["F1 of calls in the small corpus", ...text].join("\n") };
}

const f1 = (language: Language, kind: string, atLeast: number): Target<Answers> => ({
  name: `F1 of ${kind} calls, ${language}`,
  unit: "",
  atLeast,
  figure: (answers) => answers[language]?.[kind],
});
export const targets: readonly Target<Answers>[] = [
  f1("typescript", "function", 0.99),
  f1("typescript", "method", 0.95),
  f1("python", "function", 0.95),
  f1("python", "method", 0.95),
  f1("go", "function", 0.9),
  f1("java", "method", 0.9),
  f1("rust", "function", 0.9),
];
