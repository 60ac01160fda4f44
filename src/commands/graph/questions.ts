import { canonicalPath } from "../../tools/repo/find-target.ts";
import type { AskableGraph } from "../../graph/query/askable.ts";
import { calleesOf, callersOf } from "../../graph/query/calls.ts";
import { contextOf } from "../../graph/query/context.ts";
import { dependenciesOf } from "../../graph/query/dependencies.ts";
import { fileMapOf } from "../../graph/query/file-map.ts";
import { findFile, findTarget, type Target } from "../../graph/query/find-target.ts";
import { dataFlowOf } from "../../graph/query/flow/data-flow.ts";
import { impactOf } from "../../graph/query/impact.ts";
import { moduleSummaryOf } from "../../graph/query/module-summary.ts";
import { searchSymbols } from "../../graph/query/search.ts";
import { showCallees, showCallers } from "../../graph/show/show-calls.ts";
import { showDependencies, showFileMap, showModuleSummary } from "../../graph/show/show-files.ts";
import { showFlow } from "../../graph/show/show-flow.ts";
import { showImpact } from "../../graph/show/show-impact.ts";
import { showSearch } from "../../graph/show/show-search.ts";
import { whyNoTarget } from "../../graph/show/words.ts";

export interface GraphWish {
  /** What is asked about: a name or a path. */
  readonly words: readonly string[];
  readonly file?: string | undefined;
  readonly depth?: number | undefined;
  readonly limit?: number | undefined;
  readonly budget?: number | undefined;
  readonly read: (path: string) => Promise<string | undefined>;
}

export type GraphAnswer =
  | { readonly ok: true; readonly text: string; /** The same for programs. */ readonly data: unknown }
  | { readonly ok: false; readonly text: string };

export interface GraphQuestion {
  /** What it is asked about; undefined when it can be asked about everything. */
  readonly needs?: string;
  readonly answer: (asked: AskableGraph, wish: GraphWish) => GraphAnswer | Promise<GraphAnswer>;
}

const DEFAULT_BUDGET = 4000;

/** What can be asked on the command line, by name. */
export const QUESTIONS: Readonly<Record<string, GraphQuestion>> = {
  search: {
    needs: "name",
    answer(asked, { words: [query = ""], limit }) {
      const found = searchSymbols(asked, { query, limit });
      return found.count > 0 ? done(showSearch(found), found) : { ok: false, text: showSearch(found) };
    },
  },
  callers: ofTarget((asked, target, { depth, limit }) => {
    const calls = callersOf(asked, target, { depth, ...limited(limit) });
    return done(showCallers(calls), calls);
  }),
  callees: ofTarget((asked, target, { depth, limit }) => {
    const calls = calleesOf(asked, target, { depth, ...limited(limit) });
    return done(showCallees(calls), calls);
  }),
  impact: ofTarget((asked, target, { depth, limit }) => {
    const impact = impactOf(asked, target, { depth, ...limited(limit) });
    return done(showImpact(impact), impact);
  }),
  flow: ofTarget((asked, target, { depth }) => {
    const flow = dataFlowOf(asked, target, { depth });
    return done(showFlow(flow), flow);
  }),
  context: ofTarget(async (asked, { ids, main }, { budget, read }) => {
    const wanted = main.kind === "module" ? { symbols: [], files: [main.path] } : { symbols: ids };
    const context = await contextOf(asked, { ...wanted, budgetTokens: budget ?? DEFAULT_BUDGET, read });
    return done(context.text, context);
  }),
  map: {
    answer(asked, { words: [path = ""] }) {
      const map = fileMapOf(asked, canonicalPath(path).replace(/\/$/, ""));
      return map.status === "found" ? done(showFileMap(map), map) : { ok: false, text: whyNoTarget(map) };
    },
  },
  summary: {
    needs: "path",
    answer(asked, { words: [path = ""] }) {
      const summary = moduleSummaryOf(asked, canonicalPath(path));
      return summary.status === "found" ? done(showModuleSummary(summary), summary) : { ok: false, text: whyNoTarget(summary) };
    },
  },
  dependencies: {
    needs: "path",
    answer(asked, { words: [path = ""] }) {
      const found = findFile(asked, canonicalPath(path));
      if (found.status !== "found") return { ok: false, text: whyNoTarget(found) };
      const dependencies = dependenciesOf(asked, found.file);
      return done(showDependencies(dependencies), dependencies);
    },
  },
};

/** What a name alone asks: where it is declared, and when that is one place, what a change of it would touch. */
export function answerOverview(asked: AskableGraph, wish: GraphWish): GraphAnswer {
  const [name = ""] = wish.words;
  const found = findTarget(asked, name, fileOf(wish));
  const search = searchSymbols(asked, { query: name, limit: wish.limit });
  if (found.status === "found") {
    const impact = impactOf(asked, found.target, { depth: wish.depth, ...limited(wish.limit) });
    return done(showImpact(impact), impact);
  }
  if (wish.file === undefined && search.count > 0) return done(showSearch(search), search);
  return { ok: false, text: whyNoTarget(found) };
}

function ofTarget(answer: (asked: AskableGraph, target: Target, wish: GraphWish) => GraphAnswer | Promise<GraphAnswer>): GraphQuestion {
  return {
    needs: "name",
    answer(asked, wish) {
      const found = findTarget(asked, wish.words[0] ?? "", fileOf(wish));
      return found.status === "found" ? answer(asked, found.target, wish) : { ok: false, text: whyNoTarget(found) };
    },
  };
}

const done = (text: string, data: unknown): GraphAnswer => ({ ok: true, text, data });
const limited = (limit: number | undefined): { readonly limit?: number } => (limit === undefined ? {} : { limit });
const fileOf = ({ file }: GraphWish): string | undefined => (file === undefined ? undefined : canonicalPath(file));
