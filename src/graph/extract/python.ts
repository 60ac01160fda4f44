import type { BlobFacts } from "../facts.ts";
import { child, childrenIn, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { ParsedTree } from "../parse/grammars.ts";
import { FactsDraft } from "./facts-draft.ts";
import type { Place } from "./facts-draft.ts";
import { bindTarget, pythonExpression } from "./python-expressions.ts";
import { declarePythonFunction } from "./python-functions.ts";
import { pythonType } from "./python-types.ts";
import { span } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** The facts of a Python file. */
export function extractPython({ root, syntaxErrors }: ParsedTree, source: string): BlobFacts {
  const draft = new FactsDraft("python", root.endLine);
  const walk: TreeWalk = {
    draft,
    text: (node) => source.slice(node.start, node.end),
    statement: (node, place) => statement(walk, node, place),
    expression: (node, place, context) => pythonExpression(walk, node, place, context),
    type: (node, place) => pythonType(walk, node, place),
  };
  for (const node of root.children) statement(walk, node, draft.top);
  return draft.facts(syntaxErrors);
}

function statement(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  switch (node.type) {
    case "function_definition":
      declarePythonFunction(walk, node, place, []);
      return;
    case "class_definition":
      declareClass(walk, node, place);
      return;
    case "decorated_definition":
      decorated(walk, node, place);
      return;
    case "import_statement":
      for (const name of childrenIn(node, "name")) importModule(walk, name, place);
      return;
    case "import_from_statement":
      importFrom(walk, node, place);
      return;
    case "return_statement": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return;
    }
    case "for_statement": {
      const over = child(node, "right");
      const left = child(node, "left");
      if (over !== undefined && left !== undefined)
        bindTarget(walk, left, draft.expression({ k: "element", of: walk.expression(over, place) }), place);
      for (const each of node.children) if (each !== over && each !== left) walk.statement(each, place);
      return;
    }
    case "with_item": {
      const value = child(node, "value");
      if (value === undefined) return;
      const [inner, alias] = value.type === "as_pattern" ? value.children : [value];
      if (inner === undefined) return;
      const entered = draft.expression({ k: "enter", of: walk.expression(inner, place) });
      const [target] = alias?.children ?? [];
      if (target !== undefined) bindTarget(walk, target, entered, place);
      return;
    }
    case "except_clause":
      exceptClause(walk, node, place);
      return;
    case "if_statement":
      ifStatement(walk, node, place);
      return;
    case "type_alias_statement": {
      const [name, value] = node.children;
      if (name === undefined || value === undefined) return;
      const inner = draft.declare(place, { name: walk.text(name), kind: "type", ...span(node) });
      draft.bindSymbol(walk.text(name), place.scope, inner.symbol, node.line);
      draft.draft(inner.symbol).type = walk.type(value, inner);
      return;
    }
    case "expression_statement":
      for (const each of node.children) expressionStatement(walk, each, place);
      return;
    default:
      if (STATEMENTS.test(node.type)) for (const each of node.children) walk.statement(each, place);
      else if (node.type !== "comment") walk.expression(node, place);
  }
}

const STATEMENTS = /^(?:block|module|.*_statement|.*_clause|case_pattern|match_block)$/u;

function decorated(walk: TreeWalk, node: PlainNode, place: Place): void {
  const definition = child(node, "definition");
  if (definition === undefined) return;
  const decorators = node.children.filter(({ type }) => type === "decorator").flatMap(({ children }) => children.slice(0, 1));
  const inner =
    definition.type === "class_definition"
      ? declareClass(walk, definition, place)
      : declarePythonFunction(walk, definition, place, decorators);
  if (inner === undefined || decorators.length === 0) return;
  const at = { symbol: inner.symbol, scope: walk.draft.scope(place.scope, inner.symbol) };
  walk.draft.draft(inner.symbol).decorators = decorators.map((decorator) => {
    const callee = walk.expression(decorator, at);
    if (decorator.type === "call") return callee;
    return walk.draft.expression({ k: "call", callee, args: [], line: decorator.line, scope: at.scope, how: "decorator" });
  });
}

function declareClass(walk: TreeWalk, node: PlainNode, place: Place): Place | undefined {
  const { draft } = walk;
  const nameNode = child(node, "name");
  const body = child(node, "body");
  if (nameNode === undefined) return undefined;
  const name = walk.text(nameNode);
  const inner = draft.declare(place, { name, kind: "class", ...span(node) });
  draft.bindSymbol(name, place.scope, inner.symbol, node.line);
  const bases = child(node, "superclasses")?.children ?? [];
  const heritage = bases
    .filter(({ type }) => type !== "keyword_argument" && type !== "comment")
    .map((base) => ({ how: "extends" as const, type: walk.type(base, place) }));
  for (const keyword of bases.filter(({ type }) => type === "keyword_argument")) {
    const value = child(keyword, "value");
    if (value !== undefined) walk.expression(value, { symbol: inner.symbol, scope: place.scope });
  }
  const generic = bases.find((base) => base.type === "subscript" && ["Generic", "Protocol"].includes(walk.text(base.children[0] ?? base)));
  if (generic !== undefined) {
    const names = generic.children.slice(1).map((each) => walk.text(each));
    draft.draft(inner.symbol).typeParameters = names.map((each) => ({ name: each }));
    for (const each of names) draft.bind({ name: each, scope: inner.scope, line: node.line, kind: "type-parameter", of: inner.symbol });
  }
  if (heritage.length > 0) draft.draft(inner.symbol).heritage = heritage;
  if (body !== undefined) walk.statement(body, inner);
  return inner;
}

function importModule(walk: TreeWalk, node: PlainNode, place: Place): void {
  const name = child(node, "name") ?? node;
  const alias = child(node, "alias");
  const module = walk.text(name);
  const [head = module] = module.split(".");
  if (alias !== undefined) walk.draft.import({ module, name: "*", local: walk.text(alias), line: node.line }, place.scope);
  else {
    walk.draft.import({ module: head, name: "*", local: head, line: node.line }, place.scope);
    if (head !== module) walk.draft.import({ module, name: "*", line: node.line }, place.scope);
  }
}

function importFrom(walk: TreeWalk, node: PlainNode, place: Place): void {
  const from = child(node, "module_name");
  if (from === undefined) return;
  const module = walk.text(from).replaceAll(/\s/gu, "");
  if (ofType(node, "wildcard_import") !== undefined) {
    walk.draft.import({ module, name: "*", line: node.line, all: true }, place.scope);
    return;
  }
  for (const each of childrenIn(node, "name")) {
    const name = walk.text(child(each, "name") ?? each);
    const alias = child(each, "alias");
    walk.draft.import({ module, name, local: alias === undefined ? name : walk.text(alias), line: each.line }, place.scope);
  }
}

function exceptClause(walk: TreeWalk, node: PlainNode, place: Place): void {
  const value = child(node, "value");
  for (const each of node.children) {
    if (each !== value) {
      walk.statement(each, place);
      continue;
    }
    const [kind, alias] = each.type === "as_pattern" ? each.children : [each];
    if (kind === undefined) continue;
    walk.expression(kind, place);
    const name = alias?.children[0] ?? alias;
    if (name !== undefined && kind.type !== "tuple")
      walk.draft.bind({ name: walk.text(name), scope: place.scope, line: each.line, kind: "variable", type: walk.type(kind, place) });
  }
}

/** `if isinstance(x, C)`: inside, x is a C. */
function ifStatement(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const condition = child(node, "condition");
  for (const each of node.children) {
    if (each === condition) walk.expression(each, place);
    else if (each.field === "consequence" && condition !== undefined) {
      const inner = { symbol: place.symbol, scope: place.scope };
      const checked = narrowed(walk, condition);
      if (checked === undefined) walk.statement(each, inner);
      else {
        const scope = draft.scope(place.scope, place.symbol);
        draft.bind({ name: checked.name, scope, line: each.line, kind: "variable", type: walk.type(checked.type, place) });
        walk.statement(each, {
          symbol: place.symbol,
          scope,
          ...(place.bindings === undefined ? { bindings: place.scope } : { bindings: place.bindings }),
        });
      }
    } else walk.statement(each, place);
  }
}

function narrowed(walk: TreeWalk, condition: PlainNode): { name: string; type: PlainNode } | undefined {
  if (condition.type === "boolean_operator" && walk.text(condition).includes(" and ")) {
    const left = child(condition, "left");
    return left === undefined ? undefined : narrowed(walk, left);
  }
  if (condition.type !== "call" || walk.text(condition.children[0] ?? condition) !== "isinstance") return undefined;
  const [value, type] = child(condition, "arguments")?.children ?? [];
  return value?.type === "identifier" && type !== undefined && type.type !== "tuple" ? { name: walk.text(value), type } : undefined;
}

function expressionStatement(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  if (node.type !== "assignment") {
    walk.expression(node, place);
    return;
  }
  const left = child(node, "left");
  const right = child(node, "right");
  const typeNode = child(node, "type");
  if (left === undefined) return;
  const { kind, scope } = draft.draft(place.symbol);
  if (left.type === "identifier" && (kind === "module" || kind === "class") && scope === place.scope) {
    declareVariable(walk, { left, right, typeNode, isField: kind === "class" }, node, place);
    return;
  }
  const type = typeNode === undefined ? undefined : walk.type(typeNode, place);
  const value = right === undefined ? undefined : walk.expression(right, place);
  if (left.type === "identifier" && (type !== undefined || value !== undefined)) {
    draft.bind({
      name: walk.text(left),
      scope: place.bindings ?? place.scope,
      line: node.line,
      kind: "variable",
      ...(type === undefined ? {} : { type }),
      ...(value === undefined ? {} : { value }),
    });
    return;
  }
  if (left.type === "attribute" && type !== undefined) {
    const target = walk.expression(left, place);
    draft.assignments.push({
      target,
      value: draft.expression({ k: "cast", type, ...(value === undefined ? {} : { of: value }) }),
      line: node.line,
      scope: place.scope,
    });
  } else if (value !== undefined) bindTarget(walk, left, value, place);
}

interface Variable {
  readonly left: PlainNode;
  readonly right: PlainNode | undefined;
  readonly typeNode: PlainNode | undefined;
  readonly isField: boolean;
}

function declareVariable(walk: TreeWalk, { left, right, typeNode, isField }: Variable, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const name = walk.text(left);
  const inner = draft.declare(place, { name, kind: isField ? "field" : "variable", ...span(node) });
  draft.bindSymbol(name, place.scope, inner.symbol, node.line);
  const symbol = draft.draft(inner.symbol);
  if (typeNode !== undefined) symbol.type = walk.type(typeNode, place);
  if (right !== undefined) symbol.value = walk.expression(right, inner);
}
