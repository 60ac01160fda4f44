import { child, childrenIn, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import {
  callFact,
  declareByRules,
  declareField,
  declareTypeByRules,
  declareVariable,
  memberFact,
  nameFact,
  newFact,
  noteCall,
  pathFact,
} from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import { span } from "./tree-walk.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

const CLASSES = {
  class_declaration: "class",
  interface_declaration: "interface",
  enum_declaration: "enum",
  record_declaration: "class",
  annotation_type_declaration: "interface",
} as const;

/** Java: a class's members are seen by their bare names, its package's classes without import. */
export const javaRules: Rules = {
  language: "java",
  classes: CLASSES,
  names: new Set(["identifier", "type_identifier"]),
  literals: {
    string_literal: "string",
    decimal_integer_literal: "number",
    decimal_floating_point_literal: "number",
    true: "boolean",
    false: "boolean",
    null_literal: "null",
    character_literal: "number",
  },
  blocks: new Set([
    "block",
    "for_statement",
    "enhanced_for_statement",
    "try_with_resources_statement",
    "catch_clause",
    "switch_block_statement_group",
    "switch_rule",
  ]),
  primitives: {
    int: "number",
    long: "number",
    double: "number",
    float: "number",
    short: "number",
    byte: "number",
    boolean: "boolean",
    String: "string",
    void: "null",
    var: "unknown",
    char: "number",
    Object: "unknown",
  },
  type: () => undefined,
  visit,
};

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  const kind = CLASSES[node.type as keyof typeof CLASSES];
  if (kind !== undefined) {
    declareType(walk, node, place, kind);
    return nothing();
  }
  switch (node.type) {
    case "package_declaration": {
      const [name] = node.children.slice(-1);
      if (name !== undefined) draft.package = walk.text(name);
      return nothing();
    }
    case "import_declaration":
      importFact(walk, node);
      return nothing();
    case "method_declaration":
    case "constructor_declaration":
    case "compact_constructor_declaration":
      declareMethod(walk, node, place);
      return nothing();
    case "field_declaration":
    case "constant_declaration": {
      const isStatic = modifiers(walk, node).isStatic === true ? { isStatic: true } : {};
      for (const each of childrenIn(node, "declarator"))
        declareField(walk, each, place, nameIn(walk, each), { type: child(node, "type"), value: child(each, "value"), ...isStatic });
      return nothing();
    }
    case "enum_constant":
      declareField(walk, node, place, nameIn(walk, node), { isStatic: true });
      draft.draft(draft.symbols.length - 1).value = draft.expression({ k: "this", scope: place.scope, line: node.line });
      for (const each of child(node, "arguments")?.children ?? []) walk.expression(each, place);
      constantBody(walk, child(node, "body"), place);
      return nothing();
    case "local_variable_declaration":
      for (const each of childrenIn(node, "declarator"))
        declareVariable(walk, each, place, nameIn(walk, each), { type: realType(walk, child(node, "type")), value: child(each, "value") });
      return nothing();
    case "resource":
      if (child(node, "name") === undefined) return undefined;
      declareVariable(walk, node, place, nameIn(walk, node), { type: realType(walk, child(node, "type")), value: child(node, "value") });
      return nothing();
    case "catch_formal_parameter":
      declareVariable(walk, node, place, nameIn(walk, node), { type: node.children[0] });
      return nothing();
    case "enhanced_for_statement":
      return eachLoop(walk, node, place);
    case "method_invocation":
      return invocation(walk, node, place);
    case "object_creation_expression": {
      const type = child(node, "type");
      if (type === undefined) return undefined;
      const made = madeFact(walk, node, type, place);
      const body = ofType(node, "class_body");
      if (body === undefined) return made;
      declareTypeByRules(walk, body, place, {
        name: "",
        kind: "class",
        hidden: true,
        bases: [{ how: "extends", node: type }],
        body,
      });
      return made;
    }
    case "explicit_constructor_invocation": {
      const callee = child(node, "constructor");
      return callee === undefined
        ? undefined
        : callFact(walk, node.line, place, () => walk.expression(callee, place), child(node, "arguments")?.children ?? []);
    }
    case "field_access":
    case "scoped_identifier": {
      const object = child(node, "object") ?? child(node, "scope");
      const name = child(node, "field") ?? child(node, "name");
      // `Outer.this`: the instance around.
      if (name?.type === "this" && object !== undefined) return draft.expression({ k: "cast", type: walk.type(object, place) });
      return object === undefined || name === undefined ? undefined : memberFact(walk, object, name, place);
    }
    case "this":
      return draft.expression({ k: "this", scope: place.scope, line: node.line });
    case "super":
      return draft.expression({ k: "super", scope: place.scope, line: node.line });
    case "lambda_expression":
      return lambda(walk, node, place, context);
    case "method_reference": {
      const [object, name] = node.children;
      return object === undefined || name === undefined ? undefined : memberFact(walk, object, name, place);
    }
    case "cast_expression": {
      const type = child(node, "type");
      const value = child(node, "value");
      if (type === undefined || value === undefined) return undefined;
      const written = walk.type(type, place);
      return draft.expression({ k: "cast", type: written, of: walk.expression(value, place, { type: written }) });
    }
    case "array_access": {
      const array = child(node, "array");
      return array === undefined ? undefined : draft.expression({ k: "element", of: walk.expression(array, place) });
    }
    case "instanceof_expression":
      return instanceCheck(walk, node, place);
    case "assignment_expression": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left === undefined || right === undefined) return undefined;
      const target = walk.expression(left, place);
      const value = walk.expression(right, place, { ofTarget: target });
      draft.assignments.push({ target, value, line: node.line, scope: place.scope });
      return value;
    }
    case "ternary_expression": {
      const items = ["consequence", "alternative"].flatMap((field) => childrenIn(node, field)).map((each) => walk.expression(each, place));
      const condition = child(node, "condition");
      if (condition !== undefined) walk.expression(condition, place);
      return draft.expression({ k: "either", items });
    }
    case "return_statement": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place, { returnOf: place.symbol }));
      return nothing();
    }
    case "marker_annotation":
    case "annotation": {
      const name = child(node, "name");
      return name === undefined ? undefined : nameFact(walk, name, place);
    }
    case "type_identifier":
    case "generic_type":
    case "array_type":
      return draft.expression({ k: "cast", type: walk.type(node, place) });
    default:
      return undefined;
  }
}

function nameIn(walk: TreeWalk, node: PlainNode): string {
  const name = child(node, "name");
  return name === undefined ? "" : walk.text(name);
}

function realType(walk: TreeWalk, type: PlainNode | undefined): PlainNode | undefined {
  return type === undefined || walk.text(type) === "var" ? undefined : type;
}

function typeNames(walk: TreeWalk, node: PlainNode): string[] {
  return (child(node, "type_parameters")?.children ?? []).flatMap((each) =>
    each.children[0] === undefined ? [] : [walk.text(each.children[0])],
  );
}

function modifiers(walk: TreeWalk, node: PlainNode): { isStatic?: boolean; exported?: boolean } {
  const text = walk.text(ofType(node, "modifiers") ?? { ...node, end: node.start });
  return { ...(/\bstatic\b/u.test(text) ? { isStatic: true } : {}), ...(/\b(?:public|protected)\b/u.test(text) ? { exported: true } : {}) };
}

function declareType(walk: TreeWalk, node: PlainNode, place: Place, kind: "class" | "interface" | "enum"): void {
  const list = (of: PlainNode | undefined) => of?.children.flatMap((each) => (each.type === "type_list" ? each.children : [each])) ?? [];
  const bases = [
    ...list(child(node, "superclass")).map((each) => ({ how: "extends" as const, node: each })),
    ...list(child(node, "interfaces")).map((each) => ({ how: "implements" as const, node: each })),
    ...list(ofType(node, "extends_interfaces")).map((each) => ({ how: "extends" as const, node: each })),
  ];
  const inner = declareTypeByRules(walk, node, place, {
    name: nameIn(walk, node),
    kind,
    ...modifiers(walk, node),
    bases,
    body: child(node, "body"),
    typeNames: typeNames(walk, node),
  });
  declareBounds(walk, node, inner);
  for (const parameter of child(node, "parameters")?.children ?? []) {
    declareField(walk, parameter, inner, nameIn(walk, parameter), { type: child(parameter, "type") });
    const accessor = walk.draft.declare(inner, { name: nameIn(walk, parameter), kind: "method", ...span(parameter), hidden: true });
    const type = child(parameter, "type");
    if (type !== undefined) walk.draft.draft(accessor.symbol).type = walk.type(type, inner);
  }
  for (const annotation of ofType(node, "modifiers")?.children ?? [])
    walk.expression(annotation, { symbol: inner.symbol, scope: place.scope });
}

/** What `<T extends Bound>` says of the type parameters that are declared already. */
function declareBounds(walk: TreeWalk, node: PlainNode, inner: Place): void {
  const symbol = walk.draft.draft(inner.symbol);
  const written = child(node, "type_parameters")?.children ?? [];
  if (symbol.typeParameters === undefined) return;
  symbol.typeParameters = symbol.typeParameters.map((each, index) => {
    const bound = written[index] === undefined ? undefined : ofType(written[index], "type_bound")?.children[0];
    return bound === undefined ? each : { ...each, bound: walk.type(bound, inner) };
  });
}

function declareMethod(walk: TreeWalk, node: PlainNode, place: Place): void {
  const isConstructor = node.type !== "method_declaration";
  const inner = declareByRules(walk, node, place, {
    kind: "method",
    name: isConstructor ? "constructor" : nameIn(walk, node),
    ...modifiers(walk, node),
    typeNames: typeNames(walk, node),
    parameterNodes: parameters(walk, child(node, "parameters")),
    returnNode: isConstructor ? undefined : child(node, "type"),
    body: child(node, "body"),
  });
  declareBounds(walk, node, inner);
  for (const annotation of ofType(node, "modifiers")?.children ?? [])
    walk.expression(annotation, { symbol: inner.symbol, scope: place.scope });
}

function parameters(walk: TreeWalk, node: PlainNode | undefined): Parameter[] {
  return (node?.children ?? []).flatMap((each): Parameter[] => {
    if (each.type === "formal_parameter") return [{ name: nameIn(walk, each), node: each, type: child(each, "type") }];
    const declarator = ofType(each, "variable_declarator");
    if (each.type === "spread_parameter" && declarator !== undefined)
      return [{ name: nameIn(walk, declarator), node: each, type: each.children.find(({ type }) => type !== "modifiers"), rest: true }];
    return each.type === "identifier" ? [{ name: walk.text(each), node: each }] : [];
  });
}

function importFact(walk: TreeWalk, node: PlainNode): void {
  const [path] = node.children;
  if (path === undefined) return;
  const { draft } = walk;
  const text = walk.text(path);
  const dot = text.lastIndexOf(".");
  const isAll = ofType(node, "asterisk") !== undefined;
  if (/^import\s+static\b/u.test(walk.text(node))) {
    const owner = isAll ? text : text.slice(0, dot);
    const last = owner.lastIndexOf(".");
    const head = owner.slice(0, last);
    const name = owner.slice(last + 1);
    draft.import({ module: head, name, local: `import(${owner})`, line: node.line }, 0);
    if (isAll) return;
    const member = text.slice(dot + 1);
    draft.bind({
      name: member,
      scope: 0,
      line: node.line,
      kind: "variable",
      value: pathFact(walk, [`import(${owner})`, member], node.line, draft.top),
    });
  } else if (isAll) draft.import({ module: text, name: "*", line: node.line, all: true }, 0);
  else draft.import({ module: text.slice(0, dot), name: text.slice(dot + 1), local: text.slice(dot + 1), line: node.line }, 0);
}

function eachLoop(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
  const value = child(node, "value");
  const body = child(node, "body");
  const of = value === undefined ? undefined : draft.expression({ k: "element", of: walk.expression(value, place) });
  declareVariable(walk, node, inner, nameIn(walk, node), { type: realType(walk, child(node, "type")), value: of });
  if (body !== undefined) walk.statement(body, inner);
  return draft.expression({ k: "made", of: [] });
}

function invocation(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const object = child(node, "object");
  const name = child(node, "name");
  if (name === undefined) return undefined;
  const callee = () => (object === undefined ? nameFact(walk, name, place) : memberFact(walk, object, name, place));
  return noteCall(walk, callFact(walk, name.line, place, callee, child(node, "arguments")?.children ?? []));
}

/** `new Type(…)`, and `outer.new Inner(…)`, whose type is a member of the outer's. */
function madeFact(walk: TreeWalk, node: PlainNode, type: PlainNode, place: Place): number {
  const args = child(node, "arguments")?.children ?? [];
  const [outer] = node.children;
  if (outer === undefined || outer.start >= type.start || !/\.\s*new\b/u.test(walk.text({ ...node, start: outer.end, end: type.start })))
    return newFact(walk, type, args, place);
  return noteCall(
    walk,
    callFact(walk, type.line, place, () => memberFact(walk, outer, type, place), args, "new"),
  );
}

/** The members that an enum's constant has for itself: a class without a name, below the enum. */
function constantBody(walk: TreeWalk, body: PlainNode | undefined, place: Place): void {
  if (body === undefined) return;
  const { draft } = walk;
  const inner = declareTypeByRules(walk, body, place, { name: "", kind: "class", hidden: true, bases: [] });
  const type = draft.type({ k: "ref", name: [draft.draft(place.symbol).name], scope: place.scope, line: body.line });
  draft.draft(inner.symbol).heritage = [{ how: "extends", type }];
  for (const each of body.children) walk.statement(each, inner);
}

function lambda(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number {
  const parametersNode = child(node, "parameters");
  const single =
    parametersNode?.type === "identifier" ? [{ name: walk.text(parametersNode), node: parametersNode }] : parameters(walk, parametersNode);
  const body = child(node, "body");
  const inner = declareByRules(walk, node, place, {
    kind: "function",
    name: "",
    hidden: true,
    isArrow: true,
    ...(context === undefined ? {} : { context }),
    parameterNodes: single,
    body,
    isValue: body?.type !== "block",
  });
  return walk.draft.expression({ k: "symbol", symbol: inner.symbol });
}

/** `x instanceof C y` binds y; without a name, nothing is bound. */
function instanceCheck(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const type = child(node, "right");
  const name = child(node, "name");
  const left = child(node, "left");
  if (type === undefined || left === undefined) return undefined;
  const of = walk.expression(left, place);
  const written = walk.type(type, place);
  if (name !== undefined) walk.draft.bind({ name: walk.text(name), scope: place.scope, line: node.line, kind: "variable", type: written });
  return walk.draft.expression({ k: "made", of: [of] });
}
