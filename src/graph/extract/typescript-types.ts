import type ts from "typescript";
import type { Place } from "./facts-draft.ts";
import { declareSignature, declareTypeMembers } from "./typescript-functions.ts";
import type { Walk } from "./typescript-walk.ts";

/** Adds a written type to the tables. */
export function typeFact(walk: Walk, node: ts.TypeNode, place: Place): number {
  const { ts, draft } = walk;
  const types = (nodes: readonly ts.TypeNode[]) => nodes.map((each) => walk.type(each, place));
  if (ts.isTypeReferenceNode(node)) return reference(walk, entityName(walk, node.typeName), node, node.typeArguments, place);
  if (ts.isExpressionWithTypeArguments(node)) return heritageType(walk, node, place);
  if (ts.isArrayTypeNode(node)) return draft.type({ k: "array", of: walk.type(node.elementType, place) });
  if (ts.isUnionTypeNode(node)) return draft.type({ k: "union", items: types(node.types) });
  if (ts.isIntersectionTypeNode(node)) return draft.type({ k: "both", items: types(node.types) });
  if (ts.isTupleTypeNode(node)) return draft.type({ k: "tuple", items: types(node.elements) });
  if (ts.isNamedTupleMember(node)) return walk.type(node.type, place);
  if (ts.isParenthesizedTypeNode(node) || ts.isOptionalTypeNode(node)) return walk.type(node.type, place);
  if (ts.isRestTypeNode(node)) return walk.type(ts.isArrayTypeNode(node.type) ? node.type.elementType : node.type, place);
  if (ts.isTypeOperatorNode(node)) {
    const of = walk.type(node.type, place);
    return node.operator === ts.SyntaxKind.KeyOfKeyword ? draft.type({ k: "primitive", name: "string" }) : of;
  }
  if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node)) {
    const inner = draft.declare(place, { name: "", kind: "function", line: walk.start(node), endLine: walk.line(node.end), hidden: true });
    declareSignature(walk, node, inner);
    return draft.type({ k: "function", symbol: inner.symbol });
  }
  if (ts.isTypeLiteralNode(node)) {
    const inner = draft.declare(place, { name: "", kind: "interface", line: walk.start(node), endLine: walk.line(node.end), hidden: true });
    declareTypeMembers(walk, node.members, inner);
    return draft.type({ k: "object", symbol: inner.symbol });
  }
  if (ts.isTypeQueryNode(node)) return draft.type({ k: "query", of: entityExpression(walk, node.exprName, place) });
  if (ts.isIndexedAccessTypeNode(node)) {
    const of = walk.type(node.objectType, place);
    const index = ts.isLiteralTypeNode(node.indexType) && ts.isStringLiteral(node.indexType.literal) ? node.indexType.literal.text : "";
    return draft.type({ k: "lookup", of, name: index });
  }
  if (ts.isThisTypeNode(node)) return draft.type({ k: "self" });
  if (ts.isTypePredicateNode(node)) {
    if (node.type !== undefined) walk.type(node.type, place);
    return draft.type({ k: "primitive", name: "boolean" });
  }
  if (ts.isConditionalTypeNode(node)) {
    const inner = draft.scope(place.scope, place.symbol);
    const within = { symbol: place.symbol, scope: inner };
    walk.type(node.checkType, within);
    walk.type(node.extendsType, within);
    return draft.type({ k: "union", items: [walk.type(node.trueType, within), walk.type(node.falseType, within)] });
  }
  if (ts.isInferTypeNode(node)) {
    draft.bind({ name: node.typeParameter.name.text, scope: place.scope, line: walk.start(node), kind: "type-parameter" });
    return draft.type({ k: "primitive", name: "unknown" });
  }
  if (ts.isMappedTypeNode(node)) {
    const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
    draft.bind({ name: node.typeParameter.name.text, scope: inner.scope, line: walk.start(node), kind: "type-parameter" });
    if (node.typeParameter.constraint !== undefined) walk.type(node.typeParameter.constraint, inner);
    const value = node.type === undefined ? draft.type({ k: "primitive", name: "unknown" }) : walk.type(node.type, inner);
    return draft.type({
      k: "ref",
      name: ["Record"],
      scope: 0,
      line: walk.start(node),
      args: [draft.type({ k: "primitive", name: "string" }), value],
    });
  }
  if (ts.isLiteralTypeNode(node)) return draft.type({ k: "primitive", name: literalName(walk, node) });
  if (ts.isImportTypeNode(node)) return importType(walk, node, place);
  return draft.type({ k: "primitive", name: keyword(walk, node.kind) });
}

function importType(walk: Walk, node: ts.ImportTypeNode, place: Place): number {
  const { ts, draft } = walk;
  const argument =
    ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal) ? node.argument.literal.text : undefined;
  if (argument === undefined || node.qualifier === undefined) return draft.type({ k: "primitive", name: "unknown" });
  const local = `import(${argument})`;
  draft.import({ module: argument, name: "*", local, line: walk.start(node), typeOnly: true }, 0);
  return reference(walk, [local, ...entityName(walk, node.qualifier)], node, node.typeArguments, place);
}

function reference(walk: Walk, name: string[], node: ts.Node, args: readonly ts.TypeNode[] | undefined, place: Place): number {
  const line = walk.start(node);
  const inner = args?.map((each) => walk.type(each, place));
  return walk.draft.type({ k: "ref", name, scope: place.scope, line, ...(inner === undefined ? {} : { args: inner }) });
}

/** What stands behind `extends` or `implements`: a name with dots where it is one, else the type of the expression. */
function heritageType(walk: Walk, node: ts.ExpressionWithTypeArguments, place: Place): number {
  const { draft } = walk;
  const path = dotted(walk, node.expression);
  if (path !== undefined) return reference(walk, path, node, node.typeArguments, place);
  const of = walk.expression(node.expression, place);
  return draft.type({ k: "query", of });
}

function dotted(walk: Walk, node: ts.Expression): string[] | undefined {
  const { ts } = walk;
  if (ts.isIdentifier(node)) return [node.text];
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const left = dotted(walk, node.expression);
  return left === undefined ? undefined : [...left, node.name.text];
}

function entityName(walk: Walk, name: ts.EntityName): string[] {
  return walk.ts.isIdentifier(name) ? [name.text] : [...entityName(walk, name.left), name.right.text];
}

function entityExpression(walk: Walk, name: ts.EntityName | ts.ImportTypeNode, place: Place): number {
  const { ts, draft } = walk;
  if (ts.isImportTypeNode(name)) return draft.expression({ k: "made", of: [] });
  const line = walk.line(name.end);
  if (ts.isIdentifier(name)) return draft.expression({ k: "name", name: name.text, scope: place.scope, line });
  const of = entityExpression(walk, name.left, place);
  return draft.expression({ k: "member", of, name: name.right.text, line });
}

function literalName(walk: Walk, node: ts.LiteralTypeNode): string {
  const { ts } = walk;
  if (ts.isStringLiteral(node.literal)) return "string";
  if (node.literal.kind === ts.SyntaxKind.NullKeyword) return "null";
  return node.literal.kind === ts.SyntaxKind.NumericLiteral ? "number" : "boolean";
}

function keyword(walk: Walk, kind: ts.SyntaxKind): string {
  const { SyntaxKind } = walk.ts;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other keywords say nothing of use
  switch (kind) {
    case SyntaxKind.StringKeyword:
    case SyntaxKind.TemplateLiteralType:
      return "string";
    case SyntaxKind.NumberKeyword:
      return "number";
    case SyntaxKind.BooleanKeyword:
      return "boolean";
    case SyntaxKind.VoidKeyword:
    case SyntaxKind.UndefinedKeyword:
    case SyntaxKind.NeverKeyword:
      return "null";
    default:
      return "unknown";
  }
}
