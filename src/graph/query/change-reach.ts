import { createHash } from "node:crypto";
import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { isTestSymbol } from "./places.ts";
import { createReach } from "./reach.ts";

/** A changed file: its text at the base and after the change, where it has one. */
export interface ChangedText {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface ChangeReach {
  /** Symbols outside of the change, tests aside, that depend on what it changes, directly or through others. */
  readonly reached: number;
  /** Changed symbols that no test reaches, by their qualified names. */
  readonly untested: readonly string[];
  readonly changed: readonly GraphSymbol[];
}

const MOST_UNTESTED = 50;

/**
 * How far a change reaches: of what it changes or removes, by the graph of its base, of what it changes or adds, by the graph after it. Undefined
 * when a file of it could not be indexed at the base: what used it then is not known.
 */
export function reachOfChange(before: AskableGraph, after: AskableGraph, changes: readonly ChangedText[]): ChangeReach | undefined {
  const found = changedSymbols(before, after, changes);
  if (found === undefined) return undefined;
  const { old: changedOld, fresh: changedNew } = found;
  const changedKeys = new Set([...changedOld, ...changedNew].map(({ key }) => key));
  const reached = new Set([...reachedKeys(before, changedOld), ...reachedKeys(after, changedNew)]);
  for (const key of changedKeys) reached.delete(key);
  const changed = changedNew.map(({ symbol }) => symbol);
  return { reached: reached.size, untested: untestedOf(after, changed), changed };
}

/** What a change changes or removes, in the graph of its base, and what it changes or adds, in the graph after it. */
export interface ChangedSymbols {
  readonly old: readonly OwnText[];
  readonly fresh: readonly OwnText[];
}

/** Undefined when a file of the change could not be indexed at the base: what used it then is not known. */
export function changedSymbols(before: AskableGraph, after: AskableGraph, changes: readonly ChangedText[]): ChangedSymbols | undefined {
  const paths = new Set(changes.map(({ path }) => path));
  if (before.graph.notIndexed.some(({ path }) => paths.has(path))) return undefined;
  const old = changes.flatMap(({ path, before: text }) => ownTexts(before, path, text));
  const fresh = changes.flatMap(({ path, after: text }) => ownTexts(after, path, text));
  const texts = new Map(old.map(({ key, text }) => [key, text]));
  const freshTexts = new Map(fresh.map(({ key, text }) => [key, text]));
  return {
    old: old.filter(({ key, text }) => freshTexts.get(key) !== text),
    fresh: fresh.filter(({ key, text }) => texts.get(key) !== text),
  };
}

export interface OwnText {
  /** The same symbol has the same one in both graphs. */
  readonly key: string;
  readonly symbol: GraphSymbol;
  /** A hash of what stands in it and in nothing declared in it. */
  readonly text: string;
}

/** Each symbol of a file with its own lines: a method's change is no change of its class. */
function ownTexts({ graph, relations }: AskableGraph, path: string, text: string | undefined): readonly OwnText[] {
  if (text === undefined) return [];
  const lines = text.split(/\r?\n/);
  const counts = new Map<string, number>();
  return graph.symbolsOf(path).map((symbol) => {
    const nth = counts.get(symbol.qualified) ?? 0;
    counts.set(symbol.qualified, nth + 1);
    const inner = [...relations.members.of(symbol.id)].flatMap((id) => graph.symbols[id] ?? []);
    const own = createHash("sha1");
    for (let line = symbol.line; line <= symbol.endLine; line++) {
      // A one-line function shares its line with what is declared in it.
      const isInner = inner.some((one) => line >= one.line && line <= one.endLine && (one.line > symbol.line || symbol.kind === "module"));
      if (!isInner) own.update(`${(lines[line - 1] ?? "").trimEnd()}\n`);
    }
    return { key: keyOf(symbol, nth), symbol, text: own.digest("hex") };
  });
}

/** A symbol in two graphs; a file's own symbol counts by its path. */
const keyOf = ({ path, qualified }: GraphSymbol, nth: number): string => `${path}\0${qualified}\0${nth}`;

function reachedKeys(asked: AskableGraph, changed: readonly OwnText[]): readonly string[] {
  const { graph, relations } = asked;
  const reached = createReach(relations, graph.symbols.length)(changed.map(({ symbol }) => symbol.id));
  const wanted = new Set(reached.map(({ id }) => id));
  const counts = new Map<string, number>();
  const keys: string[] = [];
  for (const symbol of graph.symbols) {
    const name = `${symbol.path}\0${symbol.qualified}`;
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    if (wanted.has(symbol.id) && !isTestSymbol(asked, symbol)) keys.push(keyOf(symbol, nth));
  }
  return keys;
}

function untestedOf(asked: AskableGraph, changed: readonly GraphSymbol[]): readonly string[] {
  const { graph, relations } = asked;
  const reach = createReach(relations, graph.symbols.length);
  const isCode = (symbol: GraphSymbol): boolean =>
    (symbol.kind === "function" || symbol.kind === "method" || symbol.kind === "class") && !isTestSymbol(asked, symbol);
  const untested: string[] = [];
  for (const symbol of changed.filter(isCode)) {
    if (untested.length >= MOST_UNTESTED) break;
    const isTested = reach([symbol.id]).some(({ id }) => isTestSymbol(asked, graph.symbols[id] as GraphSymbol));
    if (!isTested) untested.push(symbol.qualified);
  }
  return untested;
}
