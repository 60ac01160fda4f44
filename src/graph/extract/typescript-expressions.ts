import type ts from "typescript";
import type { Place } from "./facts-draft.ts";
import { classExpression } from "./typescript-classes.ts";
import { declareFunction, flags } from "./typescript-functions.ts";
import { nameOf } from "./typescript-walk.ts";
import type { LambdaContext, Walk } from "./typescript-walk.ts";

/** Adds an expression and all its parts to the tables; `context` says where it is handed over, for lambdas and object literals. */
export function expressionFact(walk: Walk, node: ts.Expression, place: Place, context?: LambdaContext): number {
  const { draft } = walk;
  const { SyntaxKind } = walk.ts;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other kinds are made of their parts
  switch (node.kind) {
    case SyntaxKind.Identifier:
      return draft.expression({ k: "name", name: (node as ts.Identifier).text, scope: place.scope, line: walk.line(node.end) });
    case SyntaxKind.PropertyAccessExpression: {
      const access = node as ts.PropertyAccessExpression;
      const of = walk.expression(access.expression, place);
      return draft.expression({ k: "member", of, name: access.name.text, line: walk.line(access.name.end) });
    }
    case SyntaxKind.CallExpression:
      return callFact(walk, node as ts.CallExpression, place);
    case SyntaxKind.NewExpression: {
      const made = node as ts.NewExpression;
      return application(walk, made.expression, made.arguments ?? [], made.typeArguments, place, "new");
    }
    case SyntaxKind.ThisKeyword:
      return draft.expression({ k: "this", scope: place.scope, line: walk.line(node.end) });
    case SyntaxKind.SuperKeyword:
      return draft.expression({ k: "super", scope: place.scope, line: walk.line(node.end) });
    case SyntaxKind.StringLiteral:
    case SyntaxKind.NoSubstitutionTemplateLiteral:
      return draft.literal("string");
    case SyntaxKind.NumericLiteral:
      return draft.literal("number");
    case SyntaxKind.TrueKeyword:
    case SyntaxKind.FalseKeyword:
      return draft.literal("boolean");
    case SyntaxKind.NullKeyword:
      return draft.literal("null");
    case SyntaxKind.RegularExpressionLiteral:
      return draft.literal("RegExp");
    case SyntaxKind.ArrowFunction:
    case SyntaxKind.FunctionExpression:
      return functionExpression(walk, node as ts.ArrowFunction, place, context);
    case SyntaxKind.ClassExpression:
      return classExpression(walk, node as ts.ClassExpression, place);
    case SyntaxKind.ObjectLiteralExpression:
      return objectFact(walk, node as ts.ObjectLiteralExpression, place, context);
    case SyntaxKind.ParenthesizedExpression:
    case SyntaxKind.NonNullExpression:
      return walk.expression((node as ts.ParenthesizedExpression).expression, place, context);
    case SyntaxKind.AwaitExpression:
      return draft.expression({ k: "await", of: walk.expression((node as ts.AwaitExpression).expression, place) });
    case SyntaxKind.ArrayLiteralExpression:
      return draft.expression({
        k: "array",
        items: (node as ts.ArrayLiteralExpression).elements.map((item) => walk.expression(item, place)),
      });
    case SyntaxKind.SpreadElement:
      return draft.expression({ k: "spread", of: walk.expression((node as ts.SpreadElement).expression, place) });
    case SyntaxKind.ConditionalExpression: {
      const choice = node as ts.ConditionalExpression;
      walk.expression(choice.condition, place);
      return draft.expression({
        k: "either",
        items: [walk.expression(choice.whenTrue, place, context), walk.expression(choice.whenFalse, place, context)],
      });
    }
    case SyntaxKind.ElementAccessExpression:
      return elementAccess(walk, node as ts.ElementAccessExpression, place);
    case SyntaxKind.BinaryExpression:
      return binaryFact(walk, node as ts.BinaryExpression, place, context);
    case SyntaxKind.AsExpression:
    case SyntaxKind.TypeAssertionExpression:
      return castFact(walk, node as ts.AsExpression, place);
    case SyntaxKind.SatisfiesExpression: {
      const satisfied = node as ts.SatisfiesExpression;
      return walk.expression(satisfied.expression, place, { type: walk.type(satisfied.type, place) });
    }
    case SyntaxKind.TaggedTemplateExpression: {
      const tagged = node as ts.TaggedTemplateExpression;
      const parts = walk.ts.isTemplateExpression(tagged.template) ? tagged.template.templateSpans.map((span) => span.expression) : [];
      return application(walk, tagged.tag, parts, tagged.typeArguments, place, "tag");
    }
    case SyntaxKind.YieldExpression: {
      const yielded = node as ts.YieldExpression;
      if (yielded.expression !== undefined) {
        const value = walk.expression(yielded.expression, place);
        draft.addYield(place.symbol, yielded.asteriskToken === undefined ? value : draft.expression({ k: "element", of: value }));
      }
      return draft.nothing();
    }
    default:
      return otherFact(walk, node, place);
  }
}

/** All else: what it is made of, in one list; JSX among it. */
function otherFact(walk: Walk, node: ts.Expression, place: Place): number {
  const { ts, draft } = walk;
  if (ts.isJsxElement(node)) return jsxFact(walk, node.openingElement, node.children, place);
  if (ts.isJsxSelfClosingElement(node)) return jsxFact(walk, node, [], place);
  const of: number[] = [];
  ts.forEachChild(node, (child) => visitPart(walk, child, place, of));
  if (ts.isTemplateExpression(node))
    return draft.expression({ k: "cast", type: draft.type({ k: "primitive", name: "string" }), of: draft.expression({ k: "made", of }) });
  return draft.expression({ k: "made", of });
}

function visitPart(walk: Walk, node: ts.Node, place: Place, of: number[]): void {
  const { ts } = walk;
  if (ts.isTemplateSpan(node)) of.push(walk.expression(node.expression, place));
  else if (ts.isJsxExpression(node)) {
    if (node.expression !== undefined) of.push(walk.expression(node.expression, place));
  } else if (ts.isTypeNode(node)) walk.type(node, place);
  else if (ts.isExpression(node)) of.push(walk.expression(node, place));
}

function jsxFact(walk: Walk, opening: ts.JsxOpeningLikeElement, children: readonly ts.JsxChild[], place: Place): number {
  const { ts, draft } = walk;
  const index = draft.reserve();
  const args: number[] = [];
  for (const attribute of opening.attributes.properties) {
    if (ts.isJsxSpreadAttribute(attribute)) args.push(walk.expression(attribute.expression, place));
    else if (
      attribute.initializer !== undefined &&
      ts.isJsxExpression(attribute.initializer) &&
      attribute.initializer.expression !== undefined
    )
      args.push(walk.expression(attribute.initializer.expression, place));
  }
  for (const child of children) visitPart(walk, child, place, args);
  const tag = opening.tagName;
  const isOwn = !ts.isIdentifier(tag) || /^[^a-z]/u.test(tag.text);
  if (!isOwn || ts.isJsxNamespacedName(tag)) return draft.fill(index, { k: "made", of: args });
  const callee = walk.expression(tag, place);
  return draft.fill(index, { k: "call", callee, args, line: walk.start(opening), scope: place.scope, how: "jsx" });
}

function callFact(walk: Walk, node: ts.CallExpression, place: Place): number {
  const { ts, draft } = walk;
  if (node.expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(node.expression) && node.expression.text === "require")) {
    const [specifier] = node.arguments;
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      const line = walk.start(node);
      const local = `import(${specifier.text})`;
      draft.import({ module: specifier.text, name: "*", local, line }, 0);
      const of = draft.expression({ k: "name", name: local, scope: 0, line });
      if (node.expression.kind !== ts.SyntaxKind.ImportKeyword) return of;
      return draft.expression({
        k: "cast",
        type: draft.type({ k: "ref", name: ["Promise"], scope: 0, line, args: [draft.type({ k: "query", of })] }),
      });
    }
  }
  return application(walk, node.expression, node.arguments, node.typeArguments, place);
}

function application(
  walk: Walk,
  callee: ts.Expression,
  nodes: readonly ts.Expression[],
  typeNodes: readonly ts.TypeNode[] | undefined,
  place: Place,
  how?: "new" | "tag",
): number {
  const { draft } = walk;
  const index = draft.reserve();
  const target = walk.expression(callee, place);
  const args = nodes.map((argument, position) => walk.expression(argument, place, { call: index, argument: position }));
  const line = walk.line(callee.end);
  const { scope } = place;
  // Written out: most expressions come by here, and a spread makes an object more each time.
  if (typeNodes === undefined) {
    if (how === undefined) return draft.fill(index, { k: "call", callee: target, args, line, scope });
    return draft.fill(index, { k: "call", callee: target, args, line, scope, how });
  }
  const types = typeNodes.map((type) => walk.type(type, place));
  return draft.fill(index, { k: "call", callee: target, args, line, scope, types, ...(how === undefined ? {} : { how }) });
}

function functionExpression(walk: Walk, node: ts.ArrowFunction | ts.FunctionExpression, place: Place, context?: LambdaContext): number {
  const { draft } = walk;
  const at = { line: walk.start(node), endLine: walk.line(node.end) };
  const inner = draft.declare(place, {
    name: "",
    kind: "function",
    ...at,
    hidden: true,
    ...flags(walk, node),
    ...(context === undefined ? {} : { context }),
  });
  const name = nameOf(walk, node.name);
  if (name !== undefined) draft.bindSymbol(name, inner.scope, inner.symbol, at.line);
  if (walk.ts.isArrowFunction(node)) draft.draft(inner.symbol).isArrow = true;
  declareFunction(walk, node, inner);
  return draft.expression({ k: "symbol", symbol: inner.symbol });
}

function objectFact(walk: Walk, node: ts.ObjectLiteralExpression, place: Place, context?: LambdaContext): number {
  const at = { line: walk.start(node), endLine: walk.line(node.end) };
  const inner = walk.draft.declare(place, { name: "", kind: "object", ...at, hidden: true, ...(context === undefined ? {} : { context }) });
  const extra = fillObject(walk, node, inner);
  const symbol = walk.draft.expression({ k: "symbol", symbol: inner.symbol });
  return extra.length === 0 ? symbol : walk.draft.expression({ k: "either", items: [symbol, ...extra] });
}

/** The properties of an object literal as members of `inner`; answers the expressions that are spread into it. */
export function fillObject(walk: Walk, node: ts.ObjectLiteralExpression, inner: Place): number[] {
  const { ts, draft } = walk;
  const spread: number[] = [];
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      spread.push(walk.expression(property.expression, inner));
      continue;
    }
    const name = nameOf(walk, property.name);
    const at = { name: name ?? "", line: walk.start(property), endLine: walk.line(property.end) };
    const context = { object: inner.symbol, key: name ?? "" };
    if (ts.isShorthandPropertyAssignment(property)) {
      const value = draft.expression({ k: "name", name: at.name, scope: inner.scope, line: at.line });
      draft.draft(draft.declare(inner, { ...at, kind: "field", hidden: true }).symbol).value = value;
    } else if (ts.isPropertyAssignment(property)) {
      const { initializer } = property;
      if (ts.isLiteralExpression(initializer) && !ts.isRegularExpressionLiteral(initializer)) continue;
      if (name !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))) {
        const method = draft.declare(inner, {
          ...at,
          kind: "method",
          ...flags(walk, initializer),
          context,
          ...(ts.isArrowFunction(initializer) ? { isArrow: true } : {}),
        });
        declareFunction(walk, initializer, method);
        continue;
      }
      const field = draft.declare(inner, { ...at, kind: "field", hidden: true });
      draft.draft(field.symbol).value = walk.expression(initializer, field, context);
    } else {
      const isAccessor = ts.isGetAccessorDeclaration(property);
      const method = draft.declare(inner, {
        ...at,
        kind: "method",
        ...flags(walk, property),
        context,
        ...(isAccessor ? { isAccessor } : {}),
        ...(name === undefined ? { hidden: true } : {}),
      });
      declareFunction(walk, property, method);
    }
  }
  return spread;
}

function elementAccess(walk: Walk, node: ts.ElementAccessExpression, place: Place): number {
  const { ts, draft } = walk;
  const of = walk.expression(node.expression, place);
  const { argumentExpression: argument } = node;
  if (ts.isStringLiteralLike(argument)) return draft.expression({ k: "member", of, name: argument.text, line: walk.line(node.end) });
  if (ts.isNumericLiteral(argument)) return draft.expression({ k: "item", of, index: Number(argument.text) });
  walk.expression(argument, place);
  return draft.expression({ k: "value", of });
}

function castFact(walk: Walk, node: ts.AsExpression | ts.TypeAssertion, place: Place): number {
  const { ts, draft } = walk;
  const isConst = ts.isTypeReferenceNode(node.type) && ts.isIdentifier(node.type.typeName) && node.type.typeName.text === "const";
  if (isConst) return walk.expression(node.expression, place);
  const type = walk.type(node.type, place);
  const of = walk.expression(node.expression, place, { type });
  return draft.expression({ k: "cast", type, of });
}

function binaryFact(walk: Walk, node: ts.BinaryExpression, place: Place, context?: LambdaContext): number {
  const { ts, draft } = walk;
  const operator = node.operatorToken.kind;
  const { SyntaxKind } = ts;
  const isAssignment = operator >= SyntaxKind.FirstAssignment && operator <= SyntaxKind.LastAssignment;
  if (isAssignment) {
    const target = walk.expression(node.left, place);
    const value = walk.expression(node.right, place, { ofTarget: target });
    draft.assignments.push({ target, value, line: walk.start(node), scope: place.scope });
    return value;
  }
  const items = [walk.expression(node.left, place), walk.expression(node.right, place, context)];
  if (operator === SyntaxKind.BarBarToken || operator === SyntaxKind.QuestionQuestionToken) return draft.expression({ k: "either", items });
  if (operator === SyntaxKind.AmpersandAmpersandToken) return draft.expression({ k: "either", items: items.toReversed() });
  if (operator === SyntaxKind.CommaToken) return items[1] ?? draft.expression({ k: "made", of: items });
  return draft.expression({ k: "made", of: items });
}
