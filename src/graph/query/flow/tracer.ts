import type { Confidence, GraphSymbol } from "../../graph.ts";
import type { AskableGraph } from "../askable.ts";
import { basesOf, overridesOf } from "../places.ts";
import type { Endpoints } from "./endpoints.ts";
import { indexFlow, type FileFlow } from "./file-flow.ts";

/** One step of a value on its way. */
export interface FlowStep {
  readonly path: string;
  readonly line: number;
  readonly kind: "variable" | "argument" | "returned" | "result" | "field" | "given" | "outside" | "value";
  /** What happens, in words: `wanted = request.name.trim()`. */
  readonly says: string;
  readonly confidence: Confidence;
  readonly endpoint?: "source" | "sink";
  readonly next: readonly FlowStep[];
}

export interface MutableStep extends Omit<FlowStep, "next"> {
  readonly next: MutableStep[];
}

/** What the two directions share: the files that were indexed, and the bounds of one question. */
export interface Tracer {
  readonly asked: AskableGraph;
  readonly endpoints: Endpoints;
  /** Function boundaries that a value is followed across. */
  readonly depth: number;
  file(path: string): FileFlow | undefined;
  /** A new step below another one; undefined when the answer is full. */
  step(at: MutableStep[], step: Omit<FlowStep, "next">): MutableStep | undefined;
  /** Whether this point was not looked at before. */
  enter(point: string): boolean;
  readonly isFull: () => boolean;
  /** Begins another walk: what the last one looked at may be looked at again. */
  restart(): void;
  /** What a call runs: functions with parameters, a class's constructor in its place, and what overrides them. */
  calledBy(file: FileFlow, call: number): readonly { readonly symbol: GraphSymbol; readonly confidence: Confidence }[];
  /** The calls of a function, by itself and by its bases. */
  callsOf(symbol: GraphSymbol): readonly { readonly file: FileFlow; readonly call: number; readonly confidence: Confidence }[];
  /** The expressions that mean a symbol where it is named, those that write it apart. */
  namesOf(symbol: GraphSymbol): readonly NamedAt[];
}

export interface NamedAt {
  readonly file: FileFlow;
  readonly expression: number;
  readonly confidence: Confidence;
  /** The value that is written to it there. */
  readonly written: number | undefined;
}

/** Steps of one answer. */
const MOST_STEPS = 200;
/** Calls of one function that are followed. */
const MOST_CALLS = 20;

export function createTracer(asked: AskableGraph, endpoints: Endpoints, depth: number): Tracer {
  const files = new Map<string, FileFlow | undefined>();
  const entered = new Set<string>();
  let steps = 0;
  const { graph } = asked;
  const file = (path: string): FileFlow | undefined => {
    if (!files.has(path)) {
      const facts = graph.factsOf(path);
      files.set(path, facts === undefined ? undefined : indexFlow(path, facts));
    }
    return files.get(path);
  };
  return {
    asked,
    endpoints,
    depth,
    file,
    step(at, step) {
      if (steps >= MOST_STEPS) return undefined;
      steps++;
      const made: MutableStep = { ...step, next: [] };
      at.push(made);
      return made;
    },
    enter(point) {
      if (entered.has(point)) return false;
      entered.add(point);
      return true;
    },
    isFull: () => steps >= MOST_STEPS,
    restart: () => entered.clear(),
    calledBy(from, call) {
      const expression = from.facts.expressions[call];
      const callee = expression?.k === "call" ? expression.callee : call;
      const own = graph.targetsOf(from.path, call);
      const found = own.length > 0 ? own : graph.targetsOf(from.path, callee);
      const runs = found.flatMap(({ id, confidence }) => {
        const ids = constructorOf(asked, id) ?? [id];
        return [...ids, ...overridesOf(asked, ids)].map((one) => ({ id: one, confidence }));
      });
      const seen = new Set<number>();
      return runs.flatMap(({ id, confidence }) => {
        const symbol = graph.symbols[id];
        if (symbol === undefined || seen.has(id)) return [];
        seen.add(id);
        return [{ symbol, confidence }];
      });
    },
    callsOf(symbol) {
      const ids = [symbol.id, ...basesOf(asked, [symbol.id])];
      const wanted = new Set(
        symbol.parent !== undefined && constructorOf(asked, symbol.parent)?.includes(symbol.id) === true ? [...ids, symbol.parent] : ids,
      );
      const calls: { file: FileFlow; call: number; confidence: Confidence }[] = [];
      const seen = new Set<string>();
      for (const id of wanted) {
        for (const { kind, path, line, confidence } of graph.edgesTo(id)) {
          if (kind !== "call" || calls.length >= MOST_CALLS) continue;
          const at = file(path);
          for (const call of at?.onLine(line) ?? []) {
            const expression = at?.facts.expressions[call];
            if (at === undefined || expression?.k !== "call" || seen.has(`${path}\0${call}`)) continue;
            const means = (one: number): boolean => graph.targetsOf(path, one).some((target) => wanted.has(target.id));
            if (!means(call) && !means(expression.callee)) continue;
            seen.add(`${path}\0${call}`);
            calls.push({ file: at, call, confidence });
          }
        }
      }
      return calls;
    },
    namesOf(symbol) {
      const found: NamedAt[] = [];
      const seen = new Set<string>();
      const places = new Map<string, Confidence>();
      for (const { kind, path, line, confidence } of graph.edgesTo(symbol.id)) {
        if (kind === "call" || kind === "reference") places.set(`${line}\0${path}`, confidence);
      }
      for (const [place, confidence] of places) {
        const at = file(place.slice(place.indexOf("\0") + 1));
        for (const expression of at?.onLine(Number.parseInt(place, 10)) ?? []) {
          const fact = at?.facts.expressions[expression];
          if (at === undefined || (fact?.k !== "name" && fact?.k !== "member") || seen.has(`${at.path}\0${expression}`)) continue;
          if (!graph.targetsOf(at.path, expression).some(({ id }) => id === symbol.id)) continue;
          seen.add(`${at.path}\0${expression}`);
          const written = at.facts.assignments.find(({ target }) => target === expression)?.value;
          found.push({ file: at, expression, confidence, written });
        }
      }
      return found;
    },
  };
}

const CONSTRUCTORS = new Set(["constructor", "__init__", "initialize", "__construct"]);

/** What runs when a class is called; undefined when the symbol is no class. A class may have a constructor that nobody wrote. */
function constructorOf({ graph, relations }: AskableGraph, id: number): readonly number[] | undefined {
  const symbol = graph.symbols[id];
  if (symbol?.kind !== "class") return undefined;
  const own = [...relations.members.of(id)].filter((member) => {
    const name = graph.symbols[member]?.name ?? "";
    return CONSTRUCTORS.has(name) || name === symbol.name;
  });
  return own.length > 0 ? own : [id];
}

const RECEIVERS = new Set(["self", "cls", "this"]);

/** The binding that the argument at `index` becomes; what languages write as the first parameter for the receiver is passed over. */
export function parameterAt(file: FileFlow, symbol: GraphSymbol, index: number): number | undefined {
  const parameters = parametersOf(file, symbol);
  const first = file.facts.bindings[parameters[0] ?? -1];
  const shift = first !== undefined && RECEIVERS.has(first.name) ? 1 : 0;
  const at = parameters[index + shift];
  if (at !== undefined) return at;
  const last = parameters.at(-1);
  return last !== undefined && file.facts.bindings[last]?.rest === true ? last : undefined;
}

/** The parameters of a function, of the one that a variable holds as well. */
export function parametersOf(file: FileFlow, { fact }: Pick<GraphSymbol, "fact">): readonly number[] {
  const symbol = functionOf(file, fact);
  return symbol?.parameters ?? [];
}

export function functionOf({ facts }: FileFlow, fact: number) {
  const symbol = facts.symbols[fact];
  const value = facts.expressions[symbol?.value ?? -1];
  return symbol?.parameters === undefined && symbol?.returns === undefined && value?.k === "symbol" ? facts.symbols[value.symbol] : symbol;
}
