import type { SymbolFact } from "../facts.ts";
import { child } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { FactsDraft, Place } from "./facts-draft.ts";

export type Context = NonNullable<SymbolFact["context"]>;

/** What the parts of an extractor over a plain tree share. */
export interface TreeWalk {
  readonly draft: FactsDraft;
  text(node: PlainNode): string;
  statement(node: PlainNode, place: Place): void;
  expression(node: PlainNode, place: Place, context?: Context): number;
  type(node: PlainNode, place: Place): number;
}

/** Where a node stands, as declarations say it: from the line of its name, which annotations and modifiers may stand before. */
export function span(node: PlainNode): { line: number; endLine: number } {
  return { line: (child(node, "name") ?? node).line, endLine: node.endLine };
}

/** An expression made of others, of no known type. */
export function madeOf(walk: TreeWalk, nodes: readonly PlainNode[], place: Place): number {
  return walk.draft.expression({ k: "made", of: nodes.map((each) => walk.expression(each, place)) });
}
