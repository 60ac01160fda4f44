import type { NumberedUnit } from "../assemble.ts";
import { factsKey } from "../facts.ts";
import type { BlobFacts, FactsCache, SymbolKind } from "../facts.ts";
import type { FileRole, GraphSymbol } from "../graph.ts";
import type { UnitLinks } from "../link/edges.ts";
import { tabledUnit } from "../link/unit-tables.ts";
import { roleOf } from "../parse/languages.ts";
import { emptyState } from "../state.ts";
import type { State } from "../state.ts";

/** A linked repository as bytes: strings as JSON, all numbers in one row behind them. */
interface Strings {
  /** By file: path, blob, key of the facts, and the names that lead nowhere. */
  readonly files: readonly (readonly [path: string, blob: string, key: string, unknown: readonly string[]])[];
  /** By symbol: name and qualified name. */
  readonly symbols: readonly string[];
  readonly whyNot: readonly (readonly [path: string, blob: string, why: string])[];
  readonly configuration: readonly (readonly [path: string, blob: string, text: string])[];
}

/** What a kept state holds of files: their blobs by path, for comparing, beside the state itself. */
export interface KeptState {
  readonly state: State;
  readonly blobs: ReadonlyMap<string, string>;
}

const KINDS: readonly SymbolKind[] = [
  "module",
  "namespace",
  "class",
  "interface",
  "enum",
  "type",
  "function",
  "method",
  "field",
  "variable",
  "object",
];
/** Numbers of one symbol. */
const SYMBOL = 6;
const HEAD = 8;

/** `blobOf` tells the blob of a path that has no facts. */
export function packState(state: State, blobOf: (path: string) => string): Uint8Array {
  const numbers: number[] = [];
  const symbols: string[] = [];
  const files: [string, string, string, string[]][] = [];
  const places = new Map<number, number>();
  for (const unit of state.units) if (unit !== undefined) places.set(unit.index, places.size);
  const rows: Int32Array[] = [];
  for (const unit of state.units) {
    const [links, numbered] = unit === undefined ? [] : [state.links[unit.index], state.numbered[unit.index]];
    if (unit === undefined || links === undefined || numbered === undefined) continue;
    files.push([
      unit.path,
      state.blobs[unit.index] ?? "",
      factsKey(state.blobs[unit.index] ?? "", unit.facts.language),
      links.unknown.map(({ name }) => name),
    ]);
    const looked = [...(state.dependencies[unit.index] ?? [])].flatMap((other) => places.get(other) ?? []);
    const edges = links.edges.slice();
    for (let at = 1; at < edges.length; at += 5) edges[at] = places.get(edges[at] ?? -1) ?? -1;
    numbers.push(
      links.calls,
      links.external,
      links.unknown.length,
      edges.length,
      looked.length,
      numbered.symbols.length,
      numbered.ids.length,
      0,
    );
    const own: number[] = links.unknown.map(({ line }) => line);
    for (const { name, qualified, kind, line, endLine, isExported, parent, fact } of numbered.symbols) {
      symbols.push(name, qualified);
      own.push(KINDS.indexOf(kind), line, endLine, isExported ? 1 : 0, parent === undefined ? -1 : parent - numbered.start, fact);
    }
    rows.push(
      Int32Array.from(own),
      edges,
      Int32Array.from(looked),
      numbered.ids.map((id) => id - numbered.start),
    );
  }
  const strings: Strings = {
    files,
    symbols,
    whyNot: [...state.whyNot].map(([path, why]) => [path, blobOf(path), why]),
    configuration: [...state.configuration].map(([path, text]) => [path, blobOf(path), text]),
  };
  const json = Buffer.from(JSON.stringify(strings));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(json.length);
  const all = [Int32Array.from(numbers), ...rows].map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength));
  return Buffer.concat([size, json, ...all]);
}

/**
 * The state that was packed, with facts from the cache; undefined when facts are missing, or when the bytes are not of this shape. Numbers
 * are held to what they may point at, so that no bytes make a question go on for ever.
 */
export async function unpackState(bytes: Uint8Array, cache: FactsCache): Promise<KeptState | undefined> {
  try {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = all.readUInt32LE(0);
    const strings = JSON.parse(all.toString("utf8", 4, 4 + length)) as Strings;
    const facts = await cache.read(strings.files.map(([, , key]) => key));
    return readState(strings, all.subarray(4 + length), facts);
  } catch {
    return undefined;
  }
}

function readState(
  { files, symbols, whyNot, configuration }: Strings,
  rest: Buffer,
  kept: ReadonlyMap<string, BlobFacts>,
): KeptState | undefined {
  const numbers = new Int32Array(rest.buffer.slice(rest.byteOffset, rest.byteOffset + rest.byteLength));
  if (![...symbols, ...files.flatMap(([, , , unknown]) => unknown)].every((name) => typeof name === "string")) return undefined;
  if (![...files, ...whyNot, ...configuration].every((row) => row.slice(0, 3).every((part) => typeof part === "string"))) return undefined;
  const state = emptyState();
  const blobs = new Map([...whyNot, ...configuration].map(([path, blob]) => [path, blob]));
  let at = files.length * HEAD;
  let names = 0;
  let start = 0;
  const take = (count: number): Int32Array => {
    if (count < 0 || at + count > numbers.length) throw new RangeError("The kept graph ends too early.");
    at += count;
    return numbers.subarray(at - count, at);
  };
  for (const [number, [path, blob, key, unknown]] of files.entries()) {
    const facts = kept.get(key);
    if (facts === undefined) return undefined;
    const [calls = 0, external = 0, unknowns = 0, edges = 0, looked = 0, count = 0, ids = 0] = numbers.subarray(number * HEAD);
    const role: FileRole = roleOf(path);
    const unit = tabledUnit(number, path, facts, role === "test");
    state.units.push(unit);
    state.blobs.push(blob);
    state.roles.push(role);
    state.numbers.set(path, number);
    blobs.set(path, blob);
    const lines = take(unknowns);
    const rows = take(count * SYMBOL);
    const links: UnitLinks = {
      calls,
      external,
      unknown: unknown.map((name, index) => ({ name, line: lines[index] ?? 0 })),
      edges: take(edges),
    };
    state.links.push(links);
    state.dependencies.push(new Set(take(looked)));
    const own: GraphSymbol[] = [];
    for (let index = 0; index < count; index += 1, names += 2) {
      const row = index * SYMBOL;
      const parent = rows[row + 4] ?? -1;
      if (parent >= index) return undefined;
      own.push({
        id: start + index,
        name: symbols[names] ?? "",
        qualified: symbols[names + 1] ?? "",
        kind: KINDS[rows[row] ?? 0] ?? "variable",
        path,
        line: rows[row + 1] ?? 0,
        endLine: rows[row + 2] ?? 0,
        isExported: rows[row + 3] === 1,
        isTest: unit.isTest,
        parent: parent < 0 ? undefined : start + parent,
        fact: rows[row + 5] ?? 0,
      });
    }
    const numbered: NumberedUnit = { unit, start, symbols: own, ids: take(ids).map((id) => start + Math.min(Math.max(id, 0), count - 1)) };
    if (count === 0) return undefined;
    state.numbered.push(numbered);
    start += count;
  }
  for (const [path, , why] of whyNot) state.whyNot.set(path, why);
  for (const [path, , text] of configuration) state.configuration.set(path, text);
  return { state, blobs };
}
