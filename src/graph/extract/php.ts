import { child, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { callFact, declareByRules, declareField, declareTypeByRules, declareVariable, memberFact, newFact } from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

const CLASSES = {
  class_declaration: "class",
  interface_declaration: "interface",
  trait_declaration: "class",
  enum_declaration: "enum",
} as const;

/** PHP: names of a namespace are shared by all its files; `use` brings others in. */
export const phpRules: Rules = {
  language: "php",
  classes: CLASSES,
  names: new Set(["name"]),
  literals: { string: "string", encapsed_string: "string", integer: "number", float: "number", boolean: "boolean", null: "null" },
  blocks: new Set(),
  primitives: {
    string: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    void: "null",
    mixed: "unknown",
    array: "unknown",
    null: "null",
  },
  type: (walk, node, place) => {
    if (node.type === "union_type") return walk.draft.type({ k: "union", items: node.children.map((each) => walk.type(each, place)) });
    const text = walk.text(node);
    return text === "self" || text === "static" ? walk.draft.type({ k: "self" }) : undefined;
  },
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
    case "namespace_definition": {
      const name = child(node, "name");
      if (name !== undefined) draft.package ??= walk.text(name);
      for (const each of child(node, "body")?.children ?? []) walk.statement(each, place);
      return nothing();
    }
    case "namespace_use_declaration":
      useFacts(walk, node);
      return nothing();
    case "require_once_expression":
    case "require_expression":
    case "include_expression":
    case "include_once_expression": {
      const path = /['"]\/?([^'"]+\.php)['"]/u.exec(walk.text(node))?.[1];
      if (path !== undefined) draft.import({ module: `./${path}`, name: "*", line: node.line, all: true }, 0);
      return nothing();
    }
    case "function_definition": {
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: nameIn(walk, node),
        exported: true,
        parameterNodes: parameters(walk, node),
        returnNode: child(node, "return_type"),
        body: child(node, "body"),
      });
      draft.bindSymbol(nameIn(walk, node), place.scope, inner.symbol, node.line);
      return nothing();
    }
    case "method_declaration": {
      const isStatic = ofType(node, "static_modifier") === undefined ? {} : { isStatic: true };
      const isHidden = walk.text(ofType(node, "visibility_modifier") ?? { ...node, end: node.start }).startsWith("private");
      for (const each of child(node, "parameters")?.children ?? [])
        if (each.type === "property_promotion_parameter")
          declareField(walk, each, place, nameIn(walk, each), { type: child(each, "type") });
      declareByRules(walk, node, place, {
        kind: "method",
        name: nameIn(walk, node),
        ...isStatic,
        ...(isHidden ? {} : { exported: true }),
        parameterNodes: parameters(walk, node),
        returnNode: child(node, "return_type"),
        body: child(node, "body"),
      });
      return nothing();
    }
    case "property_declaration":
      for (const each of node.children.filter(({ type }) => type === "property_element"))
        declareField(walk, each, place, nameIn(walk, each), { type: child(node, "type"), value: child(each, "default_value") });
      return nothing();
    case "use_declaration": {
      const owner = draft.draft(place.symbol);
      owner.heritage = [
        ...(owner.heritage ?? []),
        ...node.children
          .filter(({ type }) => type.endsWith("name"))
          .map((each) => ({ how: "extends" as const, type: walk.type(each, place) })),
      ];
      return nothing();
    }
    case "variable_name":
      if (walk.text(node) === "$this") return draft.expression({ k: "this", scope: place.scope, line: node.line });
      return draft.expression({ k: "name", name: walk.text(node).slice(1), scope: place.scope, line: node.line });
    case "relative_scope": {
      const word = walk.text(node);
      return draft.expression({ k: word === "parent" ? "super" : "this", scope: place.scope, line: node.line });
    }
    case "qualified_name": {
      const name = walk.text(node).replace(/^\\/u, "").split("\\");
      const local = `import(${name.join("\\")})`;
      draft.import({ module: name.slice(0, -1).join("\\"), name: name.at(-1) ?? "", local, line: node.line }, 0);
      return draft.expression({ k: "name", name: local, scope: 0, line: node.line });
    }
    case "function_call_expression": {
      const callee = child(node, "function");
      return callee === undefined ? undefined : callFact(walk, callee.line, place, () => walk.expression(callee, place), args(node));
    }
    case "member_call_expression":
    case "nullsafe_member_call_expression":
    case "scoped_call_expression": {
      const object = child(node, "object") ?? child(node, "scope");
      const name = child(node, "name");
      return object === undefined || name === undefined
        ? undefined
        : callFact(walk, name.line, place, () => memberFact(walk, object, name, place), args(node));
    }
    case "member_access_expression":
    case "nullsafe_member_access_expression":
    case "class_constant_access_expression":
    case "scoped_property_access_expression": {
      const [first, second] = node.children;
      return first === undefined || second === undefined
        ? undefined
        : draft.expression({
            k: "member",
            of: walk.expression(first, place),
            name: walk.text(second).replace(/^\$/u, ""),
            line: second.line,
          });
    }
    case "object_creation_expression": {
      const [type] = node.children;
      return type === undefined ? undefined : newFact(walk, type, args(node), place);
    }
    case "assignment_expression":
      return assignment(walk, node, place);
    case "foreach_statement": {
      const [over, target] = node.children;
      const body = child(node, "body");
      const name = target?.type === "pair" ? target.children[1] : target;
      if (over !== undefined && name !== undefined)
        declareVariable(walk, name, place, walk.text(name).replace(/^[&$]+/u, ""), {
          value: draft.expression({ k: "value", of: walk.expression(over, place) }),
        });
      if (body !== undefined) walk.statement(body, place);
      return nothing();
    }
    case "arrow_function":
    case "anonymous_function": {
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        isArrow: true,
        ...(context === undefined ? {} : { context }),
        parameterNodes: parameters(walk, node),
        body: child(node, "body"),
        isValue: node.type === "arrow_function",
      });
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "return_statement": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return nothing();
    }
    case "comment":
    case "php_tag":
      return nothing();
    default:
      return undefined;
  }
}

function nameIn(walk: TreeWalk, node: PlainNode): string {
  const name = child(node, "name");
  return name === undefined ? "" : walk.text(name).replace(/^\$/u, "");
}

function args(node: PlainNode): readonly PlainNode[] {
  const list = child(node, "arguments") ?? ofType(node, "arguments");
  return (list?.children ?? []).flatMap((each) => each.children.slice(-1));
}

function parameters(walk: TreeWalk, node: PlainNode): Parameter[] {
  return (child(node, "parameters")?.children ?? []).flatMap((each): Parameter[] =>
    each.type.endsWith("parameter")
      ? [
          {
            name: nameIn(walk, each),
            node: each,
            type: child(each, "type"),
            value: child(each, "default_value"),
            rest: each.type === "variadic_parameter",
          },
        ]
      : [],
  );
}

function declareType(walk: TreeWalk, node: PlainNode, place: Place, kind: "class" | "interface" | "enum"): void {
  const list = (type: string, how: "extends" | "implements") => (ofType(node, type)?.children ?? []).map((each) => ({ how, node: each }));
  declareTypeByRules(walk, node, place, {
    name: nameIn(walk, node),
    kind,
    exported: true,
    bases: [...list("base_clause", "extends"), ...list("class_interface_clause", "implements")],
    body: child(node, "body"),
  });
}

function useFacts(walk: TreeWalk, node: PlainNode): void {
  const group = child(node, "body");
  const prefix = group === undefined ? "" : `${walk.text(node.children[0] ?? node)}\\`;
  for (const clause of (group ?? node).children.filter(({ type }) => type === "namespace_use_clause")) {
    const alias = child(clause, "alias");
    const [path] = clause.children;
    if (path === undefined) continue;
    const full = `${prefix}${walk.text(path).replace(/^\\/u, "")}`;
    const slash = full.lastIndexOf("\\");
    const name = full.slice(slash + 1);
    walk.draft.import(
      { module: full.slice(0, Math.max(0, slash)), name, local: alias === undefined ? name : walk.text(alias), line: clause.line },
      0,
    );
  }
}

function assignment(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const { draft } = walk;
  const left = child(node, "left");
  const right = child(node, "right");
  if (left === undefined || right === undefined) return undefined;
  const value = walk.expression(right, place);
  if (left.type === "variable_name") {
    draft.bind({ name: walk.text(left).slice(1), scope: place.scope, line: node.line, kind: "variable", value });
    return value;
  }
  draft.assignments.push({ target: walk.expression(left, place), value, line: node.line, scope: place.scope });
  return value;
}
