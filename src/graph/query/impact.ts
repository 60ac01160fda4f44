import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import type { Target } from "./find-target.ts";
import { doubtAbout, isTestSymbol, placeOf, type Doubt, type Place } from "./places.ts";
import { createReach, withMembers, type Reached } from "./reach.ts";

export type ImpactSeverity = "none" | "low" | "medium" | "high" | "critical";

export interface ImpactPlace {
  readonly symbol: GraphSymbol;
  readonly depth: number;
  readonly place: Place;
  /** What of the earlier depth it uses. */
  readonly uses: GraphSymbol;
  /** The base or interface method that it names for that. */
  readonly through: GraphSymbol | undefined;
}

export interface Impact {
  readonly target: Target;
  /** Nearest first, tests left out; at most `limit` of `reached`. */
  readonly places: readonly ImpactPlace[];
  readonly tests: readonly ImpactPlace[];
  /** Symbols outside tests that it reaches, at depth 1 and in all; and their files. */
  readonly direct: number;
  readonly reached: number;
  readonly files: number;
  readonly testCount: number;
  /** What is exported of the target and of what it reaches. */
  readonly public: readonly GraphSymbol[];
  readonly publicCount: number;
  readonly severity: ImpactSeverity;
  readonly reason: string;
  readonly doubt: Doubt;
}

export interface ImpactOptions {
  /** Steps; without it as far as it goes. */
  readonly depth?: number | undefined;
  /** Places and tests that are told one by one. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 60;
const MOST_PUBLIC = 20;

/**
 * What a change of a symbol can touch: who calls, names or inherits it, by JSX and decorators as well, through what it overrides and implements,
 * directly and through others.
 */
export function impactOf(asked: AskableGraph, target: Target, { depth, limit = DEFAULT_LIMIT }: ImpactOptions = {}): Impact {
  const { graph, relations } = asked;
  const changed = withMembers(relations, target.ids);
  const found = [...createReach(relations, graph.symbols.length)(changed, depth), ...importers(asked, target, changed)];
  const isTest = ({ id }: Reached): boolean => isTestSymbol(asked, symbolOf(asked, id));
  const tests = found.filter(isTest);
  const reached = found.filter((one) => !isTest(one));
  const files = new Set(reached.map(({ id }) => symbolOf(asked, id).path));
  const exported = [target.main.id, ...reached.map(({ id }) => id)].map((id) => symbolOf(asked, id)).filter(({ isExported }) => isExported);
  const direct = reached.filter((one) => one.depth === 1).length;
  const numbers = { reached: reached.length, direct, files: files.size, publicCount: exported.length, testCount: tests.length };
  return {
    target,
    places: reached.slice(0, limit).flatMap((one) => impactPlace(asked, one)),
    tests: tests.slice(0, limit).flatMap((one) => impactPlace(asked, one)),
    public: exported.slice(0, MOST_PUBLIC),
    ...numbers,
    ...severityOf(numbers),
    doubt: doubtAbout(asked, [target.main.name]),
  };
}

/** A file is used by those that import it, whatever they name. */
function importers({ graph }: AskableGraph, { ids, main }: Target, changed: readonly number[]): readonly Reached[] {
  if (main.kind !== "module") return [];
  const known = new Set(changed);
  const edges = graph.edgesTo(main.id).filter(({ kind, from }) => kind === "imports" && !known.has(from));
  return [...new Set(edges.map(({ from }) => from))].map((id) => ({ id, depth: 1, uses: ids[0] ?? main.id, through: undefined }));
}

function symbolOf({ graph }: AskableGraph, id: number): GraphSymbol {
  return graph.symbols[id] as GraphSymbol;
}

function impactPlace(asked: AskableGraph, { id, depth, uses, through }: Reached): readonly ImpactPlace[] {
  const symbol = symbolOf(asked, id);
  const place = placeOf(asked, id, through ?? uses) ?? {
    path: symbol.path,
    line: symbol.line,
    further: [],
    kind: "imports" as const,
    confidence: "exact" as const,
  };
  return [{ symbol, depth, place, uses: symbolOf(asked, uses), through: through === undefined ? undefined : symbolOf(asked, through) }];
}

interface Numbers {
  readonly reached: number;
  readonly direct: number;
  readonly files: number;
  readonly publicCount: number;
  readonly testCount: number;
}

/** From which number of reached symbols, or of their files, a change is how severe. */
const STEPS: readonly { readonly severity: ImpactSeverity; readonly reached: number; readonly files: number }[] = [
  { severity: "critical", reached: 200, files: 50 },
  { severity: "high", reached: 40, files: 12 },
  { severity: "medium", reached: 8, files: 4 },
  { severity: "low", reached: 1, files: 1 },
];

/** How far it goes, one step more where it goes far and no test would notice. */
function severityOf({ reached, direct, files, publicCount, testCount }: Numbers): {
  readonly severity: ImpactSeverity;
  readonly reason: string;
} {
  const tested = testCount === 0 ? "no test reaches it" : `${testCount} ${testCount === 1 ? "test reaches" : "tests reach"} it`;
  const at = STEPS.findIndex((step) => reached >= step.reached || files >= step.files);
  if (at < 0) return { severity: "none", reason: `nothing outside of tests uses it; ${tested}` };
  const isRaised = testCount === 0 && at === 2;
  const severity = STEPS[isRaised ? at - 1 : at]?.severity ?? "low";
  const exported = publicCount === 0 ? "" : `, ${publicCount} exported`;
  return {
    severity,
    reason: `${reached} ${reached === 1 ? "place" : "places"} in ${files} ${files === 1 ? "file" : "files"} (${direct} directly${exported}); ${tested}`,
  };
}
