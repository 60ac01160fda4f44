import type ts from "typescript";
import type { Place, SymbolDraft } from "./facts-draft.ts";
import { declareDecorators, declareFunction, declareTypeParameters, flags } from "./typescript-functions.ts";
import { has, nameOf } from "./typescript-walk.ts";
import type { Walk } from "./typescript-walk.ts";

/** A class as an expression; its own name is bound inside only. */
export function classExpression(walk: Walk, node: ts.ClassLikeDeclaration, place: Place): number {
  const inner = declareClass(walk, node, place, { name: node.name?.text ?? "", hidden: node.name === undefined });
  return walk.draft.expression({ k: "symbol", symbol: inner.symbol });
}

/** Declares a class with its members; the caller binds its name where it is seen. */
export function declareClass(
  walk: Walk,
  node: ts.ClassLikeDeclaration,
  place: Place,
  { name, hidden, exported }: { name: string; hidden?: boolean; exported?: boolean },
): Place {
  const { draft } = walk;
  const at = { line: walk.start(node.name ?? node), endLine: walk.line(node.end) };
  const inner = draft.declare(place, {
    name,
    kind: "class",
    ...at,
    ...(hidden === true ? { hidden } : {}),
    ...(exported === true ? { exported } : {}),
    ...flags(walk, node),
  });
  if (name !== "") draft.bindSymbol(name, inner.scope, inner.symbol, at.line);
  declareTypeParameters(walk, node.typeParameters, inner);
  declareHeritage(walk, node.heritageClauses, inner);
  declareDecorators(walk, node, inner, place);
  for (const member of node.members) declareMember(walk, member, inner);
  return inner;
}

export function declareHeritage(walk: Walk, clauses: readonly ts.HeritageClause[] | undefined, inner: Place): void {
  const { ts, draft } = walk;
  const heritage = (clauses ?? []).flatMap((clause) =>
    clause.types.map((type) => ({
      how: clause.token === ts.SyntaxKind.ExtendsKeyword ? ("extends" as const) : ("implements" as const),
      type: walk.type(type, inner),
    })),
  );
  if (heritage.length > 0) draft.draft(inner.symbol).heritage = heritage;
}

function declareMember(walk: Walk, member: ts.ClassElement, owner: Place): void {
  const { ts, draft } = walk;
  if (ts.isClassStaticBlockDeclaration(member)) {
    for (const statement of member.body.statements) walk.statement(statement, owner);
    return;
  }
  if (ts.isConstructorDeclaration(member)) {
    const inner = draft.declare(owner, { name: "constructor", kind: "method", ...span(walk, member), ...flags(walk, member) });
    declareParameterProperties(walk, member, owner);
    declareFunction(walk, member, inner);
    return;
  }
  const name = nameOf(walk, member.name);
  const shared = { name: name ?? "", ...span(walk, member), ...flags(walk, member), ...(name === undefined ? { hidden: true } : {}) };
  if (ts.isPropertyDeclaration(member)) declareField(walk, member, owner, shared);
  else if (ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member) || ts.isSetAccessorDeclaration(member)) {
    const isGetter = ts.isGetAccessorDeclaration(member);
    const isSetter = ts.isSetAccessorDeclaration(member);
    const inner = draft.declare(owner, {
      ...shared,
      kind: "method",
      ...(isGetter ? { isAccessor: true } : {}),
      ...(isSetter ? { isSetter: true } : {}),
    });
    declareDecorators(walk, member, inner, owner);
    declareFunction(walk, member, inner);
  }
}

function declareField(
  walk: Walk,
  member: ts.PropertyDeclaration,
  owner: Place,
  shared: Omit<SymbolDraft, "kind" | "parent" | "scope">,
): void {
  const { ts, draft } = walk;
  const { initializer } = member;
  const isFunction = initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  const inner = draft.declare(owner, {
    ...shared,
    kind: isFunction && member.type === undefined ? "method" : "field",
    ...(isFunction ? { ...flags(walk, initializer), isArrow: true } : {}),
  });
  declareDecorators(walk, member, inner, owner);
  if (isFunction && member.type === undefined) {
    declareFunction(walk, initializer, inner);
    return;
  }
  const field = draft.draft(inner.symbol);
  if (member.type !== undefined) field.type = walk.type(member.type, inner);
  if (initializer !== undefined)
    field.value = walk.expression(initializer, inner, field.type === undefined ? undefined : { type: field.type });
}

/** `constructor(private store: Store)` declares a field as well. */
function declareParameterProperties(walk: Walk, node: ts.ConstructorDeclaration, owner: Place): void {
  const { ts, draft } = walk;
  const { SyntaxKind } = ts;
  const kinds = [SyntaxKind.PublicKeyword, SyntaxKind.PrivateKeyword, SyntaxKind.ProtectedKeyword, SyntaxKind.ReadonlyKeyword];
  for (const parameter of node.parameters) {
    if (!kinds.some((kind) => has(parameter, kind)) || !ts.isIdentifier(parameter.name)) continue;
    const inner = draft.declare(owner, { name: parameter.name.text, kind: "field", ...span(walk, parameter) });
    const field = draft.draft(inner.symbol);
    if (parameter.type !== undefined) field.type = walk.type(parameter.type, inner);
    else if (parameter.initializer !== undefined) field.value = walk.expression(parameter.initializer, inner);
  }
}

function span(walk: Walk, node: ts.Node): { line: number; endLine: number } {
  const { name } = node as { name?: ts.Node };
  return { line: walk.start(name ?? node), endLine: walk.line(node.end) };
}
