export type { Adapter, Claim, Ground, Prepared } from "./adapter.ts";
export { corpusCases } from "./cases.ts";
export type { CorpusCase, Door } from "./cases.ts";
export { playCase } from "./play-case.ts";
export type { CaseResult } from "./play-case.ts";
export { runCorpus } from "./run-corpus.ts";
export type { RunOptions } from "./run-corpus.ts";
export { scorecardOf, scorecardText } from "./scorecard.ts";
export type { AreaScore, Scorecard } from "./scorecard.ts";
