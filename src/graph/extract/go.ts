import { child, childrenIn } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { declareFunction, declareMethod, declareType, goType, parameters } from "./go-declarations.ts";
import { callFact, declareByRules, declareVariable, memberFact } from "./rules.ts";
import type { Rules } from "./rules.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** Go: all files of a folder share their names; methods are declared beside their type. */
export const goRules: Rules = {
  language: "go",
  classes: {},
  names: new Set(["identifier", "type_identifier", "package_identifier", "field_identifier"]),
  literals: {
    interpreted_string_literal: "string",
    raw_string_literal: "string",
    int_literal: "number",
    float_literal: "number",
    rune_literal: "number",
    true: "boolean",
    false: "boolean",
    nil: "null",
  },
  blocks: new Set([
    "block",
    "if_statement",
    "for_statement",
    "expression_case",
    "default_case",
    "communication_case",
    "expression_switch_statement",
  ]),
  primitives: {
    string: "string",
    int: "number",
    int64: "number",
    int32: "number",
    uint64: "number",
    uint32: "number",
    uint8: "number",
    float64: "number",
    bool: "boolean",
    byte: "number",
    rune: "number",
    error: "error",
    any: "unknown",
  },
  type: goType,
  visit,
};

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  switch (node.type) {
    case "package_clause":
      draft.package = walk.text(node.children[0] ?? node);
      return nothing();
    case "import_spec":
      importFact(walk, node);
      return nothing();
    case "function_declaration":
      declareFunction(walk, node, place);
      return nothing();
    case "method_declaration":
      declareMethod(walk, node, place);
      return nothing();
    case "type_spec":
    case "type_alias":
      declareType(walk, node, place);
      return nothing();
    case "var_spec":
    case "const_spec":
    case "short_var_declaration":
      variables(walk, node, place);
      return nothing();
    case "range_clause":
      rangeClause(walk, node, place);
      return nothing();
    case "assignment_statement": {
      const left = child(node, "left")?.children ?? [];
      const right = child(node, "right")?.children ?? [];
      const values = spreadValues(walk, right, left.length, place);
      left.forEach((each, index) => {
        const target = walk.expression(each, place);
        const value = values[index];
        if (value !== undefined) draft.assignments.push({ target, value, line: node.line, scope: place.scope });
      });
      return nothing();
    }
    case "call_expression": {
      const callee = child(node, "function");
      if (callee === undefined) return undefined;
      const args = child(node, "arguments")?.children ?? [];
      const [made] = args;
      if (made !== undefined && callee.type === "identifier" && ["new", "make"].includes(walk.text(callee))) {
        for (const each of args.slice(1)) walk.expression(each, place);
        return draft.expression({ k: "cast", type: walk.type(made, place) });
      }
      const named = instantiated(walk, callee);
      const last = child(named, "field") ?? named;
      return callFact(walk, last.line, place, () => walk.expression(named, place), args);
    }
    case "selector_expression": {
      const operand = child(node, "operand");
      const field = child(node, "field");
      return operand === undefined || field === undefined ? undefined : memberFact(walk, operand, field, place);
    }
    case "composite_literal": {
      const type = child(node, "type");
      const body = child(node, "body");
      if (type === undefined) return undefined;
      const made = walk.type(type, place);
      if (body !== undefined) for (const each of body.children) literalElement(walk, each, place);
      return draft.expression({ k: "cast", type: made });
    }
    case "unary_expression":
    case "literal_element": {
      const operand = child(node, "operand") ?? node.children[0];
      return operand === undefined ? undefined : walk.expression(operand, place, context);
    }
    case "func_literal": {
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        isArrow: true,
        ...(context === undefined ? {} : { context }),
        parameterNodes: parameters(walk, child(node, "parameters")),
        returnNode: child(node, "result"),
        body: child(node, "body"),
      });
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "type_assertion_expression":
    case "type_conversion_expression": {
      const type = child(node, "type");
      const operand = child(node, "operand");
      // `f[T](x)` may be a conversion as well as a call: which one it is, is known when f is.
      if (type?.type === "generic_type" && type.children[0] !== undefined && operand !== undefined) {
        const head = genericHead(walk, type.children[0], place);
        return callFact(walk, head.line, place, head.callee, [operand]);
      }
      return type === undefined || operand === undefined
        ? undefined
        : draft.expression({ k: "cast", type: walk.type(type, place), of: walk.expression(operand, place) });
    }
    case "index_expression": {
      const operand = child(node, "operand");
      const index = child(node, "index");
      if (operand === undefined) return undefined;
      if (index !== undefined) walk.expression(index, place);
      return draft.expression({ k: "value", of: walk.expression(operand, place) });
    }
    case "slice_expression": {
      const operand = child(node, "operand");
      return operand === undefined ? undefined : walk.expression(operand, place);
    }
    case "type_switch_statement":
      typeSwitch(walk, node, place);
      return nothing();
    case "return_statement": {
      const values = node.children[0]?.children ?? [];
      if (values.length === 1 && values[0] !== undefined) draft.addReturn(place.symbol, walk.expression(values[0], place));
      else if (values.length > 1)
        draft.addReturn(place.symbol, draft.expression({ k: "tuple", items: values.map((each) => walk.expression(each, place)) }));
      return nothing();
    }
    case "slice_type":
    case "map_type":
    case "pointer_type":
    case "channel_type":
    case "qualified_type":
    case "generic_type":
      return draft.expression({ k: "cast", type: walk.type(node, place) });
    default:
      return undefined;
  }
}

function genericHead(walk: TreeWalk, head: PlainNode, place: Place): { line: number; callee: () => number } {
  const [packageNode, name] = head.type === "qualified_type" ? head.children : [];
  if (packageNode === undefined || name === undefined) return { line: head.line, callee: () => walk.expression(head, place) };
  return { line: name.line, callee: () => memberFact(walk, packageNode, name, place) };
}

/** `f[int]`: the function itself, when what stands in the brackets can only be a type. */
function instantiated(walk: TreeWalk, callee: PlainNode): PlainNode {
  const operand = child(callee, "operand");
  const index = child(callee, "index");
  if (callee.type !== "index_expression" || operand === undefined || index === undefined) return callee;
  return index.type.endsWith("_type") || walk.text(index) in goRules.primitives ? operand : callee;
}

function literalElement(walk: TreeWalk, node: PlainNode, place: Place): void {
  const value = child(node, "value") ?? (node.type === "keyed_element" ? node.children[1] : node);
  if (value !== undefined) walk.expression(value, place);
}

function importFact(walk: TreeWalk, node: PlainNode): void {
  const path = child(node, "path");
  const name = child(node, "name");
  if (path === undefined) return;
  const module = walk.text(path).slice(1, -1);
  const last =
    module
      .replace(/\/v\d+$/u, "")
      .split("/")
      .at(-1) ?? module;
  const local = name === undefined ? last : walk.text(name);
  if (local === ".") walk.draft.import({ module, name: "*", line: node.line, all: true }, 0);
  else walk.draft.import({ module, name: "*", ...(local === "_" ? {} : { local }), line: node.line }, 0);
}

/** One value for each name: several results of one call, or one expression each. */
function spreadValues(walk: TreeWalk, nodes: readonly PlainNode[], count: number, place: Place): number[] {
  const { draft } = walk;
  const values = nodes.map((each) => walk.expression(each, place));
  const [only] = values;
  if (values.length !== 1 || count < 2 || only === undefined) return values;
  if (nodes[0]?.type !== "call_expression") return [only];
  return Array.from({ length: count }, (_, index) => draft.expression({ k: "item", of: only, index }));
}

function variables(walk: TreeWalk, node: PlainNode, place: Place): void {
  const left = node.type === "short_var_declaration" ? (child(node, "left")?.children ?? []) : childrenIn(node, "name");
  const right = child(node, "right")?.children ?? child(node, "value")?.children ?? [];
  const type = child(node, "type");
  const values = spreadValues(walk, right, left.length, place);
  left.forEach((each, index) => {
    const name = walk.text(each);
    if (name !== "_") declareVariable(walk, each, place, name, { type, value: values[index] });
  });
}

function rangeClause(walk: TreeWalk, node: PlainNode, place: Place): void {
  const right = child(node, "right");
  const [, second] = child(node, "left")?.children ?? [];
  if (right === undefined) return;
  const of = walk.expression(right, place);
  if (second !== undefined) declareVariable(walk, second, place, walk.text(second), { value: walk.draft.expression({ k: "value", of }) });
}

function typeSwitch(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const alias = child(node, "alias");
  const value = child(node, "value");
  if (value !== undefined) walk.expression(value, place);
  const name = alias === undefined ? undefined : walk.text(alias.children[0] ?? alias);
  for (const branch of node.children.filter(({ type }) => type === "type_case" || type === "default_case")) {
    const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
    const types = childrenIn(branch, "type");
    const [only] = types;
    if (name !== undefined && only !== undefined)
      draft.bind({
        name,
        scope: inner.scope,
        line: branch.line,
        kind: "variable",
        type: types.length === 1 ? walk.type(only, inner) : draft.type({ k: "union", items: types.map((each) => walk.type(each, inner)) }),
      });
    for (const each of branch.children) if (!types.includes(each)) walk.statement(each, inner);
  }
}
