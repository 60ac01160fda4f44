import type { Confidence, EdgeKind, GraphSymbol } from "../graph.ts";
import type { FoundTarget } from "../query/find-target.ts";
import type { Doubt, Place } from "../query/places.ts";
import { shown, symbolTitle } from "./shown.ts";

const MOST_LINES = 6;

export const sureness = (confidence: Confidence): string => (confidence === "by-name" ? "by name" : confidence);

/** `src/a.ts:4` and further lines of the same kind. */
export function placeText({ path, line, further }: Pick<Place, "path" | "line" | "further">): string {
  const lines = [line, ...further];
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : "";
  return `${shown(path)}:${lines.slice(0, MOST_LINES).join(", ")}${more}`;
}

/** `method MemoryStore.save src/lib/store.ts:5-7`. */
export function declaredAt(symbol: Pick<GraphSymbol, "kind" | "qualified" | "path" | "line" | "endLine">): string {
  const place = `${shown(symbol.path)}:${symbol.line}${symbol.endLine > symbol.line ? `-${symbol.endLine}` : ""}`;
  return symbol.kind === "module" ? symbolTitle(symbol) : `${symbolTitle(symbol)} ${place}`;
}

/** What one does to the other. */
export function verbOf(kind: EdgeKind): string {
  if (kind === "call") return "calls";
  if (kind === "reference") return "names";
  return kind === "inherits" ? "inherits from" : kind;
}

export function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

/** The last lines of an answer: what it may lack. Nothing where nothing does. */
export function doubtLines({ openEnds, openCount, notIndexed, unknownCalls, calls }: Doubt): readonly string[] {
  const parts: string[] = [];
  if (openCount > 0) {
    const places = openEnds.map(({ path, line }) => `${shown(path)}:${line}`).join(", ");
    parts.push(`${count(openCount, "place")} could not be resolved: ${places}${openCount > openEnds.length ? ", …" : ""}`);
  }
  if (unknownCalls > 0)
    parts.push(
      `${unknownCalls} of ${count(calls, "call")} of the repository ${unknownCalls === 1 ? "leads" : "lead"} to nobody knows where`,
    );
  if (notIndexed > 0) parts.push(`${count(notIndexed, "file")} ${notIndexed === 1 ? "is" : "are"} not indexed`);
  return parts.length === 0 ? [] : [`[not resolved: ${parts.join("; ")}]`];
}

const MOST_CANDIDATES = 30;

/** Why a question cannot be answered as it was asked, and how to ask it. */
export function whyNoTarget(found: Exclude<FoundTarget, { readonly status: "found" }>): string {
  switch (found.status) {
    case "unknown-file":
      return `There is no file ${shown(found.path)} in the code graph: unknown path.${meant(found.near.map(shown))}`;
    case "not-indexed":
      return `${shown(found.file.path)} is not indexed: ${found.file.why}.`;
    case "unknown-symbol": {
      const where = found.file === undefined ? "" : ` in ${shown(found.file)}`;
      const near = found.near.map((symbol) => `${shown(symbol.qualified)} (${shown(symbol.path)}:${symbol.line})`);
      return `No symbol ${shown(found.symbol)} was found${where}: unknown name.${meant(near) || " cp_search_symbol searches by parts of names."}`;
    }
    case "ambiguous": {
      const rows = found.candidates.slice(0, MOST_CANDIDATES).map((symbol) => `- ${declaredAt(symbol)}`);
      const more = found.candidates.length > MOST_CANDIDATES ? [`and ${found.candidates.length - MOST_CANDIDATES} more`] : [];
      const example = found.candidates[0];
      const how = example === undefined ? "" : `, such as symbol ${shown(example.qualified)} with file ${shown(example.path)}`;
      return [
        `${shown(found.symbol)} may mean ${count(found.candidates.length, "symbol")}. Say which, by Class.method and by file${how}:`,
        ...rows,
        ...more,
      ].join("\n");
    }
  }
}

function meant(near: readonly string[]): string {
  return near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`;
}
