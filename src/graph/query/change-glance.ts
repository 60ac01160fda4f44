import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { changedSymbols, type ChangedText, type OwnText } from "./change-reach.ts";
import { isTestSymbol } from "./places.ts";
import { createReach, withMembers, type Reach } from "./reach.ts";

/** A symbol that others may use, and that a change touches: who uses it, tests aside, and which tests come to it, through others as well. */
export interface TouchedSymbol {
  readonly symbol: GraphSymbol;
  readonly how: "added" | "changed" | "removed";
  /** Who uses it directly; the first `MOST_NAMED` of `callerCount`. */
  readonly callers: readonly GraphSymbol[];
  readonly callerCount: number;
  /** Files of all callers. */
  readonly callerFiles: number;
  /** The first `MOST_NAMED` of `testCount`. */
  readonly tests: readonly GraphSymbol[];
  readonly testCount: number;
}

/** How far a change reaches, to be taken in at a glance. */
export interface ChangeGlance {
  /** The first `MOST_SYMBOLS` of `count`, most used first. */
  readonly symbols: readonly TouchedSymbol[];
  /** Exported symbols that the change touches, tests aside. */
  readonly count: number;
}

/** Symbols that are looked at, and callers and tests of each that are named. */
const MOST_SYMBOLS = 60;
const MOST_NAMED = 5;

const SHOWN: readonly GraphSymbol["kind"][] = ["class", "interface", "enum", "type", "function", "method", "variable", "object"];

/** Undefined when a file of the change could not be indexed at the base: what used it then is not known. */
export function glanceAtChange(before: AskableGraph, after: AskableGraph, changes: readonly ChangedText[]): ChangeGlance | undefined {
  const found = changedSymbols(before, after, changes);
  if (found === undefined) return undefined;
  const known = new Set(found.old.map(({ key }) => key));
  const stays = new Set(found.fresh.map(({ key }) => key));
  const removed = publicOnes(before, found.old).filter(({ key }) => !stays.has(key));
  const present = publicOnes(after, found.fresh);
  const removedReach = createReach(before.relations, before.graph.symbols.length);
  const presentReach = createReach(after.relations, after.graph.symbols.length);
  const looked = [
    ...removed.slice(0, MOST_SYMBOLS).map(({ symbol }) => touched(before, removedReach, symbol, "removed")),
    ...present.slice(0, MOST_SYMBOLS).map(({ symbol, key }) => touched(after, presentReach, symbol, known.has(key) ? "changed" : "added")),
  ];
  return {
    symbols: looked.toSorted((a, b) => b.callerCount - a.callerCount || a.testCount - b.testCount).slice(0, MOST_SYMBOLS),
    count: removed.length + present.length,
  };
}

function publicOnes(asked: AskableGraph, texts: readonly OwnText[]): readonly OwnText[] {
  return texts.filter(({ symbol }) => symbol.isExported && SHOWN.includes(symbol.kind) && !isTestSymbol(asked, symbol));
}

function touched(asked: AskableGraph, reach: Reach, symbol: GraphSymbol, how: TouchedSymbol["how"]): TouchedSymbol {
  const found = reach(withMembers(asked.relations, [symbol.id])).flatMap(({ id, depth }) => {
    const one = asked.graph.symbols[id];
    return one === undefined ? [] : [{ symbol: one, depth }];
  });
  const callers = found.filter((one) => one.depth === 1 && !isTestSymbol(asked, one.symbol)).map((one) => one.symbol);
  const tests = found.filter((one) => isTestSymbol(asked, one.symbol)).map((one) => one.symbol);
  return {
    symbol,
    how,
    callers: callers.slice(0, MOST_NAMED),
    callerCount: callers.length,
    callerFiles: new Set(callers.map(({ path }) => path)).size,
    tests: tests.slice(0, MOST_NAMED),
    testCount: tests.length,
  };
}
