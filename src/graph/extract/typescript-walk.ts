import type ts from "typescript";
import type { SymbolFact } from "../facts.ts";
import type { FactsDraft, Place } from "./facts-draft.ts";
import type { Syntax } from "./typescript-syntax.ts";

export type LambdaContext = NonNullable<SymbolFact["context"]>;

/** What the parts of the TypeScript extractor share: the parser's module, the tables, and each other. */
export interface Walk {
  readonly ts: Syntax;
  readonly draft: FactsDraft;
  readonly source: ts.SourceFile;
  /** The line (from 1) of an offset. */
  line(offset: number): number;
  /** The line on which a node begins, comments aside. */
  start(node: ts.Node): number;
  statement(node: ts.Statement, place: Place): void;
  expression(node: ts.Expression, place: Place, context?: LambdaContext): number;
  type(node: ts.TypeNode, place: Place): number;
}

/** Whether a node carries a modifier, such as `export`. */
export function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  const { modifiers } = node as { modifiers?: readonly ts.Node[] };
  return modifiers !== undefined && modifiers.some((modifier) => modifier.kind === kind);
}

/** The text of a property's name when it is written out: an identifier, a string, a number; undefined when it is computed. */
export function nameOf(walk: Walk, name: ts.Node | undefined): string | undefined {
  if (name === undefined) return undefined;
  const { ts } = walk;
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return undefined;
}
