import type ts from "typescript";
import type { FactsDraft, Place, SymbolDraft } from "./facts-draft.ts";
import { bindPattern } from "./typescript-bindings.ts";
import { nameOf } from "./typescript-walk.ts";
import type { Walk } from "./typescript-walk.ts";

type FunctionLike = ts.SignatureDeclaration & { body?: ts.Node | undefined };

/** Type parameters, parameters and the declared result of a function-like node, into the scope that `inner` opened. */
export function declareSignature(walk: Walk, node: ts.SignatureDeclaration, inner: Place): void {
  const { ts, draft } = walk;
  const symbol = draft.draft(inner.symbol);
  declareTypeParameters(walk, node.typeParameters, inner);
  const parameters: number[] = [];
  for (const parameter of node.parameters) {
    const name = ts.isIdentifier(parameter.name) ? parameter.name.text : "";
    if (name === "this") continue;
    const type = parameter.type === undefined ? undefined : walk.type(parameter.type, inner);
    const binding = draft.bind({
      name,
      scope: inner.scope,
      line: walk.start(parameter),
      kind: "parameter",
      of: inner.symbol,
      position: parameters.length,
      ...(type === undefined ? {} : { type }),
      ...(parameter.dotDotDotToken === undefined ? {} : { rest: true }),
    });
    parameters.push(binding);
    if (parameter.initializer !== undefined) {
      const value = walk.expression(parameter.initializer, inner, type === undefined ? undefined : { type });
      const draftBinding = draft.bindings[binding];
      if (draftBinding !== undefined) draftBinding.value = value;
    }
    if (!ts.isIdentifier(parameter.name)) {
      const hidden = `{${binding}}`;
      const draftBinding = draft.bindings[binding];
      if (draftBinding !== undefined) draftBinding.name = hidden;
      const of = draft.expression({ k: "name", name: hidden, scope: inner.scope, line: walk.start(parameter) });
      bindPattern(walk, parameter.name, of, inner);
    }
  }
  if (parameters.length > 0) symbol.parameters = parameters;
  if (node.type !== undefined) symbol.type = walk.type(node.type, inner);
}

export function declareTypeParameters(walk: Walk, nodes: readonly ts.TypeParameterDeclaration[] | undefined, inner: Place): void {
  if (nodes === undefined || nodes.length === 0) return;
  const { draft } = walk;
  for (const node of nodes)
    draft.bind({ name: node.name.text, scope: inner.scope, line: walk.start(node), kind: "type-parameter", of: inner.symbol });
  draft.draft(inner.symbol).typeParameters = nodes.map((node) => {
    const bound = node.constraint ?? node.default;
    return { name: node.name.text, ...(bound === undefined ? {} : { bound: walk.type(bound, inner) }) };
  });
}

/** A function's signature and body, its declaration being made already. */
export function declareFunction(walk: Walk, node: FunctionLike, inner: Place): void {
  const { ts, draft } = walk;
  declareSignature(walk, node, inner);
  const { body } = node;
  if (body === undefined) return;
  if (ts.isBlock(body)) for (const statement of body.statements) walk.statement(statement, inner);
  else draft.addReturn(inner.symbol, walk.expression(body as ts.Expression, inner, { returnOf: inner.symbol }));
}

/** The flags of a function-like or class-like node. */
export function flags(walk: Walk, node: ts.Node): Partial<SymbolDraft> {
  const { SyntaxKind } = walk.ts;
  const { asteriskToken, body, modifiers } = node as { asteriskToken?: ts.Node; body?: ts.Node; modifiers?: readonly ts.Node[] };
  const found: Partial<SymbolDraft> = {};
  for (const { kind } of modifiers ?? []) {
    if (kind === SyntaxKind.AsyncKeyword) found.isAsync = true;
    else if (kind === SyntaxKind.StaticKeyword) found.isStatic = true;
    else if (kind === SyntaxKind.AbstractKeyword) found.isAbstract = true;
  }
  if (asteriskToken !== undefined) found.isGenerator = true;
  if (body === undefined && walk.ts.isFunctionLike(node)) found.isAbstract = true;
  return found;
}

/** The members of an interface or an inline object type. */
export function declareTypeMembers(walk: Walk, members: readonly ts.TypeElement[], owner: Place): void {
  const { ts, draft } = walk;
  const { hidden: isInline, parent } = draft.draft(owner.symbol);
  const hidden = isInline === true && draft.draft(parent).kind !== "type";
  for (const member of members) {
    const at = { line: walk.start(member), endLine: walk.line(member.end), ...(hidden ? { hidden } : {}) };
    if (ts.isCallSignatureDeclaration(member) || ts.isConstructSignatureDeclaration(member)) {
      const name = ts.isCallSignatureDeclaration(member) ? "()" : "new()";
      declareSignature(walk, member, draft.declare(owner, { name, kind: "method", ...at, hidden: true, isAbstract: true }));
      continue;
    }
    if (ts.isIndexSignatureDeclaration(member)) {
      const inner = draft.declare(owner, { name: "[]", kind: "field", ...at, hidden: true });
      if (member.type !== undefined) draft.draft(inner.symbol).type = walk.type(member.type, inner);
      continue;
    }
    const name = nameOf(walk, member.name);
    if (name === undefined) continue;
    if (ts.isMethodSignature(member)) {
      declareSignature(walk, member, draft.declare(owner, { name, kind: "method", ...at, isAbstract: true }));
    } else if (ts.isPropertySignature(member)) {
      const inner = draft.declare(owner, { name, kind: "field", ...at });
      if (member.type !== undefined) draft.draft(inner.symbol).type = walk.type(member.type, inner);
    } else if (ts.isGetAccessorDeclaration(member)) {
      declareSignature(walk, member, draft.declare(owner, { name, kind: "method", ...at, isAccessor: true }));
    }
  }
}

/** Decorators as calls from the declaration that they stand on. */
export function declareDecorators(walk: Walk, node: ts.Node, inner: Place, outer: Place): void {
  const { ts, draft } = walk;
  const found = ((node as { modifiers?: readonly ts.Node[] }).modifiers ?? []).filter(ts.isDecorator);
  if (found.length === 0) return;
  const lookup: Place = { symbol: inner.symbol, scope: draft.scope(outer.scope, inner.symbol) };
  draft.draft(inner.symbol).decorators = found.map(({ expression }) => decoratorCall(walk, draft, expression, lookup));
}

function decoratorCall(walk: Walk, draft: FactsDraft, expression: ts.LeftHandSideExpression, place: Place): number {
  const callee = walk.expression(expression, place);
  if (walk.ts.isCallExpression(expression)) return callee;
  return draft.expression({ k: "call", callee, args: [], line: walk.start(expression), scope: place.scope, how: "decorator" });
}
