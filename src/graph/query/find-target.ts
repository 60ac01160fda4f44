import { nearest } from "../../text/nearest.ts";
import type { NotIndexed } from "../facts.ts";
import type { GraphFile, GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { nearPaths } from "./near-paths.ts";
import { isTestSymbol } from "./places.ts";

/** What a question is about. Overloads and reopened namespaces are one symbol with several declarations. */
export interface Target {
  readonly ids: readonly number[];
  /** The declaration with a body, where one has. */
  readonly main: GraphSymbol;
  /** Others of the same name, which the question does not mean by how it is written. */
  readonly namesakes: readonly GraphSymbol[];
}

export type FoundFile =
  | { readonly status: "found"; readonly file: GraphFile }
  | { readonly status: "not-indexed"; readonly file: NotIndexed }
  | { readonly status: "unknown-file"; readonly path: string; readonly near: readonly string[] };

export type FoundTarget =
  | { readonly status: "found"; readonly target: Target }
  /** One for each symbol that it may mean. */
  | { readonly status: "ambiguous"; readonly symbol: string; readonly candidates: readonly GraphSymbol[] }
  | {
      readonly status: "unknown-symbol";
      readonly symbol: string;
      readonly file: string | undefined;
      readonly near: readonly GraphSymbol[];
    }
  | Exclude<FoundFile, { readonly status: "found" }>;

const MOST_NEAR = 5;

export function findFile({ graph }: Pick<AskableGraph, "graph">, path: string): FoundFile {
  const file = graph.file(path);
  if (file !== undefined) return { status: "found", file };
  const bare = graph.notIndexed.find((one) => one.path === path);
  if (bare !== undefined) return { status: "not-indexed", file: bare };
  return { status: "unknown-file", path, near: nearPaths(path, pathsOf(graph)) };
}

/**
 * Finds what somebody means by `name`, `Class.name` (also with `::` or `#`), `path:name` or a path, in one file or anywhere. A name that is
 * written whole goes before one that is the end of a longer one; of several declarations in several places none is guessed at.
 */
export function findTarget(asked: AskableGraph, symbol: string, file?: string): FoundTarget {
  const { graph } = asked;
  const place = splitPlace(asked, symbol, file);
  if (place.file !== undefined) {
    const found = findFile(asked, place.file);
    if (found.status !== "found") return found;
    if (place.name === "") return { status: "found", target: targetOf(asked, [moduleOf(asked, found.file)], []) };
  }
  const wanted = spell(place.name);
  const own = wanted.slice(wanted.lastIndexOf(".") + 1);
  const all = asked.names
    .named(own)
    .filter(
      ({ qualified, path }) =>
        (place.file === undefined || path === place.file) && (qualified === wanted || qualified.endsWith(`.${wanted}`)),
    );
  const groups = groupsOf(all);
  const isTest = ([first]: readonly GraphSymbol[]): boolean => first !== undefined && isTestSymbol(asked, first);
  // What tests declare is seldom meant where the code itself has the name.
  const likely = place.file === undefined && !groups.every(isTest) ? groups.filter((group) => !isTest(group)) : groups;
  const whole = likely.filter(([first]) => first?.qualified === wanted && first.kind !== "method");
  const meant = likely.length === 1 ? likely : whole.length === 1 ? whole : [];
  const [group] = meant;
  if (group !== undefined) {
    const namesakes = groups.filter((other) => other !== group).flatMap(([first]) => first ?? []);
    return { status: "found", target: targetOf(asked, group, namesakes) };
  }
  if (likely.length > 1) {
    return { status: "ambiguous", symbol, candidates: likely.map((several) => mainOf(asked, several)) };
  }
  const near = nearSymbols(asked, own, place.file).slice(0, MOST_NEAR);
  const path = graph.file(symbol);
  if (path !== undefined && file === undefined) return { status: "found", target: targetOf(asked, [moduleOf(asked, path)], []) };
  return { status: "unknown-symbol", symbol, file: place.file, near };
}

/** `src/a.ts:name` and `src/a.ts#name` name the file as well; a path alone means the file. */
function splitPlace(
  { graph }: AskableGraph,
  symbol: string,
  file: string | undefined,
): { readonly name: string; readonly file: string | undefined } {
  const name = symbol.trim().replace(/^`+|`+$/g, "");
  if (file !== undefined) return { name: name === file ? "" : name, file };
  if (graph.file(name) !== undefined) return { name: "", file: name };
  const [, path, rest] = /^(.+\.\w+)(?::{1,2}|#)(.+)$/.exec(name) ?? [];
  return path !== undefined && rest !== undefined && graph.file(path) !== undefined ? { name: rest, file: path } : { name, file };
}

/** One spelling for how languages join names: `Shop::Mailer#envelope()`, `(*Store).Save`. */
function spell(name: string): string {
  return name
    .replace(/\(\s*\)$/, "")
    .replace(/[()*&\s]/g, "")
    .replace(/::|#|->|\\|\//g, ".")
    .replace(/^\.+|\.+$/g, "");
}

/** Declarations of one qualified name in one file belong together. */
function groupsOf(symbols: readonly GraphSymbol[]): readonly (readonly GraphSymbol[])[] {
  const groups = new Map<string, GraphSymbol[]>();
  for (const symbol of symbols) {
    const key = `${symbol.path}\0${symbol.qualified}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [symbol]);
    else group.push(symbol);
  }
  return [...groups.values()];
}

function targetOf(asked: AskableGraph, group: readonly GraphSymbol[], namesakes: readonly GraphSymbol[]): Target {
  return { ids: group.map(({ id }) => id), main: mainOf(asked, group), namesakes };
}

function mainOf({ graph }: AskableGraph, group: readonly GraphSymbol[]): GraphSymbol {
  const hasBody = ({ path, fact }: GraphSymbol): boolean => graph.factsOf(path)?.symbols[fact]?.isAbstract !== true;
  return group.find(hasBody) ?? (group[0] as GraphSymbol);
}

function moduleOf({ graph }: AskableGraph, { module }: GraphFile): GraphSymbol {
  return graph.symbols[module] as GraphSymbol;
}

/** Names that differ by case or by a slip; of the wanted file first, and where the name lives when it is another file. */
function nearSymbols(asked: AskableGraph, name: string, file: string | undefined): readonly GraphSymbol[] {
  const { graph, names } = asked;
  const elsewhere = file === undefined ? [] : names.named(name);
  const inFile = file === undefined ? [] : graph.symbolsOf(file).filter(({ kind }) => kind !== "module");
  const likely =
    nearest(
      name,
      inFile.map((one) => one.name),
    ) ?? nearest(name, names.all);
  const alike = likely === undefined ? [] : [...inFile.filter((one) => one.name === likely), ...names.named(likely)];
  const found = [...new Set([...elsewhere, ...alike])];
  return found.length > 0 ? found : inFile;
}

function* pathsOf(graph: AskableGraph["graph"]): Generator<string> {
  for (const { path } of graph.files) yield path;
  for (const { path } of graph.notIndexed) yield path;
}
