import type ts from "typescript";
import type { Place } from "./facts-draft.ts";
import type { Walk } from "./typescript-walk.ts";

/** `import …` in all its forms. */
export function importStatement(walk: Walk, node: ts.ImportDeclaration): void {
  const { ts, draft } = walk;
  if (!ts.isStringLiteral(node.moduleSpecifier)) return;
  const module = node.moduleSpecifier.text;
  const line = walk.start(node);
  const clause = node.importClause;
  if (clause === undefined) {
    draft.import({ module, name: "*", line }, 0);
    return;
  }
  const shared = { module, ...(clause.isTypeOnly ? { typeOnly: true } : {}) };
  if (clause.name !== undefined) draft.import({ ...shared, name: "default", local: clause.name.text, line }, 0);
  const named = clause.namedBindings;
  if (named === undefined) return;
  if (ts.isNamespaceImport(named)) {
    draft.import({ ...shared, name: "*", local: named.name.text, line }, 0);
    return;
  }
  if (named.elements.length === 0) draft.import({ ...shared, name: "*", line }, 0);
  for (const element of named.elements)
    draft.import(
      { ...shared, name: (element.propertyName ?? element.name).text, local: element.name.text, line: walk.line(element.end) },
      0,
    );
}

/** `import x = require("y")` and `import x = A.B`. */
export function importEquals(walk: Walk, node: ts.ImportEqualsDeclaration, place: Place): void {
  const { ts, draft } = walk;
  const line = walk.start(node);
  const { moduleReference } = node;
  if (ts.isExternalModuleReference(moduleReference)) {
    const { expression } = moduleReference;
    if (ts.isStringLiteralLike(expression)) draft.import({ module: expression.text, name: "=", local: node.name.text, line }, place.scope);
    return;
  }
  const value = qualified(walk, moduleReference, place);
  draft.bind({ name: node.name.text, scope: place.scope, line, kind: "variable", value });
}

function qualified(walk: Walk, name: ts.EntityName, place: Place): number {
  const { ts, draft } = walk;
  const line = walk.line(name.end);
  if (ts.isIdentifier(name)) return draft.expression({ k: "name", name: name.text, scope: place.scope, line });
  return draft.expression({ k: "member", of: qualified(walk, name.left, place), name: name.right.text, line });
}

/** `export {…}`, `export * from`, `export * as x from`. */
export function exportStatement(walk: Walk, node: ts.ExportDeclaration): void {
  const { ts, draft } = walk;
  const line = walk.start(node);
  const module = node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  if (module !== undefined) draft.import({ module, name: "*", line }, 0);
  const clause = node.exportClause;
  const from = module === undefined ? {} : { module };
  if (clause === undefined) draft.exports.push({ name: "*", ...from, line });
  else if (ts.isNamespaceExport(clause)) draft.exports.push({ name: clause.name.text, local: "*", ...from, line });
  else
    for (const element of clause.elements)
      draft.exports.push({
        name: element.name.text,
        local: (element.propertyName ?? element.name).text,
        ...from,
        line: walk.line(element.end),
      });
}

/** `export default x` and `export = x`. */
export function exportAssignment(walk: Walk, node: ts.ExportAssignment, place: Place): void {
  const value = walk.expression(node.expression, place);
  const line = walk.start(node);
  walk.draft.exports.push({ name: node.isExportEquals === true ? "=" : "default", line, value });
  const fact = walk.draft.expressions[value];
  if (fact?.k !== "symbol") return;
  const symbol = walk.draft.draft(fact.symbol);
  if (symbol.kind === "object") return;
  symbol.hidden = false;
  symbol.exported = true;
  if (symbol.name === "") symbol.name = "default";
}

/** `module.exports = …`, `exports.x = …`, `module.exports.x = …`: answers whether the statement was one. */
export function commonJsExport(walk: Walk, node: ts.BinaryExpression, place: Place): boolean {
  const { ts, draft } = walk;
  if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken || !ts.isPropertyAccessExpression(node.left)) return false;
  const path = accessPath(walk, node.left);
  if (path === undefined) return false;
  const line = walk.start(node);
  const name = path.join(".") === "module.exports" ? "=" : exportedName(path);
  if (name === undefined) return false;
  const value = walk.expression(node.right, place);
  const fact = draft.expressions[value];
  if (fact?.k === "symbol" && name !== "=") {
    const symbol = draft.draft(fact.symbol);
    if (symbol.name === "") symbol.name = name;
    symbol.hidden = false;
    symbol.exported = true;
  }
  draft.exports.push({ name, line, value });
  return true;
}

function exportedName(path: readonly string[]): string | undefined {
  if (path.length === 2 && path[0] === "exports") return path[1];
  return path.length === 3 && path[0] === "module" && path[1] === "exports" ? path[2] : undefined;
}

/** The names of `a.b.c`, of as many as an export can have; undefined for all else. */
function accessPath(walk: Walk, node: ts.Expression): string[] | undefined {
  const { ts } = walk;
  const path: string[] = [];
  let at = node;
  for (; ts.isPropertyAccessExpression(at); at = at.expression) if (path.push(at.name.text) > 2) return undefined;
  return ts.isIdentifier(at) && (at.text === "module" || at.text === "exports") ? [at.text, ...path.toReversed()] : undefined;
}
