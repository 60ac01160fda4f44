import type { NotIndexed } from "./facts.ts";
import type { CodeGraph, FileRole, GraphEdge, GraphFile, GraphSymbol } from "./graph.ts";
import { canonical } from "./link/canonical.ts";
import { confidenceOf, eachEdge, edgeCount, kindOf, NO_EDGES, targetsOfCall } from "./link/edges.ts";
import type { UnitLinks } from "./link/edges.ts";
import type { TabledUnit } from "./link/unit-tables.ts";
import type { Target, World } from "./link/world.ts";

/** The symbols of one file, numbered from `start` on. */
export interface NumberedUnit {
  readonly unit: TabledUnit;
  readonly start: number;
  readonly symbols: readonly GraphSymbol[];
  /** By declaration: its symbol's id; hidden ones share that of what is around them. */
  readonly ids: Int32Array;
}

/** What a graph is put together from; all by the same numbers of files. */
export interface Parts {
  readonly units: readonly (TabledUnit | undefined)[];
  readonly blobs: readonly string[];
  readonly roles: readonly FileRole[];
  readonly links: readonly (UnitLinks | undefined)[];
  readonly world: World;
  /** Of the state before; brought up to this one. What did not change is taken over. */
  readonly numbered: (NumberedUnit | undefined)[];
  readonly notIndexed: readonly NotIndexed[];
}

/** Numbers the symbols of all files and lays the edges out in compressed sparse rows, in both directions. */
export function assembleGraph(parts: Parts): CodeGraph {
  const { units, world } = parts;
  const symbols: GraphSymbol[] = [];
  const files: GraphFile[] = [];
  const ids: (Int32Array | undefined)[] = [];
  const byPath = new Map<string, number>();
  for (const unit of units) {
    if (unit === undefined) continue;
    byPath.set(unit.path, unit.index);
    const numbered = numberedFrom(parts.numbered[unit.index], unit, symbols.length);
    parts.numbered[unit.index] = numbered;
    ids[unit.index] = numbered.ids;
    for (const symbol of numbered.symbols) symbols.push(symbol);
    const { syntaxErrors } = unit.facts;
    files.push({
      path: unit.path,
      blob: parts.blobs[unit.index] ?? "",
      language: unit.facts.language,
      role: parts.roles[unit.index] ?? "source",
      module: ids[unit.index]?.[0] ?? 0,
      lines: unit.facts.lines,
      ...(syntaxErrors === undefined ? {} : { syntaxErrors }),
    });
  }
  const rows = layOut(parts.links, ids, symbols.length);
  const fileOf = new Map(files.map((file) => [file.path, file]));
  const unitOf = (path: string): TabledUnit | undefined => {
    const index = byPath.get(path);
    return index === undefined ? undefined : units[index];
  };
  const links = parts.links.filter((each) => each !== undefined);
  const idOf = ({ declared }: Target): number | undefined => {
    const to = canonical(world, declared);
    return ids[to.unit.index]?.[to.index];
  };

  function edge(at: number): GraphEdge {
    const from = rows.from[at] ?? 0;
    return {
      from,
      to: rows.to[at] ?? 0,
      kind: kindOf(rows.marks[at] ?? 0),
      confidence: confidenceOf(rows.marks[at] ?? 0),
      path: symbols[from]?.path ?? "",
      line: rows.lines[at] ?? 0,
    };
  }

  return {
    symbols,
    files,
    notIndexed: parts.notIndexed,
    unresolved: {
      calls: links.reduce((sum, each) => sum + each.calls, 0),
      external: links.reduce((sum, each) => sum + each.external, 0),
      unknown: links.reduce((sum, each) => sum + each.unknown.length, 0),
    },
    edgesFrom: (id) => slice(rows.outStarts, id).map((at) => edge(at)),
    edgesTo: (id) => slice(rows.inStarts, id).map((at) => edge(rows.incoming[at] ?? 0)),
    file: (path) => fileOf.get(path),
    symbolsOf: (path) => {
      const own = unitOf(path) === undefined ? undefined : ids[unitOf(path)?.index ?? 0];
      return own === undefined
        ? []
        : [...new Set(own)].toSorted((a, b) => a - b).flatMap((id) => (symbols[id] === undefined ? [] : [symbols[id]]));
    },
    factsOf: (path) => unitOf(path)?.facts,
    symbolOfFact: (path, fact) => ids[unitOf(path)?.index ?? -1]?.[fact],
    targetsOf: (path, expression) => {
      const unit = unitOf(path);
      const fact = unit?.facts.expressions[expression];
      if (unit === undefined || fact === undefined) return [];
      const targets = fact.k === "call" ? targetsOfCall(world, unit, fact) : world.resolve(unit, expression).targets;
      return targets.flatMap((target) => {
        const id = idOf(target);
        return id === undefined ? [] : [{ id, confidence: target.confidence }];
      });
    },
    unresolvedOf: (path) => parts.links[unitOf(path)?.index ?? -1]?.unknown ?? [],
  };
}

function numberedFrom(before: NumberedUnit | undefined, unit: TabledUnit, start: number): NumberedUnit {
  if (before?.unit !== unit) return numberSymbols(unit, start);
  if (before.start === start) return before;
  const step = start - before.start;
  return {
    unit,
    start,
    symbols: before.symbols.map((symbol) => ({
      ...symbol,
      id: symbol.id + step,
      parent: symbol.parent === undefined ? undefined : symbol.parent + step,
    })),
    ids: before.ids.map((id) => id + step),
  };
}

/** Gives each visible declaration an id; hidden ones share that of what is around them. */
function numberSymbols(unit: TabledUnit, start: number): NumberedUnit {
  const { facts } = unit;
  const symbols: GraphSymbol[] = [];
  const ids = new Int32Array(facts.symbols.length);
  const names: string[] = [];
  facts.symbols.forEach((fact, index) => {
    const around = facts.symbols[fact.parent];
    const outer = around === undefined || fact.parent === 0 ? "" : (names[fact.parent] ?? "");
    const name = index === 0 ? "" : fact.name;
    names[index] = outer === "" || name === "" ? outer + name : `${outer}.${name}`;
    const parent = index === 0 ? undefined : ids[fact.parent];
    if (index > 0 && (fact.hidden === true || fact.name === "" || isSignatureOnly(unit, index))) {
      ids[index] = parent ?? ids[0] ?? 0;
      return;
    }
    const id = start + symbols.length;
    ids[index] = id;
    const own = index === 0 ? unit.path : fact.name;
    symbols.push({
      id,
      name: index === 0 ? (unit.path.split("/").at(-1) ?? unit.path) : own,
      qualified: index === 0 ? unit.path : (names[index] ?? own),
      kind: fact.kind,
      path: unit.path,
      line: fact.line,
      endLine: fact.endLine,
      isExported: index === 0 || isPublic(unit, index),
      isTest: unit.isTest,
      parent,
      fact: index,
    });
  });
  return { unit, start, symbols, ids };
}

/** A signature beside the body that it belongs to is not shown for itself. */
function isSignatureOnly(unit: TabledUnit, index: number): boolean {
  const fact = unit.facts.symbols[index];
  if (fact === undefined || fact.isAbstract !== true || (fact.kind !== "function" && fact.kind !== "method")) return false;
  return unit.tables.children(fact.parent, fact.name).some(({ fact: other }) => other.isAbstract !== true && other.kind === fact.kind);
}

function isPublic(unit: TabledUnit, index: number): boolean {
  const { facts } = unit;
  const fact = facts.symbols[index];
  if (fact === undefined || fact.name.startsWith("#")) return false;
  if (fact.exported === true) return true;
  if (fact.parent === 0) return facts.exports.some((each) => each.local === fact.name && each.module === undefined);
  const around = facts.symbols[fact.parent];
  return (
    around !== undefined &&
    ["class", "interface", "enum", "object"].includes(around.kind) &&
    around.hidden !== true &&
    fact.kind !== "variable" &&
    isPublic(unit, fact.parent)
  );
}

interface Rows {
  readonly outStarts: Int32Array;
  readonly inStarts: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly lines: Int32Array;
  readonly marks: Uint8Array;
  readonly incoming: Int32Array;
}

function layOut(links: readonly (UnitLinks | undefined)[], ids: readonly (Int32Array | undefined)[], count: number): Rows {
  const total = links.reduce((sum, each) => sum + edgeCount(each?.edges ?? NO_EDGES), 0);
  const unordered = { from: new Int32Array(total), to: new Int32Array(total), lines: new Int32Array(total), marks: new Uint8Array(total) };
  let size = 0;
  links.forEach((each, unit) => {
    eachEdge(each?.edges ?? NO_EDGES, (link) => {
      const from = ids[unit]?.[link.from];
      const to = ids[link.unit]?.[link.to];
      if (from === undefined || to === undefined || (from === to && kindOf(link.mark) !== "call")) return;
      unordered.from[size] = from;
      unordered.to[size] = to;
      unordered.lines[size] = link.line;
      unordered.marks[size] = link.mark;
      size += 1;
    });
  });
  const out = sortInto(unordered.from.subarray(0, size), count);
  const pick = <Row extends Int32Array | Uint8Array>(source: Row, picked: Row): Row => {
    for (let at = 0; at < size; at += 1) picked[at] = source[out.order[at] ?? 0] ?? 0;
    return picked;
  };
  const to = pick(unordered.to, new Int32Array(size));
  const incoming = sortInto(to, count);
  return {
    outStarts: out.starts,
    inStarts: incoming.starts,
    from: pick(unordered.from, new Int32Array(size)),
    to,
    lines: pick(unordered.lines, new Int32Array(size)),
    marks: pick(unordered.marks, new Uint8Array(size)),
    incoming: incoming.order,
  };
}

/** Counting sort: positions ordered by key, and where each key's positions begin. */
function sortInto(keys: Int32Array, count: number): { starts: Int32Array; order: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < count; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(keys.length);
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? 0;
    const position = next[key] ?? 0;
    order[position] = at;
    next[key] = position + 1;
  }
  return { starts, order };
}

function slice(starts: Int32Array, id: number): number[] {
  const [from, to] = [starts[id], starts[id + 1]];
  return from === undefined || to === undefined ? [] : Array.from({ length: to - from }, (_, at) => from + at);
}
