import { child, childrenIn, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { callFact, declareByRules, declareField, declareTypeByRules, declareVariable, memberFact, nameFact, newFact } from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

const CLASSES = {
  class_declaration: "class",
  struct_declaration: "class",
  record_declaration: "class",
  interface_declaration: "interface",
  enum_declaration: "enum",
} as const;

/** C#: the names of a namespace are shared by all its files. */
export const csharpRules: Rules = {
  language: "csharp",
  classes: CLASSES,
  names: new Set(["identifier"]),
  literals: {
    string_literal: "string",
    verbatim_string_literal: "string",
    integer_literal: "number",
    real_literal: "number",
    boolean_literal: "boolean",
    null_literal: "null",
    interpolated_string_expression: "string",
  },
  blocks: new Set(["block", "for_statement", "using_statement", "catch_clause", "switch_section"]),
  primitives: {
    string: "string",
    int: "number",
    long: "number",
    double: "number",
    float: "number",
    bool: "boolean",
    void: "null",
    object: "unknown",
    var: "unknown",
    dynamic: "unknown",
    decimal: "number",
    byte: "number",
  },
  type: (walk, node, place) => {
    if (node.type !== "nullable_type") return undefined;
    const type = child(node, "type") ?? node.children[0];
    return type === undefined ? undefined : walk.type(type, place);
  },
  visit,
};

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  const kind = CLASSES[node.type as keyof typeof CLASSES];
  if (kind !== undefined) {
    const bases = (ofType(node, "base_list")?.children ?? []).map((each) => ({ how: "extends" as const, node: each }));
    const names = (ofType(node, "type_parameter_list")?.children ?? []).map((each) => nameIn(walk, each));
    declareTypeByRules(walk, node, place, {
      name: nameIn(walk, node),
      kind,
      ...modifiers(walk, node),
      bases,
      body: child(node, "body"),
      typeNames: names,
    });
    return nothing();
  }
  switch (node.type) {
    case "using_directive": {
      const alias = child(node, "name");
      const path = node.children.at(-1);
      if (path === undefined) return nothing();
      const module = walk.text(path);
      const dot = module.lastIndexOf(".");
      if (alias !== undefined && alias !== path)
        draft.import({ module: module.slice(0, dot), name: module.slice(dot + 1), local: walk.text(alias), line: node.line }, 0);
      else draft.import({ module, name: "*", line: node.line, all: true }, 0);
      return nothing();
    }
    case "namespace_declaration":
    case "file_scoped_namespace_declaration":
      draft.package ??= nameIn(walk, node);
      for (const each of (child(node, "body") ?? node).children) if (each.field !== "name") walk.statement(each, place);
      return nothing();
    case "method_declaration":
    case "constructor_declaration":
    case "local_function_statement":
      declareMethod(walk, node, place);
      return nothing();
    case "property_declaration":
      declareField(walk, node, place, nameIn(walk, node), {
        type: child(node, "type"),
        value: child(node, "value"),
        ...modifiers(walk, node),
      });
      for (const each of node.children)
        if (each.type === "accessor_list" || each.type === "arrow_expression_clause")
          walk.statement(each, {
            symbol: draft.symbols.findLastIndex(({ parent, kind: of }) => parent === place.symbol && of === "field"),
            scope: place.scope,
          });
      return nothing();
    case "field_declaration":
    case "local_declaration_statement": {
      const declaration = ofType(node, "variable_declaration");
      if (declaration === undefined) return undefined;
      const written = child(declaration, "type");
      const type = written === undefined || written.type === "implicit_type" ? undefined : written;
      for (const each of declaration.children.filter((one) => one.type === "variable_declarator")) {
        const value = each.children.find(({ field }) => field !== "name");
        if (node.type === "field_declaration")
          declareField(walk, each, place, nameIn(walk, each), { type, value, ...modifiers(walk, node) });
        else declareVariable(walk, each, place, nameIn(walk, each), { type, value });
      }
      return nothing();
    }
    case "foreach_statement": {
      const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
      const left = child(node, "left");
      const right = child(node, "right");
      const body = child(node, "body");
      const type = child(node, "type");
      const of = right === undefined ? undefined : draft.expression({ k: "element", of: walk.expression(right, place) });
      if (left !== undefined)
        declareVariable(walk, left, inner, walk.text(left), { type: type?.type === "implicit_type" ? undefined : type, value: of });
      if (body !== undefined) walk.statement(body, inner);
      return nothing();
    }
    case "invocation_expression": {
      const callee = child(node, "function");
      if (callee === undefined) return undefined;
      const args = (child(node, "arguments")?.children ?? []).flatMap((each) => each.children.slice(-1));
      return callFact(walk, (child(callee, "name") ?? callee).line, place, () => walk.expression(callee, place), args);
    }
    case "member_access_expression": {
      const object = child(node, "expression");
      const name = child(node, "name");
      if (name === undefined) return undefined;
      if (object === undefined) {
        const of = draft.expression({ k: walk.text(node).startsWith("base") ? "super" : "this", scope: place.scope, line: node.line });
        return draft.expression({ k: "member", of, name: walk.text(name), line: name.line });
      }
      const plain = name.type === "generic_name" ? (name.children[0] ?? name) : name;
      return memberFact(walk, object, plain, place);
    }
    case "conditional_access_expression": {
      const object = child(node, "condition");
      const name = ofType(node, "member_binding_expression");
      const inner = name === undefined ? undefined : child(name, "name");
      return object === undefined || inner === undefined ? undefined : memberFact(walk, object, inner, place);
    }
    case "object_creation_expression": {
      const type = child(node, "type");
      return type === undefined
        ? undefined
        : newFact(
            walk,
            type,
            (child(node, "arguments")?.children ?? []).flatMap((each) => each.children.slice(-1)),
            place,
          );
    }
    case "this_expression":
    case "this":
      return draft.expression({ k: "this", scope: place.scope, line: node.line });
    case "cast_expression":
    case "as_expression": {
      const type = child(node, "type") ?? child(node, "right");
      const value = child(node, "value") ?? child(node, "left");
      return type === undefined || value === undefined
        ? undefined
        : draft.expression({ k: "cast", type: walk.type(type, place), of: walk.expression(value, place) });
    }
    case "declaration_pattern": {
      const type = child(node, "type");
      if (type !== undefined) declareVariable(walk, node, place, nameIn(walk, node), { type });
      return nothing();
    }
    case "lambda_expression": {
      const parametersNode = child(node, "parameters");
      const body = child(node, "body");
      const single =
        parametersNode?.type === "implicit_parameter"
          ? [{ name: walk.text(parametersNode), node: parametersNode }]
          : parameters(walk, parametersNode);
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
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "await_expression": {
      const [value] = node.children;
      return value === undefined ? undefined : draft.expression({ k: "await", of: walk.expression(value, place) });
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
    case "return_statement":
    case "arrow_expression_clause": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return nothing();
    }
    case "attribute": {
      const name = child(node, "name");
      return name === undefined ? undefined : nameFact(walk, name, place);
    }
    default:
      return undefined;
  }
}

function nameIn(walk: TreeWalk, node: PlainNode): string {
  const name = child(node, "name");
  return name === undefined ? "" : walk.text(name);
}

function modifiers(walk: TreeWalk, node: PlainNode): { isStatic?: boolean; exported?: boolean; isAsync?: boolean } {
  const words = node.children.filter(({ type }) => type === "modifier").map((each) => walk.text(each));
  return {
    ...(words.includes("static") ? { isStatic: true } : {}),
    ...(words.includes("public") || words.includes("internal") ? { exported: true } : {}),
  };
}

function parameters(walk: TreeWalk, node: PlainNode | undefined): Parameter[] {
  return (node?.children ?? [])
    .filter(({ type }) => type === "parameter")
    .map((each) => ({ name: nameIn(walk, each), node: each, type: child(each, "type") }));
}

function declareMethod(walk: TreeWalk, node: PlainNode, place: Place): void {
  const isConstructor = node.type === "constructor_declaration";
  const body = child(node, "body");
  const value = body?.type === "arrow_expression_clause" ? body.children[0] : undefined;
  const name = isConstructor ? "constructor" : nameIn(walk, node);
  const isLocal = node.type === "local_function_statement";
  const names = (ofType(node, "type_parameter_list")?.children ?? []).map((each) => nameIn(walk, each));
  const inner = declareByRules(walk, node, place, {
    kind: isLocal ? "function" : "method",
    name,
    ...modifiers(walk, node),
    typeNames: names,
    parameterNodes: parameters(walk, child(node, "parameters")),
    returnNode: child(node, "returns") ?? (isLocal ? child(node, "type") : undefined),
    body: value ?? body,
    isValue: value !== undefined,
  });
  if (isLocal) walk.draft.bindSymbol(name, place.scope, inner.symbol, node.line);
  for (const each of childrenIn(node, "attributes")) walk.expression(each, inner);
}
