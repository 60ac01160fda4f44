import type { PullPin } from "../../core/run.ts";
import { messageOf } from "../../core/errors.ts";
import type { Journal } from "../../core/journal.ts";
import type { DiffFile } from "../../review/diff/diff-file.ts";
import { parseDiff } from "../../review/diff/parse-diff.ts";
import { nameUnlined } from "../../review/read/name-unlined.ts";
import { planReading, type ReadingPlan } from "../../review/read/plan-reading.ts";
import { receiptOf, type Receipt } from "../../review/read/receipt.ts";
import { whySkipped } from "../../review/read/why-skipped.ts";
import { newHunks } from "../../review/scope/new-hunks.ts";
import { lastReviewed, type LastReview } from "../../store/reviews.ts";
import { threadKey } from "../../store/runs.ts";
import { partShown, READ_DIFF } from "../../tools/git/read-diff.ts";
import { compareCommits } from "../../workspace/compare.ts";
import { FetchError } from "../../workspace/fetch-error.ts";
import { linguistFlags } from "../../workspace/linguist.ts";
import type { Remote, Store } from "../../workspace/store.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import type { DeskGraph } from "../desk-graph.ts";
import { nameHunks } from "./name-hunks.ts";

/** Most characters of one part of the difference, least ones, and most parts. */
const PART_SIZE = 60_000;
const LEAST_PART = 8_000;
const MOST_PARTS = 12;
/** Characters of a token, about. */
const PER_TOKEN = 4;

/** Files of which is kept that they were not read; GitHub shows three thousand of a pull request. */
const MOST_UNREAD = 5_000;

/** Where a pull request's commits are read. */
export interface Source {
  readonly store: Store;
  readonly remote: Remote;
}

/** What a review reads. */
export interface Reading {
  /** The whole difference: what remarks can stand on. */
  readonly files: readonly DiffFile[];
  readonly plan: ReadingPlan;
  /** The head of the last finished review, where only what is new since is read. */
  readonly since?: string;
}

/** The whole difference of a pull request, read once from the store. @throws {FetchError} */
export function openDifference(source: Source, { baseSha, headSha }: PullPin, signal: AbortSignal): () => Promise<readonly DiffFile[]> {
  let asked: Promise<readonly DiffFile[]> | undefined;
  return () => (asked ??= compareCommits({ ...source, base: baseSha, head: headSha, signal }).then(parseDiff));
}

/** Plans what a review reads: of an unasked one what is new since the last, else all. @throws {FetchError} when a commit cannot be had. */
export async function planReview(
  context: RunContext,
  { database }: Pick<RunDependencies, "database">,
  {
    source,
    pull,
    difference,
    graph,
  }: {
    readonly source: Source;
    readonly pull: PullPin;
    readonly difference: () => Promise<readonly DiffFile[]>;
    /** The code graph of the head; absent where there is none. */
    readonly graph?: Pick<DeskGraph, "enclosing"> | undefined;
  },
): Promise<Reading> {
  const { request, run, settings, signal, log } = context;
  const files = await difference();
  const earlier = database === undefined || request.unasked !== true ? undefined : await lastReviewed(database, threadKey(request), run.id);
  const known = earlier === undefined || earlier.pull.headSha === pull.headSha ? undefined : await earlierFiles(source, earlier, context);
  const shown = known === undefined ? files : newHunks(files, known);
  const flags = await linguistFlags(source.store, { commit: pull.baseSha, paths: shown.map(({ path }) => path), signal });
  const { ignore, paths, max_files: mostFiles } = settings.review;
  const why = whySkipped({ flags, ignore, paths });
  const read = shown.filter((file) => why(file) === undefined);
  const find = read.length === 0 ? undefined : await graph?.enclosing();
  const named = await nameHunks(read, { store: source.store, find, signal, log });
  const byPath = new Map(named.map((file) => [file.path, file]));
  const planned = planReading(
    shown.map((file) => byPath.get(file.path) ?? file),
    { whySkipped: why, ...roomOf(settings.max_tokens), mostFiles },
  );
  const plan = nameUnlined(planned, shown);
  log.info({ files: files.length, shown: shown.length, parts: plan.parts.length, left: plan.left.length }, "a review was planned");
  return { files, plan, ...(known === undefined || earlier === undefined ? {} : { since: earlier.pull.headSha }) };
}

/**
 * How much a review reads at once and in all. Each part is sent again with every later one, so that the parts take, all in all, half of what the
 * run may use at most.
 */
export function roomOf(maxTokens: number): { readonly partSize: number; readonly mostParts: number } {
  const partSize = Math.min(PART_SIZE, Math.max(LEAST_PART, Math.floor((maxTokens * PER_TOKEN) / 8)));
  const mostParts = Math.floor(Math.sqrt((maxTokens * PER_TOKEN) / partSize));
  return { partSize, mostParts: Math.min(MOST_PARTS, Math.max(1, mostParts)) };
}

/**
 * What the last review has read: its difference but for the files that it did not read to their end. Where a forced push has taken its commits
 * away, all is read again.
 */
async function earlierFiles(
  source: Source,
  { pull: { baseSha, headSha }, unread }: LastReview,
  { signal, log }: RunContext,
): Promise<readonly DiffFile[] | undefined> {
  try {
    const missed = new Set(unread);
    const files = parseDiff(await compareCommits({ ...source, base: baseSha, head: headSha, signal }));
    return files.filter(({ path }) => !missed.has(path));
  } catch (error) {
    if (!(error instanceof FetchError) || error.code !== "commit-missing") throw error;
    log.info({ head: headSha, why: messageOf(error) }, "the commit of the last review is gone; all is read");
    return undefined;
  }
}

/** What of the plan the model has been shown, by the journal: the first part in the opening, others when it asked for them. */
export function receiptFor({ plan }: Reading, { entries }: Journal): Receipt {
  const wasOpened = entries.some(({ kind }) => kind === "opening");
  const asked = entries.flatMap((entry) =>
    entry.kind === "tool-result" && entry.tool === READ_DIFF && entry.result.status === "ok" ? (partShown(entry.result.text) ?? []) : [],
  );
  return receiptOf(plan, new Set([...(wasOpened ? [0] : []), ...asked.map((part) => part - 1)]));
}

/** The files of which the reviewer is shown something, in the order in which they are read. */
export function pathsShown({ plan: { parts } }: Reading): readonly string[] {
  return [...new Set(parts.flatMap(({ pieces }) => pieces.map(({ file }) => file.path)))];
}

/** The files of a plan that were not read to their end. */
export function unreadOf(reading: Reading, journal: Journal): readonly string[] {
  const { missed } = receiptFor(reading, journal);
  return missed.slice(0, MOST_UNREAD).map(({ path }) => path);
}

/** Why a review has nothing to read, in words for people. */
export function nothingToRead({ plan, files, since }: Reading): string {
  if (files.length === 0) return "The pull request changes no file.";
  if (plan.files === 0) return `Nothing is new since ${since?.slice(0, 10) ?? "the last review"}, so nothing was read again.`;
  return "None of the changed files is one that is read in a review.";
}
