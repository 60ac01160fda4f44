import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { buildGraph } from "../src/graph/build-graph.ts";
import type { CodeGraph, GraphSymbol, SourceFile } from "../src/graph/graph.ts";

/**
 * How well the graph resolves calls: `node scripts/measure-graph.ts FOLDER TRUTH.json`. The truth is a list of places where a
 * name is used, each with the places that declare it (none for what lies outside): from an indexer that knows the language,
 * or checked by hand. Counted are call sites, by what kind of declaration they lead to; calls of a function that a parameter or a
 * variable holds stand apart, since the truth names the holder there.
 */
interface Site {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly kind: "function" | "method" | "local";
  readonly targets: readonly { readonly path: string; readonly line: number }[];
}

interface Score {
  right: number;
  wrong: number;
  missed: number;
  byName: number;
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
for (const [kind, { right, wrong, missed, byName }] of scores) {
  const precision = right / (right + wrong);
  const recall = right / (right + missed);
  const f1 = right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  process.stdout.write(
    `${kind}: precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(3)} (${right} right, ${wrong} wrong, ${missed} missed, ${byName} by name alone)\n`,
  );
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
  for (const { path } of found.files) {
    const facts = found.factsOf(path);
    facts?.expressions.forEach((fact, index) => {
      if (fact.k !== "call" || fact.how === "jsx" || fact.how === "decorator") return;
      const callee = facts.expressions[fact.callee];
      const known = callee?.k === "name" || callee?.k === "member" ? sites.get(`${path}:${fact.line}:${callee.name}`) : undefined;
      const places = known?.filter(({ kind }) => kind !== "local") ?? [];
      const [first] = places;
      if (first === undefined) return;
      const kind = isHeld(found, places) ? "held" : first.kind;
      const result = results.get(kind) ?? { right: 0, wrong: 0, missed: 0, byName: 0 };
      results.set(kind, result);
      count(
        found,
        result,
        places.flatMap(({ targets }) => targets),
        found.targetsOf(path, index),
      );
    });
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
      return here.length > 0 && here.every(({ kind }) => kind === "parameter" || kind === "variable");
    })
  );
}

function count(found: CodeGraph, result: Score, wanted: Site["targets"], targets: ReturnType<CodeGraph["targetsOf"]>): void {
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
  }
}

/** An indexer may name the constructor where the class is called. */
function makersOf(found: CodeGraph, symbol: GraphSymbol): readonly GraphSymbol[] {
  if (symbol.kind !== "class") return [];
  return found.symbolsOf(symbol.path).filter(({ parent, name }) => parent === symbol.id && ["constructor", "__init__"].includes(name));
}
