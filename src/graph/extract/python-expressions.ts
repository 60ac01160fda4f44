import { child, childrenIn } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { declareParameters } from "./python-functions.ts";
import { madeOf, span } from "./tree-walk.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** Adds an expression and its parts to the tables. */
export function pythonExpression(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number {
  const { draft } = walk;
  switch (node.type) {
    case "identifier":
      return draft.expression({ k: "name", name: walk.text(node), scope: place.scope, line: node.line });
    case "attribute": {
      const object = child(node, "object");
      const name = child(node, "attribute");
      if (object === undefined || name === undefined) return madeOf(walk, node.children, place);
      return draft.expression({ k: "member", of: walk.expression(object, place), name: walk.text(name), line: name.line });
    }
    case "call":
      return callFact(walk, node, place);
    case "string":
    case "concatenated_string": {
      const parts = interpolations(node).map((each) => walk.expression(each, place));
      if (parts.length > 0) draft.expression({ k: "made", of: parts });
      return draft.expression({ k: "literal", name: "string" });
    }
    case "integer":
    case "float":
      return draft.expression({ k: "literal", name: "number" });
    case "true":
    case "false":
      return draft.expression({ k: "literal", name: "boolean" });
    case "none":
      return draft.expression({ k: "literal", name: "null" });
    case "parenthesized_expression": {
      const [inner] = node.children.filter(({ type }) => type !== "comment");
      return inner === undefined ? madeOf(walk, [], place) : walk.expression(inner, place, context);
    }
    case "await": {
      const [inner] = node.children;
      return draft.expression({
        k: "await",
        of: inner === undefined ? draft.expression({ k: "made", of: [] }) : walk.expression(inner, place),
      });
    }
    case "list":
    case "set":
      return draft.expression({ k: "array", items: node.children.map((each) => walk.expression(each, place)) });
    case "tuple":
    case "expression_list":
      return draft.expression({ k: "tuple", items: node.children.map((each) => walk.expression(each, place)) });
    case "list_splat":
      return draft.expression({ k: "spread", of: madeOf(walk, node.children, place) });
    case "dictionary":
      return dictionary(walk, node, place);
    case "conditional_expression": {
      const [yes, condition, no] = node.children;
      if (condition !== undefined) walk.expression(condition, place);
      return draft.expression({
        k: "either",
        items: [yes, no].flatMap((each) => (each === undefined ? [] : [walk.expression(each, place)])),
      });
    }
    case "boolean_operator":
      return draft.expression({ k: "either", items: node.children.map((each) => walk.expression(each, place)) });
    case "subscript":
      return subscript(walk, node, place);
    case "lambda":
      return lambda(walk, node, place, context);
    case "list_comprehension":
    case "set_comprehension":
    case "generator_expression":
    case "dictionary_comprehension":
      return comprehension(walk, node, place);
    case "named_expression": {
      const name = child(node, "name");
      const value = child(node, "value");
      if (name === undefined || value === undefined) return madeOf(walk, node.children, place);
      const found = walk.expression(value, place);
      bindTarget(walk, name, found, place);
      return found;
    }
    case "assignment": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left === undefined || right === undefined) return madeOf(walk, node.children, place);
      const value = walk.expression(right, place);
      bindTarget(walk, left, value, place);
      return value;
    }
    case "yield": {
      const values = node.children.map((each) => walk.expression(each, place));
      const [value] = values;
      if (value !== undefined)
        draft.addYield(place.symbol, walk.text(node).startsWith("yield from") ? draft.expression({ k: "element", of: value }) : value);
      return draft.expression({ k: "made", of: values });
    }
    case "keyword_argument":
    case "as_pattern": {
      const value = child(node, "value") ?? node.children[0];
      return value === undefined ? madeOf(walk, [], place) : walk.expression(value, place, context);
    }
    case "type":
      return draft.expression({ k: "cast", type: walk.type(node, place) });
    case "comment":
      return draft.expression({ k: "made", of: [] });
    default:
      if (/_statement$|_clause$|^block$/u.test(node.type)) {
        walk.statement(node, place);
        return draft.expression({ k: "made", of: [] });
      }
      return madeOf(walk, node.children, place);
  }
}

function interpolations(node: PlainNode): PlainNode[] {
  return node.children.flatMap((each) =>
    each.type === "interpolation" ? each.children.filter(({ type }) => type !== "format_specifier") : interpolations(each),
  );
}

function callFact(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const index = draft.reserve();
  const callee = child(node, "function");
  const list = child(node, "arguments");
  if (callee === undefined || list === undefined) return index;
  const target = walk.expression(callee, place);
  const nodes = list.type === "generator_expression" ? [list] : list.children.filter(({ type }) => type !== "comment");
  const args = nodes.map((each, argument) => walk.expression(each, place, { call: index, argument }));
  const [first, second] = nodes;
  if (walk.text(callee).endsWith("cast") && first !== undefined && second !== undefined && args[1] !== undefined) {
    draft.fill(index, { k: "cast", type: walk.type(first, place), of: args[1] });
    return index;
  }
  const last = child(callee, "attribute") ?? callee;
  return draft.fill(index, { k: "call", callee: target, args, line: last.line, scope: place.scope });
}

function dictionary(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const values = node.children.map((pair) => {
    const key = child(pair, "key");
    const value = child(pair, "value");
    if (key !== undefined) walk.expression(key, place);
    return value === undefined ? walk.expression(pair, place) : walk.expression(value, place);
  });
  const value = draft.expression({ k: "either", items: values.slice(0, 8) });
  const args = [draft.type({ k: "primitive", name: "string" }), draft.type({ k: "query", of: value })];
  return draft.expression({ k: "cast", type: draft.type({ k: "ref", name: ["dict"], scope: 0, line: node.line, args }), of: value });
}

function subscript(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const value = child(node, "value");
  const [key] = childrenIn(node, "subscript");
  if (value === undefined || key === undefined) return madeOf(walk, node.children, place);
  const of = walk.expression(value, place);
  if (key.type === "integer") return draft.expression({ k: "item", of, index: Number(walk.text(key)) });
  walk.expression(key, place);
  if (key.type === "slice") return of;
  return draft.expression({ k: "value", of });
}

function lambda(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number {
  const { draft } = walk;
  const inner = draft.declare(place, {
    name: "",
    kind: "function",
    ...span(node),
    hidden: true,
    isArrow: true,
    ...(context === undefined ? {} : { context }),
  });
  declareParameters(walk, child(node, "parameters"), inner, false);
  const body = child(node, "body");
  if (body !== undefined) draft.addReturn(inner.symbol, walk.expression(body, inner));
  return draft.expression({ k: "symbol", symbol: inner.symbol });
}

function comprehension(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
  const body = child(node, "body");
  for (const clause of node.children) {
    if (clause === body) continue;
    const left = child(clause, "left");
    const right = child(clause, "right");
    if (left !== undefined && right !== undefined)
      bindTarget(walk, left, draft.expression({ k: "element", of: walk.expression(right, inner) }), inner);
    else for (const each of clause.children) walk.expression(each, inner);
  }
  if (body === undefined) return draft.expression({ k: "made", of: [] });
  if (body.type !== "pair") return draft.expression({ k: "array", items: [walk.expression(body, inner)] });
  const [key, value] = body.children.map((each) => walk.expression(each, inner));
  const query = (of: number | undefined) => draft.type(of === undefined ? { k: "primitive", name: "unknown" } : { k: "query", of });
  return draft.expression({
    k: "cast",
    type: draft.type({ k: "ref", name: ["dict"], scope: 0, line: node.line, args: [query(key), query(value)] }),
  });
}

/** Binds the names of an assignment's left side; what is no name is an assignment to a field. */
export function bindTarget(walk: TreeWalk, target: PlainNode, value: number, place: Place): void {
  const { draft } = walk;
  switch (target.type) {
    case "identifier":
      draft.bind({ name: walk.text(target), scope: place.bindings ?? place.scope, line: target.line, kind: "variable", value });
      return;
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "expression_list":
      target.children.forEach((each, index) => bindTarget(walk, each, draft.expression({ k: "item", of: value, index }), place));
      return;
    case "list_splat_pattern":
      for (const each of target.children) bindTarget(walk, each, value, place);
      return;
    default:
      draft.assignments.push({ target: walk.expression(target, place), value, line: target.line, scope: place.scope });
  }
}
