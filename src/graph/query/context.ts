import type { GraphSymbol } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";
import { packOf } from "./pack.ts";
import { placeOf, type Place } from "./places.ts";
import { rankFrom } from "./rank.ts";
import { shown, symbolTitle } from "../show/shown.ts";

export interface ContextRequest {
  /** Symbols and files that the context is for. Without any, it is of what the repository leans on most. */
  readonly symbols: readonly number[];
  readonly files?: readonly string[];
  readonly budgetTokens: number;
  /** A file's text as the graph knows it; undefined when it cannot be had. */
  readonly read: (path: string) => Promise<string | undefined>;
}

export interface Context {
  readonly text: string;
  /** Symbols that are shown, and those that were near enough to be. */
  readonly shown: number;
  readonly near: number;
}

/** A symbol further away than this many others is not looked at. */
const MOST_NEAR = 400;
const WHOLE_LINES = 80;
const HEAD_LINES = 3;
/** One symbol takes at most this share of what room is left, so that its neighbours are seen too. */
const SHARE = 0.5;

/**
 * The code around some symbols, nearest first, in at most so many tokens: what is asked for with its text, then what calls it, what it calls and
 * what stands beside it, each with its text, its head or its place alone, as there is room.
 */
export async function contextOf(asked: AskableGraph, { symbols, files = [], budgetTokens, read }: ContextRequest): Promise<Context> {
  const { graph } = asked;
  const mentioned = mentions(asked, symbols, files);
  const isAsked = new Set(symbols);
  const ranked = [...rankFrom(asked, mentioned)]
    .flatMap(([id, score]) => {
      const symbol = graph.symbols[id];
      return symbol === undefined || symbol.kind === "module" ? [] : [{ symbol, score: isAsked.has(id) ? score + 1 : score }];
    })
    .sort((a, b) => b.score - a.score || a.symbol.id - b.symbol.id)
    .slice(0, MOST_NEAR);
  const pack = packOf(budgetTokens);
  const covered: GraphSymbol[] = [];
  const texts = new Map<string, readonly string[] | undefined>();
  const linesOf = async (path: string): Promise<readonly string[] | undefined> => {
    if (!texts.has(path)) texts.set(path, (await read(path))?.split(/\r?\n/));
    return texts.get(path);
  };
  let taken = 0;
  let near = 0;
  for (const { symbol } of ranked) {
    if (covered.some((one) => one.path === symbol.path && one.line <= symbol.line && symbol.endLine <= one.endLine)) continue;
    near++;
    if (pack.isFull()) continue;
    const title = titleOf(asked, symbol, isAsked);
    // What of it was shown already is not shown again in the text around it.
    const isShownInside = covered.some((one) => one.path === symbol.path && symbol.line <= one.line && one.endLine <= symbol.endLine);
    const lines = isShownInside ? [] : ((await linesOf(symbol.path))?.slice(symbol.line - 1, symbol.endLine) ?? []);
    const piece = formsOf(title, lines).find((form, index) => pack.add(form, index === 0 ? SHARE : 1));
    if (piece === undefined) continue;
    taken++;
    if (lines.length > 0 && piece.split("\n").length > lines.length) covered.push(symbol);
  }
  if (taken < near) pack.close(`[${taken} of ${near} symbols nearby are shown; a larger budget_tokens shows more]`);
  return { text: pack.text(), shown: taken, near };
}

function mentions({ graph, relations }: AskableGraph, symbols: readonly number[], files: readonly string[]): ReadonlyMap<number, number> {
  const mentioned = new Map<number, number>(symbols.map((id) => [id, 1]));
  for (const path of files) {
    const inFile = graph.symbolsOf(path).filter(({ kind }) => kind !== "module");
    const { module } = graph.file(path) ?? {};
    if (module !== undefined) mentioned.set(module, mentioned.get(module) ?? 0.2);
    for (const { id, isExported } of inFile) mentioned.set(id, mentioned.get(id) ?? (isExported ? 1 : 0.4) / Math.max(1, inFile.length));
  }
  if (mentioned.size > 0) return mentioned;
  const most = graph.symbols
    .filter(({ kind, isTest }) => kind !== "module" && !isTest)
    .map(({ id }) => ({ id, uses: relations.users.of(id).length }))
    .filter(({ uses }) => uses > 0)
    .sort((a, b) => b.uses - a.uses || a.id - b.id)
    .slice(0, 50);
  return new Map(most.map(({ id, uses }) => [id, uses]));
}

/** With its whole text, with its first lines, and by its place alone. */
function formsOf(title: string, lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => line.trimEnd());
  const whole = text.length > 0 && text.length <= WHOLE_LINES ? [`${title}\n${text.join("\n")}`] : [];
  const head =
    text.length > HEAD_LINES ? [`${title}\n${text.slice(0, HEAD_LINES).join("\n")}\n[${text.length - HEAD_LINES} more lines]`] : [];
  return [...whole, ...head, title];
}

/** Where it is, and what it has to do with what was asked for. */
function titleOf(asked: AskableGraph, symbol: GraphSymbol, isAsked: ReadonlySet<number>): string {
  const lines = symbol.endLine > symbol.line ? `${symbol.line}-${symbol.endLine}` : `${symbol.line}`;
  const place = `${shown(symbol.path)}:${lines} ${symbolTitle(symbol)}`;
  if (isAsked.has(symbol.id)) return `${place} — asked for`;
  for (const id of isAsked) {
    const other = asked.graph.symbols[id];
    if (other === undefined) continue;
    const used = placeOf(asked, symbol.id, id);
    if (used !== undefined) return `${place} — ${wordOf(used)} ${shown(other.qualified)} at line ${used.line} (${used.confidence})`;
    const uses = placeOf(asked, id, symbol.id);
    if (uses !== undefined)
      return `${place} — ${passive(uses)} by ${shown(other.qualified)} at ${shown(uses.path)}:${uses.line} (${uses.confidence})`;
  }
  return `${place} — nearby (declared, exact)`;
}

const wordOf = ({ kind }: Place): string => (kind === "call" ? "calls" : kind === "reference" ? "names" : kind);
const passive = ({ kind }: Place): string => (kind === "call" ? "called" : kind === "reference" ? "named" : "inherited");
