import { child, childrenIn, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Language } from "../facts.ts";
import type { Place } from "./facts-draft.ts";
import { callFact, declareByRules, declareField, declareTypeByRules, declareVariable, memberFact, newFact } from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import { span } from "./tree-walk.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** C and C++: what a header declares is seen by whoever includes it. */
export function cRules(language: Language & ("c" | "cpp")): Rules {
  return {
    language,
    classes: {},
    names: new Set(["identifier", "type_identifier", "namespace_identifier", "field_identifier"]),
    literals: {
      string_literal: "string",
      number_literal: "number",
      char_literal: "number",
      true: "boolean",
      false: "boolean",
      null: "null",
    },
    blocks: new Set(["compound_statement", "for_statement", "for_range_loop", "catch_clause"]),
    primitives: {
      int: "number",
      char: "number",
      void: "null",
      bool: "boolean",
      double: "number",
      float: "number",
      long: "number",
      size_t: "number",
      auto: "unknown",
    },
    type: (walk, node, place) => {
      const name = child(node, "name");
      return (node.type === "struct_specifier" || node.type === "class_specifier" || node.type === "enum_specifier") && name !== undefined
        ? walk.type(name, place)
        : undefined;
    },
    visit,
  };
}

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  switch (node.type) {
    case "preproc_include": {
      const path = child(node, "path");
      if (path !== undefined) draft.import({ module: walk.text(path).slice(1, -1), name: "*", line: node.line, all: true }, 0);
      return nothing();
    }
    case "namespace_definition": {
      const name = child(node, "name");
      declareTypeByRules(walk, node, place, {
        name: name === undefined ? "" : walk.text(name),
        kind: "namespace",
        bases: [],
        body: child(node, "body"),
        ...(name === undefined ? { hidden: true } : {}),
      });
      return nothing();
    }
    case "class_specifier":
    case "struct_specifier":
    case "union_specifier":
    case "enum_specifier":
      declareType(walk, node, place);
      return nothing();
    case "type_definition":
      declareAlias(walk, node, place);
      return nothing();
    case "function_definition":
      declareFunction(walk, node, place);
      return nothing();
    case "declaration":
    case "field_declaration":
      declarations(walk, node, place);
      return nothing();
    case "call_expression": {
      const callee = child(node, "function");
      if (callee === undefined) return undefined;
      return callFact(
        walk,
        (child(callee, "field") ?? callee).line,
        place,
        () => walk.expression(callee, place),
        child(node, "arguments")?.children ?? [],
      );
    }
    case "field_expression": {
      const object = child(node, "argument");
      const field = child(node, "field");
      return object === undefined || field === undefined ? undefined : memberFact(walk, object, field, place);
    }
    case "qualified_identifier": {
      const scope = child(node, "scope");
      const name = child(node, "name");
      if (name === undefined) return undefined;
      return scope === undefined || name.type === "qualified_identifier"
        ? walk.expression(name, place)
        : memberFact(walk, scope, child(name, "name") ?? name, place);
    }
    case "template_function":
    case "template_type": {
      const name = child(node, "name");
      return name === undefined ? undefined : walk.expression(name, place);
    }
    case "this":
      return draft.expression({ k: "this", scope: place.scope, line: node.line });
    case "new_expression": {
      const type = child(node, "type");
      return type === undefined ? undefined : newFact(walk, type, child(node, "arguments")?.children ?? [], place);
    }
    case "cast_expression": {
      const type = child(node, "type");
      const value = child(node, "value");
      return type === undefined || value === undefined
        ? undefined
        : draft.expression({ k: "cast", type: walk.type(type, place), of: walk.expression(value, place) });
    }
    case "pointer_expression": {
      const value = child(node, "argument");
      return value === undefined ? undefined : walk.expression(value, place);
    }
    case "subscript_expression": {
      const value = child(node, "argument");
      return value === undefined ? undefined : draft.expression({ k: "value", of: walk.expression(value, place) });
    }
    case "for_range_loop": {
      const right = child(node, "right");
      const declarator = child(node, "declarator");
      const body = child(node, "body");
      const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
      const type = child(node, "type");
      const of = right === undefined ? undefined : draft.expression({ k: "element", of: walk.expression(right, place) });
      if (declarator !== undefined)
        declareVariable(walk, node, inner, nameIn(walk, declarator), { type: isAuto(type) ? undefined : type, value: of });
      if (body !== undefined) walk.statement(body, inner);
      return nothing();
    }
    case "lambda_expression": {
      const list = child(node, "declarator");
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        isArrow: true,
        ...(context === undefined ? {} : { context }),
        parameterNodes: parameters(walk, list),
        body: child(node, "body"),
      });
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "assignment_expression": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left === undefined || right === undefined) return undefined;
      const target = walk.expression(left, place);
      const value = walk.expression(right, place);
      draft.assignments.push({ target, value, line: node.line, scope: place.scope });
      return value;
    }
    case "return_statement": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return nothing();
    }
    default:
      return undefined;
  }
}

function isAuto(type: PlainNode | undefined): boolean {
  return type?.type === "placeholder_type_specifier";
}

/** The name at the heart of a declarator: `*(*name)(…)`. */
function nameIn(walk: TreeWalk, node: PlainNode): string {
  const found = declaredName(node);
  return found === undefined ? "" : walk.text(found);
}

function declaredName(node: PlainNode): PlainNode | undefined {
  if (["identifier", "field_identifier", "type_identifier", "qualified_identifier", "destructor_name", "operator_name"].includes(node.type))
    return node;
  const inner = child(node, "declarator") ?? (node.children.length > 0 && /declarator/u.test(node.type) ? node.children.at(-1) : undefined);
  return inner === undefined ? undefined : declaredName(inner);
}

function functionDeclarator(node: PlainNode | undefined): PlainNode | undefined {
  if (node === undefined || node.type === "function_declarator") return node;
  if (!/declarator/u.test(node.type) || node.type === "init_declarator") return undefined;
  return functionDeclarator(child(node, "declarator") ?? node.children.find(({ type }) => /declarator/u.test(type)));
}

function parameters(walk: TreeWalk, declarator: PlainNode | undefined): Parameter[] {
  const list = declarator === undefined ? [] : (child(declarator, "parameters")?.children ?? []);
  return list.flatMap((each): Parameter[] => {
    const inner = child(each, "declarator");
    return each.type.endsWith("parameter_declaration")
      ? [{ name: inner === undefined ? "" : nameIn(walk, inner), node: each, type: child(each, "type") }]
      : [];
  });
}

function isStatic(walk: TreeWalk, node: PlainNode): boolean {
  return node.children.some((each) => each.type === "storage_class_specifier" && walk.text(each) === "static");
}

function declareFunction(walk: TreeWalk, node: PlainNode, place: Place): void {
  const declarator = functionDeclarator(child(node, "declarator"));
  if (declarator === undefined) return;
  const { draft } = walk;
  const path = nameIn(walk, declarator).split("::");
  const name = path.at(-1) ?? "";
  const isMember = draft.draft(place.symbol).kind === "class" || path.length > 1;
  const owner = path.length > 1 ? draft.declare(place, { name: path.at(-2) ?? "", kind: "class", ...span(node), hidden: true }) : place;
  const isMaker = isMember && (path.length > 1 ? path.at(-2) === name : draft.draft(place.symbol).name === name);
  const flags = isStatic(walk, node) ? { isStatic: true } : { exported: true };
  const inner = declareByRules(walk, node, owner, {
    kind: isMember ? "method" : "function",
    name: isMaker ? "constructor" : name,
    ...flags,
    parameterNodes: parameters(walk, declarator),
    returnNode: child(node, "type"),
    body: child(node, "body"),
  });
  if (!isMember) draft.bindSymbol(name, place.scope, inner.symbol, node.line);
}

function declareType(walk: TreeWalk, node: PlainNode, place: Place): void {
  const name = child(node, "name");
  const body = child(node, "body");
  if (body === undefined) return;
  const bases = (ofType(node, "base_class_clause")?.children ?? [])
    .filter(({ type }) => type !== "access_specifier")
    .map((each) => ({ how: "extends" as const, node: each }));
  declareTypeByRules(walk, node, place, {
    name: name === undefined ? "" : walk.text(name),
    kind: node.type === "enum_specifier" ? "enum" : "class",
    exported: true,
    bases,
    body,
    ...(name === undefined ? { hidden: true } : {}),
  });
}

function declareAlias(walk: TreeWalk, node: PlainNode, place: Place): void {
  const type = child(node, "type");
  if (type === undefined) return;
  for (const declarator of childrenIn(node, "declarator")) {
    const name = nameIn(walk, declarator);
    if (type.type.endsWith("_specifier") && child(type, "body") !== undefined && child(type, "name") === undefined) {
      declareTypeByRules(walk, type, place, { name, kind: "class", exported: true, bases: [], body: child(type, "body") });
      continue;
    }
    if (child(type, "body") !== undefined) walk.statement(type, place);
    if (child(type, "name") !== undefined && nameIn(walk, child(type, "name") ?? type) === name) continue;
    const inner = declareTypeByRules(walk, node, place, { name, kind: "type", bases: [] });
    walk.draft.draft(inner.symbol).type = walk.type(type, inner);
  }
}

/** Variables, fields and prototypes of one declaration. */
function declarations(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const type = child(node, "type");
  if (type !== undefined && child(type, "body") !== undefined) walk.statement(type, place);
  const isClass = draft.draft(place.symbol).kind === "class" && draft.draft(place.symbol).scope === place.scope;
  for (const declarator of childrenIn(node, "declarator")) {
    const signature = functionDeclarator(declarator);
    const name = nameIn(walk, declarator);
    if (signature !== undefined && name !== "") {
      const isMaker = isClass && draft.draft(place.symbol).name === name;
      const flags = isStatic(walk, node) ? { isStatic: true } : { exported: true };
      const inner = declareByRules(walk, declarator, place, {
        kind: isClass ? "method" : "function",
        name: isMaker ? "constructor" : name,
        ...flags,
        parameterNodes: parameters(walk, signature),
        returnNode: type,
      });
      if (!isClass) draft.bindSymbol(name, place.scope, inner.symbol, node.line);
      continue;
    }
    const value = child(declarator, "value") ?? child(node, "default_value");
    const written = isAuto(type) ? undefined : type;
    if (isClass) declareField(walk, declarator, place, name, { type: written, value });
    else declareVariable(walk, declarator, place, name, { type: written, value });
  }
}
