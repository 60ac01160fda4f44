import { CORPUS_LANGUAGES, scoreCorpus } from "../../scripts/graph-corpus.ts";
import { rates } from "../../scripts/score-calls.ts";
import type { Measured, Target } from "./bench.ts";

interface CorpusRow {
  readonly language: string;
  readonly kind: string;
  readonly sites: number;
  readonly f1: number;
  /** Answers that only a name speaks for, how many of them are right, and F1 with them. */
  readonly byName: number;
  readonly byNameRight: number;
  readonly f1WithNames: number;
}

/** How well the calls of the small corpus are resolved. */
async function corpusRows(): Promise<readonly CorpusRow[]> {
  const rows: CorpusRow[] = [];
  for (const language of CORPUS_LANGUAGES) {
    for (const [kind, score] of await scoreCorpus(language)) {
      const { right, missed, byName } = score;
      rows.push({
        language,
        kind,
        sites: right + missed,
        f1: rates(score).f1,
        byName: byName.right + byName.wrong,
        byNameRight: byName.right,
        f1WithNames: rates(score, true).f1,
      });
    }
  }
  return rows;
}

function corpusTable(rows: readonly CorpusRow[]): string {
  const lines = rows.map(
    ({ language, kind, sites, f1, byName, byNameRight, f1WithNames }) =>
      `| ${language} | ${kind} | ${sites} | ${f1.toFixed(3)} | ${byNameRight} of ${byName} | ${f1WithNames.toFixed(3)} |`,
  );
  return [
    "\ncalls of the small corpus that are resolved",
    "| language | kind | sites | F1 | by name alone, right | F1 with those |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

interface CorpusResult {
  readonly rows: readonly CorpusRow[];
}

export async function bench(): Promise<Measured<CorpusResult>> {
  const rows = await corpusRows();
  return { result: { rows }, text: corpusTable(rows) };
}

const f1Of = (language: string, kind: string, atLeast: number): Target<CorpusResult> => ({
  name: `${kind}s of the small corpus in ${language}, F1`,
  unit: "",
  atLeast,
  figure: ({ rows }) => rows.find((row) => row.language === language && row.kind === kind)?.f1,
});
export const targets: readonly Target<CorpusResult>[] = [
  f1Of("typescript", "function", 0.99),
  f1Of("typescript", "method", 0.95),
  f1Of("python", "function", 0.95),
  f1Of("python", "method", 0.95),
  f1Of("go", "function", 0.9),
  f1Of("java", "function", 0.9),
  f1Of("rust", "function", 0.9),
];
