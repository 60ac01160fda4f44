import type { CodeGraph, GraphSymbol } from "../src/graph/graph.ts";

/** A place where something is called by a name, and the places that declare it: none for what lies outside the repository. */
export interface Site {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** What is called; `held` is a function that a parameter or a variable holds, `local` is not counted. */
  readonly kind: "function" | "method" | "constructor" | "held" | "local";
  readonly targets: readonly { readonly path: string; readonly line: number }[];
}

/** How often the graph was right about calls of one kind. What only the name speaks for is counted apart, and as missed among the others. */
export interface Score {
  right: number;
  wrong: number;
  missed: number;
  readonly byName: { right: number; wrong: number };
  readonly failures: string[];
}

/** Precision, recall and their harmonic mean, with or without the edges that only a name speaks for. */
export function rates({ right, wrong, missed, byName }: Score, withByName = false): { precision: number; recall: number; f1: number } {
  const more = withByName ? byName : { right: 0, wrong: 0 };
  const [hits, slips, gaps] = [right + more.right, wrong + more.wrong, missed - more.right];
  const [precision, recall] = [hits / (hits + slips), hits / (hits + gaps)];
  return { precision, recall, f1: hits === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** Compares what the graph says of calls with the truth, by kinds of what is called. */
export function scoreCalls(found: CodeGraph, truth: readonly Site[]): Map<string, Score> {
  const sites = Map.groupBy(truth, ({ path, line, name }) => `${path}:${line}:${name}`);
  const results = new Map<string, Score>();
  const seen = new Set<string>();
  const resultOf = (kind: string): Score => {
    const result = results.get(kind) ?? { right: 0, wrong: 0, missed: 0, byName: { right: 0, wrong: 0 }, failures: [] };
    results.set(kind, result);
    return result;
  };
  for (const { path } of found.files) {
    const facts = found.factsOf(path);
    facts?.expressions.forEach((fact, index) => {
      if (fact.k !== "call" || fact.how === "jsx" || fact.how === "decorator") return;
      const callee = facts.expressions[fact.callee];
      const key = callee?.k === "name" || callee?.k === "member" ? `${path}:${fact.line}:${callee.name}` : "";
      const known = sites.get(key);
      seen.add(key);
      const places = known?.filter(({ kind }) => kind !== "local") ?? [];
      const [first] = places;
      if (first === undefined) return;
      count(
        found,
        resultOf(isHeld(found, places) ? "held" : first.kind),
        key,
        places.flatMap(({ targets }) => targets),
        found.targetsOf(path, index),
      );
    });
  }
  for (const [key, places] of sites) {
    const [first] = places;
    if (first === undefined || seen.has(key) || first.kind === "local" || first.targets.length === 0) continue;
    if (found.file(first.path) === undefined) continue;
    const result = resultOf(isHeld(found, places) ? "held" : first.kind);
    result.missed += places.length;
    result.failures.push(`${key} is not seen as a call`);
  }
  return results;
}

/** Whether the truth names parameters and variables, nothing that is declared as a function. */
function isHeld(found: CodeGraph, places: readonly Site[]): boolean {
  const targets = places.flatMap(({ name, targets: all }) => all.map((target) => ({ ...target, name })));
  return (
    targets.length > 0 &&
    targets.every(({ path, line, name }) => {
      const here = found.factsOf(path)?.bindings.filter((each) => each.name === name && each.line === line) ?? [];
      const isDeclared = found.symbolsOf(path).some((each) => each.line === line && each.name === name);
      return !isDeclared && here.length > 0 && here.every(({ kind }) => kind === "parameter" || kind === "variable");
    })
  );
}

function count(found: CodeGraph, result: Score, key: string, wanted: Site["targets"], targets: ReturnType<CodeGraph["targetsOf"]>): void {
  const symbols = targets.flatMap(({ id }) => {
    const symbol = found.symbols[id];
    return symbol === undefined ? [] : [symbol, ...makersOf(found, symbol)];
  });
  const isByName = targets.length > 0 && targets.every(({ confidence }) => confidence === "by-name");
  const isRight = symbols.some((symbol) => wanted.some(({ path, line }) => path === symbol.path && line === symbol.line));
  const tier = isByName ? result.byName : result;
  if (isRight) tier.right += 1;
  else if (symbols.length > 0) tier.wrong += 1;
  if (wanted.length > 0 && (!isRight || isByName)) result.missed += 1;
  if (!isRight && (symbols.length > 0 || wanted.length > 0))
    result.failures.push(`${key} is ${wanted.map(placed).join() || "outside"}, the graph says ${symbols.map(placed).join() || "nothing"}`);
}

function placed({ path, line }: { readonly path: string; readonly line: number }): string {
  return `${path}:${line}`;
}

/** An indexer may name the constructor where the class is called. */
function makersOf(found: CodeGraph, symbol: GraphSymbol): readonly GraphSymbol[] {
  if (symbol.kind !== "class") return [];
  return found.symbolsOf(symbol.path).filter(({ parent, name }) => parent === symbol.id && ["constructor", "__init__"].includes(name));
}
