import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { buildGraph } from "../src/graph/build-graph.ts";
import type { CodeGraph, GraphSymbol, SourceFile } from "../src/graph/graph.ts";

/**
 * How well the graph resolves calls: `node scripts/measure-graph.ts FOLDER TRUTH.json`. The truth is a list of places where a
 * name is used, each with the places that declare it (none for what lies outside): from an indexer that knows the language,
 * or checked by hand. Counted are call sites, by what kind of declaration they lead to; calls of a function that a parameter or a
 * variable holds stand apart, since the truth names the holder there. A place that leads into the repository and that the graph sees no
 * call at is missed. SALLYPORT_MEASURE_SHOW=20 lists as many of the failures of each kind.
 */
interface Site {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly kind: "function" | "method" | "constructor" | "local";
  readonly targets: readonly { readonly path: string; readonly line: number }[];
}

interface Score {
  right: number;
  wrong: number;
  missed: number;
  byName: number;
  readonly failures: string[];
}

const [folder, truthFile] = process.argv.slice(2);
if (folder === undefined || truthFile === undefined) {
  process.stderr.write("usage: node scripts/measure-graph.ts FOLDER TRUTH.json\n");
  process.exit(2);
}
const started = process.cpuUsage();
const { graph } = await buildGraph({ files: filesIn(folder, folder) });
const spent = process.cpuUsage(started);
const scores = score(graph, JSON.parse(readFileSync(truthFile, "utf8")) as Site[]);
process.stdout.write(
  `${graph.files.length} files, ${graph.symbols.length} symbols, ${((spent.user + spent.system) / 1e6).toFixed(2)} s of processor time\n`,
);
const shown = Number(process.env["SALLYPORT_MEASURE_SHOW"] ?? 0);
for (const [kind, { right, wrong, missed, byName, failures }] of scores) {
  const precision = right / (right + wrong);
  const recall = right / (right + missed);
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  process.stdout.write(
    `${kind}: precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)} (${right} right, ${wrong} wrong, ${missed} missed, ${byName} by name alone)\n`,
  );
  for (const failure of failures.slice(0, shown)) process.stdout.write(`  ${failure}\n`);
}

function filesIn(top: string, at: string): SourceFile[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return entry.name === ".git" || entry.name === "node_modules" ? [] : filesIn(top, path);
    return entry.isFile() ? [{ path: relative(top, path), blob: path, size: statSync(path).size, bytes: () => readFileSync(path) }] : [];
  });
}

function score(found: CodeGraph, truth: readonly Site[]): Map<string, Score> {
  const sites = Map.groupBy(truth, ({ path, line, name }) => `${path}:${line}:${name}`);
  const results = new Map<string, Score>();
  const seen = new Set<string>();
  const resultOf = (kind: string): Score => {
    const result = results.get(kind) ?? { right: 0, wrong: 0, missed: 0, byName: 0, failures: [] };
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
  if (targets.some(({ confidence }) => confidence === "by-name")) result.byName += 1;
  const isRight = symbols.some((symbol) => wanted.some(({ path, line }) => path === symbol.path && line === symbol.line));
  if (isRight) result.right += 1;
  else {
    if (symbols.length > 0) result.wrong += 1;
    if (wanted.length > 0) result.missed += 1;
    if (symbols.length > 0 || wanted.length > 0)
      result.failures.push(
        `${key} is ${wanted.map(placed).join() || "outside"}, the graph says ${symbols.map(placed).join() || "nothing"}`,
      );
  }
}

function placed({ path, line }: { readonly path: string; readonly line: number }): string {
  return `${path}:${line}`;
}

/** An indexer may name the constructor where the class is called. */
function makersOf(found: CodeGraph, symbol: GraphSymbol): readonly GraphSymbol[] {
  if (symbol.kind !== "class") return [];
  return found.symbolsOf(symbol.path).filter(({ parent, name }) => parent === symbol.id && ["constructor", "__init__"].includes(name));
}
