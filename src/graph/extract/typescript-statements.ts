import type ts from "typescript";
import type { Place, SymbolDraft } from "./facts-draft.ts";
import { bindPattern } from "./typescript-bindings.ts";
import { declareClass, declareHeritage } from "./typescript-classes.ts";
import { fillObject } from "./typescript-expressions.ts";
import { declareFunction, declareTypeMembers, declareTypeParameters, flags } from "./typescript-functions.ts";
import { commonJsExport, exportAssignment, exportStatement, importEquals, importStatement } from "./typescript-modules.ts";
import { has, nameOf } from "./typescript-walk.ts";
import type { Walk } from "./typescript-walk.ts";

/** Adds a statement's declarations and expressions to the tables. */
export function statementFacts(walk: Walk, node: ts.Statement, place: Place): void {
  const { SyntaxKind } = walk.ts;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other kinds hold statements and expressions
  switch (node.kind) {
    case SyntaxKind.ExpressionStatement:
      return expressionStatement(walk, (node as ts.ExpressionStatement).expression, place);
    case SyntaxKind.VariableStatement:
      return variables(walk, (node as ts.VariableStatement).declarationList, place, isExported(walk, node));
    case SyntaxKind.ReturnStatement:
      return returnStatement(walk, node as ts.ReturnStatement, place);
    case SyntaxKind.FunctionDeclaration:
      return functionDeclaration(walk, node as ts.FunctionDeclaration, place);
    case SyntaxKind.ClassDeclaration:
      return classDeclaration(walk, node as ts.ClassDeclaration, place);
    case SyntaxKind.InterfaceDeclaration:
      return interfaceDeclaration(walk, node as ts.InterfaceDeclaration, place);
    case SyntaxKind.TypeAliasDeclaration:
      return aliasDeclaration(walk, node as ts.TypeAliasDeclaration, place);
    case SyntaxKind.EnumDeclaration:
      return enumDeclaration(walk, node as ts.EnumDeclaration, place);
    case SyntaxKind.ModuleDeclaration:
      return moduleDeclaration(walk, node as ts.ModuleDeclaration, place);
    case SyntaxKind.ImportDeclaration:
      return importStatement(walk, node as ts.ImportDeclaration);
    case SyntaxKind.ImportEqualsDeclaration:
      return importEquals(walk, node as ts.ImportEqualsDeclaration, place);
    case SyntaxKind.ExportDeclaration:
      return exportStatement(walk, node as ts.ExportDeclaration);
    case SyntaxKind.ExportAssignment:
      return exportAssignment(walk, node as ts.ExportAssignment, place);
    default:
      return controlFlow(walk, node, place);
  }
}

function expressionStatement(walk: Walk, node: ts.Expression, place: Place): void {
  if (walk.ts.isBinaryExpression(node) && commonJsExport(walk, node, place)) return;
  walk.expression(node, place);
}

function returnStatement(walk: Walk, { expression }: ts.ReturnStatement, place: Place): void {
  if (expression === undefined) return;
  walk.draft.addReturn(place.symbol, walk.expression(expression, place, { returnOf: place.symbol }));
}

function isExported(walk: Walk, node: ts.Node): boolean {
  return has(node, walk.ts.SyntaxKind.ExportKeyword);
}

/** Binds a declared name where it stands, and gives it outside when it says `export`. */
function publish(walk: Walk, node: ts.Node, name: string, inner: Place, place: Place): void {
  const { draft, ts } = walk;
  const line = walk.start(node);
  if (name !== "") draft.bindSymbol(name, place.scope, inner.symbol, line);
  if (!isExported(walk, node)) return;
  draft.draft(inner.symbol).exported = true;
  if (place.symbol !== 0) return;
  const value = draft.expression({ k: "symbol", symbol: inner.symbol });
  if (has(node, ts.SyntaxKind.DefaultKeyword)) draft.exports.push({ name: "default", line, value });
  else draft.exports.push({ name, local: name, line });
}

function span(walk: Walk, node: ts.Node & { name?: ts.Node | undefined }): { line: number; endLine: number } {
  return { line: walk.start(node.name ?? node), endLine: walk.line(node.end) };
}

function functionDeclaration(walk: Walk, node: ts.FunctionDeclaration, place: Place): void {
  const name = node.name?.text ?? "default";
  const inner = walk.draft.declare(place, { name, kind: "function", ...span(walk, node), ...flags(walk, node) });
  publish(walk, node, node.name === undefined ? "" : name, inner, place);
  declareFunction(walk, node, inner);
}

function classDeclaration(walk: Walk, node: ts.ClassDeclaration, place: Place): void {
  const inner = declareClass(walk, node, place, { name: node.name?.text ?? "default" });
  publish(walk, node, node.name?.text ?? "", inner, place);
}

function interfaceDeclaration(walk: Walk, node: ts.InterfaceDeclaration, place: Place): void {
  const inner = walk.draft.declare(place, { name: node.name.text, kind: "interface", ...span(walk, node) });
  publish(walk, node, node.name.text, inner, place);
  declareTypeParameters(walk, node.typeParameters, inner);
  declareHeritage(walk, node.heritageClauses, inner);
  declareTypeMembers(walk, node.members, inner);
}

function aliasDeclaration(walk: Walk, node: ts.TypeAliasDeclaration, place: Place): void {
  const inner = walk.draft.declare(place, { name: node.name.text, kind: "type", ...span(walk, node) });
  publish(walk, node, node.name.text, inner, place);
  declareTypeParameters(walk, node.typeParameters, inner);
  walk.draft.draft(inner.symbol).type = walk.type(node.type, inner);
}

function enumDeclaration(walk: Walk, node: ts.EnumDeclaration, place: Place): void {
  const { draft } = walk;
  const inner = draft.declare(place, { name: node.name.text, kind: "enum", ...span(walk, node) });
  publish(walk, node, node.name.text, inner, place);
  for (const member of node.members) {
    const field = draft.declare(inner, {
      name: nameOf(walk, member.name) ?? "",
      kind: "field",
      ...span(walk, member),
      isStatic: true,
      hidden: true,
    });
    if (member.initializer !== undefined) walk.expression(member.initializer, field);
  }
}

function moduleDeclaration(walk: Walk, node: ts.ModuleDeclaration, place: Place): void {
  const { ts, draft } = walk;
  const { body } = node;
  const isGlobal = ts.isStringLiteral(node.name) || (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  let inner = place;
  if (!isGlobal) {
    inner = draft.declare(place, { name: node.name.text, kind: "namespace", ...span(walk, node) });
    publish(walk, node, node.name.text, inner, place);
  }
  if (body === undefined) return;
  if (ts.isModuleBlock(body)) for (const statement of body.statements) walk.statement(statement, inner);
  else if (ts.isModuleDeclaration(body)) moduleDeclaration(walk, body, inner);
}

function isVisibleScope(walk: Walk, place: Place): boolean {
  const { kind } = walk.draft.draft(place.symbol);
  return (kind === "module" || kind === "namespace") && walk.draft.draft(place.symbol).scope === place.scope;
}

function variables(walk: Walk, list: ts.VariableDeclarationList, place: Place, exported: boolean): void {
  for (const declaration of list.declarations) variable(walk, declaration, place, exported);
}

function variable(walk: Walk, node: ts.VariableDeclaration, place: Place, exported: boolean): void {
  const { ts, draft } = walk;
  if (!ts.isIdentifier(node.name)) {
    if (node.initializer === undefined) return;
    const of = walk.expression(node.initializer, place);
    if (exported) exportPattern(walk, node.name);
    bindPattern(walk, node.name, of, place);
    return;
  }
  const name = node.name.text;
  const initializer = bare(walk, node.initializer);
  const isFunction = initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  if (!isFunction && !isVisibleScope(walk, place)) {
    localVariable(walk, node, name, place);
    return;
  }
  const shared = { name, ...span(walk, node), ...(exported ? { exported } : {}) };
  if (exported && place.symbol === 0) draft.exports.push({ name, local: name, line: shared.line });
  if (initializer !== undefined && ts.isClassExpression(initializer)) {
    const inner = declareClass(walk, initializer, place, { name, exported });
    draft.bindSymbol(name, place.scope, inner.symbol, shared.line);
    return;
  }
  const kind = isFunction ? "function" : initializer !== undefined && ts.isObjectLiteralExpression(initializer) ? "object" : "variable";
  const extra: Partial<SymbolDraft> = isFunction
    ? { ...flags(walk, initializer), ...(ts.isArrowFunction(initializer) ? { isArrow: true } : {}) }
    : {};
  const inner = draft.declare(place, { ...shared, kind, ...extra });
  draft.bindSymbol(name, place.scope, inner.symbol, shared.line);
  const symbol = draft.draft(inner.symbol);
  const type = node.type === undefined ? undefined : walk.type(node.type, place);
  if (type !== undefined) symbol.context = { type };
  if (isFunction) declareFunction(walk, initializer, inner);
  else if (kind === "object" && initializer !== undefined && ts.isObjectLiteralExpression(initializer)) {
    const spread = fillObject(walk, initializer, inner);
    if (spread.length > 0) symbol.value = draft.expression({ k: "either", items: spread });
    if (type !== undefined) symbol.type = type;
  } else {
    if (type !== undefined) symbol.type = type;
    if (node.initializer !== undefined) symbol.value = walk.expression(node.initializer, inner, type === undefined ? undefined : { type });
  }
}

function bare(walk: Walk, node: ts.Expression | undefined): ts.Expression | undefined {
  const { ts } = walk;
  if (node === undefined) return undefined;
  if (ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node)) return bare(walk, node.expression);
  if (
    ts.isAsExpression(node) &&
    ts.isTypeReferenceNode(node.type) &&
    ts.isIdentifier(node.type.typeName) &&
    node.type.typeName.text === "const"
  )
    return bare(walk, node.expression);
  return node;
}

function localVariable(walk: Walk, node: ts.VariableDeclaration, name: string, place: Place): void {
  const type = node.type === undefined ? undefined : walk.type(node.type, place);
  const value =
    node.initializer === undefined ? undefined : walk.expression(node.initializer, place, type === undefined ? undefined : { type });
  walk.draft.bind({
    name,
    scope: place.scope,
    line: walk.start(node),
    kind: "variable",
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { value }),
  });
}

function exportPattern(walk: Walk, pattern: ts.BindingName): void {
  const { ts, draft } = walk;
  if (ts.isIdentifier(pattern)) {
    draft.exports.push({ name: pattern.text, local: pattern.text, line: walk.start(pattern) });
    return;
  }
  for (const element of pattern.elements) if (ts.isBindingElement(element)) exportPattern(walk, element.name);
}

/** Blocks, branches and loops: whatever they hold, in a scope of their own. */
function controlFlow(walk: Walk, node: ts.Node, place: Place): void {
  const { ts, draft } = walk;
  const within = () => ({ symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) });
  if (ts.isBlock(node) || ts.isCaseBlock(node)) {
    const inner = within();
    ts.forEachChild(node, (child) => visitChild(walk, child, inner));
  } else if (ts.isForOfStatement(node) || ts.isForInStatement(node)) loop(walk, node, within());
  else if (ts.isForStatement(node)) {
    const inner = within();
    ts.forEachChild(node, (child) => visitChild(walk, child, inner));
  } else if (ts.isIfStatement(node)) {
    walk.expression(node.expression, place);
    const inner = within();
    narrow(walk, node.expression, inner);
    walk.statement(node.thenStatement, inner);
    if (node.elseStatement !== undefined) walk.statement(node.elseStatement, place);
  } else if (ts.isCatchClause(node)) {
    const inner = within();
    if (node.variableDeclaration !== undefined) variable(walk, node.variableDeclaration, inner, false);
    walk.statement(node.block, inner);
  } else ts.forEachChild(node, (child) => visitChild(walk, child, place));
}

function visitChild(walk: Walk, node: ts.Node, place: Place): void {
  const { ts } = walk;
  if (ts.isStatement(node)) walk.statement(node, place);
  else if (ts.isVariableDeclarationList(node)) variables(walk, node, place, false);
  else if (ts.isExpression(node)) walk.expression(node, place);
  else controlFlow(walk, node, place);
}

function loop(walk: Walk, node: ts.ForOfStatement | ts.ForInStatement, inner: Place): void {
  const { ts, draft } = walk;
  const over = walk.expression(node.expression, inner);
  const value = ts.isForOfStatement(node)
    ? draft.expression({ k: "element", of: over })
    : draft.expression({ k: "literal", name: "string" });
  if (ts.isVariableDeclarationList(node.initializer)) {
    for (const declaration of node.initializer.declarations) bindPattern(walk, declaration.name, value, inner);
  } else {
    const target = walk.expression(node.initializer, inner);
    draft.assignments.push({ target, value, line: walk.start(node), scope: inner.scope });
  }
  walk.statement(node.statement, inner);
}

/** `if (x instanceof C)`: inside, `x` is a C. */
function narrow(walk: Walk, condition: ts.Expression, inner: Place): void {
  const { ts, draft } = walk;
  if (!ts.isBinaryExpression(condition)) return;
  const { left, right, operatorToken } = condition;
  if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
    narrow(walk, left, inner);
    narrow(walk, right, inner);
  } else if (operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword && ts.isIdentifier(left) && ts.isIdentifier(right)) {
    const line = walk.line(right.end);
    const type = draft.type({ k: "ref", name: [right.text], scope: inner.scope, line });
    draft.bind({ name: left.text, scope: inner.scope, line, kind: "variable", type });
  }
}
