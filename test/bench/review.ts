import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffFile } from "../../src/review/diff/diff-file.ts";
import { parseDiff } from "../../src/review/diff/parse-diff.ts";
import { headHunks } from "../../src/review/read/head-hunks.ts";
import { planReading } from "../../src/review/read/plan-reading.ts";
import { whySkipped } from "../../src/review/read/why-skipped.ts";
import { roomOf } from "../../src/runs/review/reading.ts";
import { DEFAULT_SETTINGS } from "../../src/config/settings.ts";
import { checksOn, propose, tell } from "../e2e/pull-requests.ts";
import { FILES, openStage } from "../e2e/stage.ts";
import { say } from "../../src/testing/index.ts";
import { makeRepository } from "../unit/workspace/git-host.ts";
import type { Measured, Target } from "./bench.ts";

/** What one pull request costs to be shown to a model, in tokens. */
export interface ReviewCost {
  readonly name: string;
  readonly files: number;
  /** Lines that were added or removed. */
  readonly changed: number;
  /** What a review is shown of the difference, each part once. */
  readonly shown: number;
  /** The whole difference as git prints it. */
  readonly diff: number;
  /** The same with every changed file as it is now: what a simple reviewer sends. */
  readonly diffAndFiles: number;
}

/** An estimate that is the same for all columns: a quarter of the characters. */
const tokens = (characters: number): number => Math.round(characters / 4);
/** Commits back from the head of a real repository that count as one pull request each. */
const REAL_PULLS = [1, 5, 20];

type Files = Readonly<Record<string, string>>;
const code = (n: number, lines: number): string =>
  Array.from(
    { length: lines },
    (_, at) => `  step${at}(a${at}: number): number {\n    const value = a${at} * ${n} + ${at};\n    return this.keep(value);\n  }\n`,
  ).join("\n");
const module = (n: number, lines = 40): string => `export class Part${n} {\n${code(n, lines)}}\n`;
const numbered = (count: number, of: (n: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/part${n % 9}/file${n}.ts`, of(n)]));
const lock = (version: number): string =>
  JSON.stringify(
    { packages: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`node_modules/p${n}`, { version: `${version}.0.${n}` }])) },
    null,
    2,
  );

/** Pull requests that are made here, the same on every machine. */
const MADE: readonly { readonly name: string; readonly before: Files; readonly after: Files }[] = [
  {
    name: "one line in each of fifty files",
    before: numbered(50, module),
    after: numbered(50, (n) => module(n).replace("a7 *", "a7 +")),
  },
  { name: "three new files", before: {}, after: numbered(3, module) },
  {
    name: "a fix, with its lockfile and what is built from it",
    before: { ...numbered(2, module), "package-lock.json": lock(1), "dist/app.min.js": `var a=${"x".repeat(60_000)}\n` },
    after: {
      ...numbered(2, (n) => module(n).replace("a7 *", "a7 +")),
      "package-lock.json": lock(2),
      "dist/app.min.js": `var b=${"y".repeat(60_000)}\n`,
    },
  },
  { name: "a thousand files", before: {}, after: numbered(1000, (n) => module(n, 5)) },
];

/**
 * Costs of pull requests: of those that are made here, and of the last commits of the git checkouts in a folder.
 * @param folder holds real checkouts; none where it is undefined
 */
function reviewCosts(folder: string | undefined): readonly ReviewCost[] {
  const temporary = mkdtempSync(join(tmpdir(), "bench-review-"));
  try {
    const made = MADE.map(({ name, before, after }) => {
      const repository = makeRepository(temporary);
      const from = repository.commit({ "README.md": "x\n", ...before });
      const to = repository.commit({ "README.md": "x\n", ...before, ...after }, { parent: from });
      return costOf(name, (args) => repository.git(args).toString("utf8"), from, to);
    });
    return [...made, ...(folder === undefined ? [] : realCosts(folder))];
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function realCosts(folder: string): readonly ReviewCost[] {
  const checkouts = readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .toSorted();
  return checkouts.flatMap((name) => {
    const ask = (args: readonly string[]): string =>
      execFileSync("git", ["-C", join(folder, name), ...args], {
        encoding: "utf8",
        maxBuffer: 1 << 29,
        stdio: ["ignore", "pipe", "ignore"],
      });
    return REAL_PULLS.flatMap((back) => {
      try {
        const from = ask(["rev-parse", `HEAD~${back}`]).trim();
        return [costOf(`${name}: the last ${back} commits`, ask, from, ask(["rev-parse", "HEAD"]).trim())];
      } catch {
        // No checkout, or one without that much history.
        return [];
      }
    });
  });
}

function costOf(name: string, ask: (args: readonly string[]) => string, from: string, to: string): ReviewCost {
  const diff = (...args: readonly string[]): string =>
    ask(["diff-tree", "-r", "-M", "--full-index", "--no-ext-diff", "--no-textconv", ...args, from, to]);
  const patch = diff("-p");
  const files = parseDiff({ raw: diff("--raw", "-z"), patch });
  const texts = new Map(files.filter(isText).map((file) => [file.path, ask(["cat-file", "blob", file.blobs[1]])]));
  const why = whySkipped({ flags: new Map(), ignore: [] });
  const headed = files.map((file) => (file.status === "added" ? file : headHunks(file, texts.get(file.path) ?? "")));
  const { parts } = planReading(headed, { whySkipped: why, ...roomOf(DEFAULT_SETTINGS.max_tokens) });
  const all = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
  return {
    name,
    files: files.length,
    changed: files.reduce((sum, { hunks }) => sum + hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== "context")).length, 0),
    shown: tokens(parts.reduce((sum, { text }) => sum + text.length, 0)),
    diff: tokens(patch.length),
    diffAndFiles: tokens(patch.length + all),
  };
}

function isText({ modes, isBinary }: DiffFile): boolean {
  return modes[1].startsWith("100") && !isBinary;
}

interface WholeReview {
  readonly tokens: number;
  /** To the model, and to GitHub's API. */
  readonly requests: number;
  readonly toGitHub: number;
  readonly changed: number;
}

interface ReviewResult {
  readonly estimate: string;
  readonly costs: readonly ReviewCost[];
  readonly whole: WholeReview;
}

/** All tokens of a whole review of fifty files, prompts, tools and answers, as the scripted server counts them. */
async function wholeReview(): Promise<WholeReview> {
  const before = numbered(50, module);
  await using stage = await openStage({ script: () => say("Nothing to remark."), files: { ...FILES, ...before } });
  const pull = propose(
    stage,
    numbered(50, (n) => module(n).replace("a7 *", "a7 +")),
  );
  const earlier = stage.github.requests.length;
  await tell(stage, pull);
  const toGitHub = stage.github.requests.slice(earlier).filter(({ git, path }) => git === undefined && !path.endsWith("/access_tokens"));
  const summary = checksOn(stage, pull.headSha)[0]?.output?.summary ?? "";
  const [, counted = ""] = /([\d,]+) tokens/.exec(summary) ?? [];
  if (counted === "") throw new Error(`the review told no tokens: ${summary}`);
  return { tokens: Number(counted.replaceAll(",", "")), requests: stage.model.requests.length, toGitHub: toGitHub.length, changed: 100 };
}

/** The costs as a table for people: tokens, and tokens for each changed line. */
function costTable(costs: readonly ReviewCost[]): string {
  const head = ["", "files", "changed lines", "shown", "a line", "whole diff", "a line", "diff and files", "a line"];
  const each = (count: number, changed: number): string => (changed === 0 ? "–" : (count / changed).toFixed(1));
  const rows = costs.map(({ name, files, changed, shown, diff, diffAndFiles }) => [
    name,
    String(files),
    String(changed),
    ...[shown, diff, diffAndFiles].flatMap((count) => [String(count), each(count, changed)]),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ");
  return ["\nreview: tokens that a pull request costs (estimated: a quarter of the characters)", line(head), ...rows.map(line)].join("\n");
}

/** SALLYPORT_BENCH_CHECKOUTS is a folder of real checkouts, whose last commits are measured as pull requests. */
export async function bench(): Promise<Measured<ReviewResult>> {
  const costs = reviewCosts(process.env["SALLYPORT_BENCH_CHECKOUTS"]);
  const whole = await wholeReview();
  return {
    result: { estimate: "characters / 4", costs, whole },
    text:
      `${costTable(costs)}\n\na whole review of 50 files and ${whole.changed} changed lines: ${whole.tokens} tokens as the scripted server counts them, ` +
      `in ${whole.requests} request to it and ${whole.toGitHub} to GitHub`,
  };
}

export const targets: readonly Target<ReviewResult>[] = [
  { name: "requests to GitHub of a review of 50 files", unit: "", atMost: 8, figure: ({ whole }) => whole.toGitHub },
  { name: "tokens of that review, all prompts and tools with it", unit: "", figure: ({ whole }) => whole.tokens },
  {
    name: "what a review is shown of those files, beside the whole difference",
    unit: "%",
    atMost: 100,
    figure: ({ costs: [first] }) => (first === undefined ? undefined : (100 * first.shown) / first.diff),
  },
];
