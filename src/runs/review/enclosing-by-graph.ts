import type { GraphSymbol } from "../../graph/graph.ts";
import type { AskableGraph } from "../../graph/query/askable.ts";
import { enclosing, type Enclosing } from "../../review/read/enclosing.ts";
import type { FindEnclosing } from "../../review/read/head-hunks.ts";

/** Declarations that are told: the innermost. */
const MOST = 4;

/**
 * The declarations around a line as the code graph knows them, whatever the code is formatted like. Beside them the light rules have their say,
 * since a test case is no declaration: but of what the graph has seen end above the line they are wrong.
 */
export function enclosingBy({ graph }: Pick<AskableGraph, "graph">): FindEnclosing {
  return (path, lines, line) => {
    const guessed = enclosing(path, lines, line);
    const symbols = graph.symbolsOf(path).filter(({ kind }) => kind !== "module");
    if (symbols.length === 0) return guessed;
    const around = symbols.filter((symbol) => symbol.line < line && line <= symbol.endLine);
    const begin = new Set(symbols.map((symbol) => symbol.line));
    const others = (guessed ?? []).filter((one) => !begin.has(one.line));
    const found = new Map([...others, ...around.map((symbol) => headOf(symbol, lines))].map((one) => [one.line, one]));
    return [...found.values()].toSorted((a, b) => a.line - b.line).slice(-MOST);
  };
}

/** A declaration by its line; by kind and name where that line is something before it, such as a decorator. */
function headOf({ line, name, kind }: GraphSymbol, lines: readonly string[]): Enclosing {
  const text = lines[line - 1]?.trim() ?? "";
  return { line, text: text.includes(name) ? text : `${kind} ${name}` };
}
