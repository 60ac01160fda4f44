import type ts from "typescript";
import type { Place } from "./facts-draft.ts";
import { declareSignature, declareTypeMembers } from "./typescript-functions.ts";
import type { Walk } from "./typescript-walk.ts";

/** Adds a written type to the tables. */
export function typeFact(walk: Walk, node: ts.TypeNode, place: Place): number {
  const { draft } = walk;
  const { SyntaxKind } = walk.ts;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other kinds are keywords
  switch (node.kind) {
    case SyntaxKind.TypeReference: {
      const named = node as ts.TypeReferenceNode;
      return reference(walk, entityName(walk, named.typeName), named, named.typeArguments, place);
    }
    case SyntaxKind.ExpressionWithTypeArguments:
      return heritageType(walk, node as ts.ExpressionWithTypeArguments, place);
    case SyntaxKind.ArrayType:
      return draft.type({ k: "array", of: walk.type((node as ts.ArrayTypeNode).elementType, place) });
    case SyntaxKind.UnionType:
      return draft.type({ k: "union", items: typesOf(walk, (node as ts.UnionTypeNode).types, place) });
    case SyntaxKind.IntersectionType:
      return draft.type({ k: "both", items: typesOf(walk, (node as ts.IntersectionTypeNode).types, place) });
    case SyntaxKind.TupleType:
      return draft.type({ k: "tuple", items: typesOf(walk, (node as ts.TupleTypeNode).elements, place) });
    case SyntaxKind.NamedTupleMember:
    case SyntaxKind.ParenthesizedType:
    case SyntaxKind.OptionalType:
      return walk.type((node as ts.ParenthesizedTypeNode).type, place);
    case SyntaxKind.RestType: {
      const { type } = node as ts.RestTypeNode;
      return walk.type(walk.ts.isArrayTypeNode(type) ? type.elementType : type, place);
    }
    case SyntaxKind.TypeOperator: {
      const operation = node as ts.TypeOperatorNode;
      const of = walk.type(operation.type, place);
      return operation.operator === SyntaxKind.KeyOfKeyword ? draft.type({ k: "primitive", name: "string" }) : of;
    }
    case SyntaxKind.FunctionType:
    case SyntaxKind.ConstructorType: {
      const inner = draft.declare(place, { name: "", kind: "function", ...span(walk, node), hidden: true });
      declareSignature(walk, node as ts.FunctionTypeNode, inner);
      return draft.type({ k: "function", symbol: inner.symbol });
    }
    case SyntaxKind.TypeLiteral: {
      const inner = draft.declare(place, { name: "", kind: "interface", ...span(walk, node), hidden: true });
      declareTypeMembers(walk, (node as ts.TypeLiteralNode).members, inner);
      return draft.type({ k: "object", symbol: inner.symbol });
    }
    case SyntaxKind.TypeQuery:
      return draft.type({ k: "query", of: entityExpression(walk, (node as ts.TypeQueryNode).exprName, place) });
    case SyntaxKind.IndexedAccessType:
      return lookupType(walk, node as ts.IndexedAccessTypeNode, place);
    case SyntaxKind.ThisType:
      return draft.type({ k: "self" });
    case SyntaxKind.TypePredicate: {
      const { type } = node as ts.TypePredicateNode;
      if (type !== undefined) walk.type(type, place);
      return draft.type({ k: "primitive", name: "boolean" });
    }
    case SyntaxKind.ConditionalType:
      return conditionalType(walk, node as ts.ConditionalTypeNode, place);
    case SyntaxKind.InferType: {
      const { name } = (node as ts.InferTypeNode).typeParameter;
      draft.bind({ name: name.text, scope: place.scope, line: walk.start(node), kind: "type-parameter" });
      return draft.type({ k: "primitive", name: "unknown" });
    }
    case SyntaxKind.MappedType:
      return mappedType(walk, node as ts.MappedTypeNode, place);
    case SyntaxKind.LiteralType:
      return draft.type({ k: "primitive", name: literalName(walk, node as ts.LiteralTypeNode) });
    case SyntaxKind.ImportType:
      return importType(walk, node as ts.ImportTypeNode, place);
    default:
      return draft.type({ k: "primitive", name: keyword(walk, node.kind) });
  }
}

function typesOf(walk: Walk, nodes: readonly ts.TypeNode[], place: Place): number[] {
  return nodes.map((each) => walk.type(each, place));
}

function span(walk: Walk, node: ts.Node): { line: number; endLine: number } {
  return { line: walk.start(node), endLine: walk.line(node.end) };
}

function lookupType(walk: Walk, { objectType, indexType }: ts.IndexedAccessTypeNode, place: Place): number {
  const { ts, draft } = walk;
  const of = walk.type(objectType, place);
  const index = ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : "";
  return draft.type({ k: "lookup", of, name: index });
}

function conditionalType(walk: Walk, node: ts.ConditionalTypeNode, place: Place): number {
  const { draft } = walk;
  const within = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
  walk.type(node.checkType, within);
  walk.type(node.extendsType, within);
  return draft.type({ k: "union", items: [walk.type(node.trueType, within), walk.type(node.falseType, within)] });
}

function mappedType(walk: Walk, node: ts.MappedTypeNode, place: Place): number {
  const { draft } = walk;
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
