import type { GraphSymbol } from "../../graph.ts";
import type { AskableGraph } from "../askable.ts";
import type { Target } from "../find-target.ts";
import { doubtAbout, type Doubt } from "../places.ts";
import { traceBinding, traceResult, traceSymbol } from "./backward.ts";
import { USUAL_ENDPOINTS, type Endpoints } from "./endpoints.ts";
import { followBinding, followResult, followSymbol } from "./forward.ts";
import { createTracer, parametersOf, type FlowStep, type MutableStep, type Tracer } from "./tracer.ts";

/** A value, where it comes from and where it goes. */
export interface FlowOf {
  /** `parameter name`, `result`, `field Cart.items`. */
  readonly of: string;
  readonly path: string;
  readonly line: number;
  readonly from: readonly FlowStep[];
  readonly to: readonly FlowStep[];
}

export interface DataFlow {
  readonly target: Target;
  readonly flows: readonly FlowOf[];
  /** More is to be said than the answer holds. */
  readonly isCut: boolean;
  readonly sources: readonly FlowStep[];
  readonly sinks: readonly FlowStep[];
  readonly doubt: Doubt;
}

export interface DataFlowOptions {
  /** Functions that a value is followed into, one after the other; 3 when not said. */
  readonly depth?: number | undefined;
  /** Names that count as sources and sinks beside the usual ones. */
  readonly sources?: readonly string[] | undefined;
  readonly sinks?: readonly string[] | undefined;
}

const DEFAULT_DEPTH = 3;
/** Members of a class that are followed. */
const MOST_MEMBERS = 12;

/**
 * How values come to a symbol and go on from it: of a function its parameters and its result, of a variable or a field what is written to it and
 * who reads it, of a class its fields and its constructor's parameters; through assignments, arguments, results and fields, across functions.
 */
export function dataFlowOf(
  asked: AskableGraph,
  target: Target,
  { depth = DEFAULT_DEPTH, sources = [], sinks = [] }: DataFlowOptions = {},
): DataFlow {
  const endpoints: Endpoints = {
    sources: [...USUAL_ENDPOINTS.sources, ...sources],
    sinks: [...USUAL_ENDPOINTS.sinks, ...sinks],
  };
  const tracer = createTracer(asked, endpoints, depth);
  const flows = startsOf(asked, target).flatMap((symbol) => flowsOf(tracer, symbol));
  const steps = flows.flatMap(({ from, to }) => [...from, ...to]).flatMap(allSteps);
  return {
    target,
    flows,
    isCut: tracer.isFull(),
    sources: steps.filter(({ endpoint }) => endpoint === "source"),
    sinks: steps.filter(({ endpoint }) => endpoint === "sink"),
    doubt: doubtAbout(asked, [target.main.name]),
  };
}

/** The functions, fields and variables that a question about a symbol is about. */
function startsOf({ graph, relations }: AskableGraph, { main, ids }: Target): readonly GraphSymbol[] {
  if (main.kind !== "class" && main.kind !== "interface" && main.kind !== "object" && main.kind !== "module") return [main];
  const members = ids.flatMap((id) => [...relations.members.of(id)]).flatMap((id) => graph.symbols[id] ?? []);
  const values = members.filter(({ kind }) => kind === "field" || kind === "variable");
  const functions = members.filter(({ kind }) => kind === "method" || kind === "function");
  return [...values, ...functions].slice(0, MOST_MEMBERS);
}

/** Each direction is a walk of its own. */
function walks(tracer: Tracer, back: (at: MutableStep[]) => void, on: (at: MutableStep[]) => void): Pick<FlowOf, "from" | "to"> {
  const [from, to]: [MutableStep[], MutableStep[]] = [[], []];
  tracer.restart();
  back(from);
  tracer.restart();
  on(to);
  return { from, to };
}

function flowsOf(tracer: Tracer, symbol: GraphSymbol): readonly FlowOf[] {
  const file = tracer.file(symbol.path);
  if (file === undefined) return [];
  const isFunction = symbol.kind === "function" || symbol.kind === "method";
  const { path, line } = symbol;
  if (!isFunction) {
    const both = walks(
      tracer,
      (at) => traceSymbol(tracer, symbol, at),
      (at) => followSymbol(tracer, symbol, at),
    );
    return [{ of: `${symbol.kind} ${symbol.qualified}`, path, line, ...both }];
  }
  const flows = parametersOf(file, symbol).map((binding): FlowOf => {
    const parameter = file.facts.bindings[binding];
    const both = walks(
      tracer,
      (at) => traceBinding(tracer, file, binding, at),
      (at) => followBinding(tracer, file, binding, at),
    );
    return { of: `parameter ${parameter?.name ?? ""} of ${symbol.qualified}`, path, line: parameter?.line ?? line, ...both };
  });
  const result = walks(
    tracer,
    (at) => traceResult(tracer, symbol, at),
    (at) => followResult(tracer, symbol, at),
  );
  return [...flows, { of: `result of ${symbol.qualified}`, path, line, ...result }];
}

function allSteps(step: FlowStep): readonly FlowStep[] {
  return [step, ...step.next.flatMap(allSteps)];
}
