import type { GraphSymbol } from "../../graph/graph.ts";
import type { ChangeGlance, TouchedSymbol } from "../../graph/query/change-glance.ts";
import { codeSpan } from "../../text/code-span.ts";

/** Symbols that are told one by one, and of those that are drawn; nodes of the picture. */
const MOST_TOLD = 20;
const MOST_DRAWN = 10;
const MOST_NODES = 40;
/** Characters of a name in the picture. */
const LONGEST_LABEL = 60;

const HEADING = "### Reach";

/** How far the change reaches, as Markdown: what it touches that others may use, who does, which tests come to it, and a picture of that. */
export function showReach(glance: ChangeGlance | "unknown" | "late" | undefined): string {
  if (glance === undefined) return "";
  if (glance === "late") return `${HEADING}\n\nHow far it reaches is being looked up, and follows here.`;
  if (glance === "unknown") return `${HEADING}\n\nThe code graph cannot be had, so nothing is said of how far this reaches.`;
  const { symbols, count } = glance;
  if (symbols.length === 0) return `${HEADING}\n\nIt touches nothing that other code may use, as far as the code graph reads it.`;
  const untested = symbols.filter((one) => one.testCount === 0 && one.how !== "removed").length;
  const more = count > symbols.length ? ` Looked at: ${symbols.length} of ${count}.` : "";
  const lead = `It touches ${plural(count, "public symbol")}; no test reaches ${untested} of them.${more}`;
  const rows = symbols.slice(0, MOST_TOLD).map(row);
  const rest = symbols.length > rows.length ? [`- and ${symbols.length - rows.length} more`] : [];
  return [HEADING, "", lead, "", ...rows, ...rest, "", drawReach(symbols)].join("\n");
}

function row({ symbol, how, callers, callerCount, callerFiles, tests, testCount }: TouchedSymbol): string {
  const place = codeSpan(`${symbol.path}:${symbol.line}`);
  const used =
    callerCount === 0
      ? "nothing else uses it"
      : `used in ${plural(callerCount, "place")} of ${plural(callerFiles, "file")} (${named(callers, callerCount)})`;
  const tested = testCount === 0 ? "**no test reaches it**" : `reached by ${plural(testCount, "test")} (${named(tests, testCount)})`;
  return `- ${codeSpan(symbol.qualified)} ${how}, ${place}: ${used}${how === "removed" ? "" : `; ${tested}`}`;
}

function named(symbols: readonly GraphSymbol[], count: number): string {
  const names = symbols.map((symbol) => codeSpan(symbol.kind === "module" ? symbol.path : symbol.qualified, 120));
  return `${names.join(", ")}${count > symbols.length ? " …" : ""}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** A picture of the most used symbols with their callers and tests, in Mermaid. Names are shown by their letters only: nothing in them acts. */
function drawReach(symbols: readonly TouchedSymbol[]): string {
  const nodes = new Map<string, { readonly id: string; readonly shape: string }>();
  const edges = new Set<string>();
  const node = ({ path, line, qualified, kind }: GraphSymbol, [open, close]: readonly [string, string]): string | undefined => {
    const key = `${path}:${line}:${qualified}`;
    const known = nodes.get(key)?.id;
    if (known !== undefined || nodes.size >= MOST_NODES) return known;
    const id = `n${nodes.size}`;
    const label = kind === "module" ? path : qualified;
    nodes.set(key, { id, shape: `${id}${open}"${inert(label)}"${close}` });
    return id;
  };
  for (const { symbol, callers, tests } of symbols.slice(0, MOST_DRAWN)) {
    const to = node(symbol, ["[[", "]]"]);
    const others = [...callers.map((one) => node(one, ["[", "]"])), ...tests.map((one) => node(one, ["([", "])"]))];
    for (const from of others) if (to !== undefined && from !== undefined && from !== to) edges.add(`${from} --> ${to}`);
  }
  const lines = [...[...nodes.values()].map(({ shape }) => shape), ...edges].map((line) => `  ${line}`);
  return ["```mermaid", "graph LR", ...lines, "```"].join("\n");
}

function inert(name: string): string {
  const plain = name.toWellFormed().replace(/[^\p{L}\p{N}_$./ -]/gu, "?");
  return plain.length > LONGEST_LABEL ? `${plain.slice(0, LONGEST_LABEL - 1).toWellFormed()}…` : plain;
}
