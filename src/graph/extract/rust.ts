import { child, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { callFact, declareByRules, declareField, declareTypeByRules, declareVariable, memberFact, noteCall } from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import { macroTokens } from "./rust-macros.ts";
import { bindPattern, declarePayload, matched } from "./rust-patterns.ts";
import { useTree } from "./rust-use.ts";
import { span } from "./tree-walk.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** Rust: methods stand in `impl` blocks beside their type; modules are files or blocks. */
export const rustRules: Rules = {
  language: "rust",
  classes: {},
  names: new Set(["identifier", "type_identifier", "field_identifier", "crate", "super"]),
  literals: {
    string_literal: "string",
    integer_literal: "number",
    float_literal: "number",
    boolean_literal: "boolean",
    char_literal: "number",
  },
  blocks: new Set(["block", "match_arm", "if_expression", "while_expression", "for_expression"]),
  primitives: {
    i32: "number",
    u32: "number",
    i64: "number",
    u64: "number",
    usize: "number",
    u8: "number",
    f64: "number",
    bool: "boolean",
    str: "string",
    String: "string",
    "()": "null",
  },
  type: rustType,
  visit,
};

/** Types that are looked through to what they hold: a method of `Option<T>` or `Arc<T>` is most often meant for T. */
const WRAPPERS = new Set(["Box", "Rc", "Arc", "Option", "Result", "RefCell", "Mutex", "RwLock", "Pin", "Cow"]);

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  switch (node.type) {
    case "use_declaration": {
      const argument = child(node, "argument");
      if (argument !== undefined) useTree(walk, argument, [], place);
      return nothing();
    }
    case "mod_item":
      declareModule(walk, node, place);
      return nothing();
    case "function_item":
    case "function_signature_item":
      declareFunction(walk, node, place);
      return nothing();
    case "struct_item":
    case "union_item":
    case "enum_item":
      declareStruct(walk, node, place);
      return nothing();
    case "trait_item": {
      const bounds = child(node, "bounds")?.children ?? [];
      declareTypeByRules(walk, node, place, {
        name: nameIn(walk, node),
        kind: "interface",
        ...isPublic(node),
        bases: bounds.map((each) => ({ how: "extends" as const, node: each })),
        body: child(node, "body"),
        typeNames: typeNames(walk, node),
      });
      return nothing();
    }
    case "impl_item":
      declareImplementation(walk, node, place);
      return nothing();
    case "type_item": {
      const type = child(node, "type");
      const inner = declareTypeByRules(walk, node, place, { name: nameIn(walk, node), kind: "type", bases: [] });
      if (type !== undefined) draft.draft(inner.symbol).type = walk.type(type, inner);
      return nothing();
    }
    case "const_item":
    case "static_item":
      if (["class", "interface"].includes(draft.draft(place.symbol).kind))
        declareField(walk, node, place, nameIn(walk, node), { type: child(node, "type"), value: child(node, "value"), isStatic: true });
      else declareVariable(walk, node, place, nameIn(walk, node), { type: child(node, "type"), value: child(node, "value") });
      return nothing();
    case "let_declaration":
    case "let_condition": {
      const pattern = child(node, "pattern");
      const value = child(node, "value");
      const type = child(node, "type");
      const of = value === undefined ? undefined : walk.expression(value, place);
      if (pattern !== undefined)
        bindPattern(walk, pattern, type === undefined ? of : draft.expression({ k: "cast", type: walk.type(type, place) }), place);
      for (const each of node.children)
        if (each !== pattern && each !== value && each !== type && each.type === "block") walk.statement(each, place);
      return nothing();
    }
    case "for_expression": {
      const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
      const pattern = child(node, "pattern");
      const value = child(node, "value");
      const body = child(node, "body");
      if (pattern !== undefined && value !== undefined)
        bindPattern(walk, pattern, draft.expression({ k: "element", of: walk.expression(value, place) }), inner);
      if (body !== undefined) walk.statement(body, inner);
      return nothing();
    }
    case "match_expression":
      return matched(walk, node, place);
    case "call_expression": {
      const callee = child(node, "function");
      if (callee === undefined) return undefined;
      const last = child(callee, "field") ?? child(callee, "name") ?? callee;
      const index = callFact(walk, last.line, place, () => walk.expression(callee, place), child(node, "arguments")?.children ?? []);
      return noteCall(walk, index);
    }
    case "field_expression": {
      const value = child(node, "value");
      const field = child(node, "field");
      return value === undefined || field === undefined ? undefined : memberFact(walk, value, field, place);
    }
    case "scoped_identifier":
    case "scoped_type_identifier": {
      const path = child(node, "path");
      const name = child(node, "name");
      if (name === undefined) return undefined;
      if (path === undefined) return walk.expression(name, place);
      return memberFact(walk, path, name, place);
    }
    case "generic_function":
    case "generic_type": {
      const head = child(node, "function") ?? child(node, "type");
      return head === undefined ? undefined : walk.expression(head, place);
    }
    case "self":
      return draft.expression({ k: "this", scope: place.scope, line: node.line });
    case "struct_expression": {
      const name = child(node, "name");
      const body = child(node, "body");
      if (name === undefined) return undefined;
      for (const each of body?.children ?? []) {
        const value = child(each, "value") ?? (each.type === "field_initializer" ? undefined : each.children[0]);
        if (value !== undefined) walk.expression(value, place);
      }
      return draft.expression({ k: "cast", type: walk.type(name, place) });
    }
    case "closure_expression": {
      const parameters = (child(node, "parameters")?.children ?? []).map((each) => parameter(walk, each));
      const body = child(node, "body");
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        isArrow: true,
        ...(context === undefined ? {} : { context }),
        parameterNodes: parameters,
        body,
        isValue: body?.type !== "block",
      });
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "try_expression":
    case "reference_expression": {
      const value = child(node, "value") ?? node.children.at(-1);
      return value === undefined ? undefined : walk.expression(value, place);
    }
    case "unary_expression": {
      const [value] = node.children;
      return value !== undefined && walk.text(node).startsWith("*") ? walk.expression(value, place) : undefined;
    }
    case "await_expression": {
      const [value] = node.children;
      return value === undefined ? undefined : draft.expression({ k: "await", of: walk.expression(value, place) });
    }
    case "index_expression": {
      const [value, index] = node.children;
      if (index !== undefined) walk.expression(index, place);
      return value === undefined ? undefined : draft.expression({ k: "value", of: walk.expression(value, place) });
    }
    case "type_cast_expression": {
      const value = child(node, "value");
      const type = child(node, "type");
      return value === undefined || type === undefined
        ? undefined
        : draft.expression({ k: "cast", type: walk.type(type, place), of: walk.expression(value, place) });
    }
    case "return_expression": {
      const [value] = node.children;
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return nothing();
    }
    case "macro_invocation": {
      const tokens = ofType(node, "token_tree");
      if (tokens !== undefined) macroTokens(walk, tokens, place);
      return nothing();
    }
    case "attribute_item":
    case "inner_attribute_item":
      return nothing();
    default:
      return undefined;
  }
}

function rustType(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const { draft } = walk;
  switch (node.type) {
    case "reference_type":
    case "pointer_type": {
      const type = child(node, "type");
      return type === undefined ? undefined : walk.type(type, place);
    }
    case "dynamic_type":
    case "abstract_type": {
      const type = child(node, "trait");
      return type === undefined ? undefined : walk.type(type, place);
    }
    case "generic_type": {
      const head = child(node, "type");
      const [first] = child(node, "type_arguments")?.children ?? [];
      return head !== undefined && first !== undefined && WRAPPERS.has(walk.text(head)) ? walk.type(first, place) : undefined;
    }
    case "tuple_type":
      return draft.type({ k: "tuple", items: node.children.map((each) => walk.type(each, place)) });
    case "type_identifier":
      return walk.text(node) === "Self" ? draft.type({ k: "query", of: selfInstance(walk, node, place) }) : undefined;
    default:
      return undefined;
  }
}

function selfInstance(walk: TreeWalk, node: PlainNode, place: Place): number {
  return walk.draft.expression({ k: "name", name: "Self instance", scope: place.scope, line: node.line });
}

function nameIn(walk: TreeWalk, node: PlainNode): string {
  const name = child(node, "name");
  return name === undefined ? "" : walk.text(name);
}

function isPublic(node: PlainNode): { exported?: boolean } {
  return ofType(node, "visibility_modifier") === undefined ? {} : { exported: true };
}

function typeNames(walk: TreeWalk, node: PlainNode): string[] {
  return (child(node, "type_parameters")?.children ?? []).flatMap((each) => (each.type === "type_parameter" ? [nameIn(walk, each)] : []));
}

function parameter(walk: TreeWalk, node: PlainNode): Parameter {
  const pattern = child(node, "pattern") ?? node;
  return { name: walk.text(pattern).replace(/^(?:&|mut\s+|ref\s+)+/u, ""), node, type: child(node, "type") };
}

function declareFunction(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const name = nameIn(walk, node);
  const list = child(node, "parameters")?.children ?? [];
  const owner = draft.draft(place.symbol).kind;
  const isMethod = owner === "class" || owner === "interface" || owner === "enum";
  const hasSelf = list.some(({ type }) => type === "self_parameter");
  const body = child(node, "body");
  const inner = declareByRules(walk, node, place, {
    kind: isMethod ? "method" : "function",
    name,
    ...isPublic(node),
    ...(isMethod && !hasSelf ? { isStatic: true } : {}),
    typeNames: typeNames(walk, node),
    parameterNodes: list.filter(({ type }) => type === "parameter").map((each) => parameter(walk, each)),
    returnNode: child(node, "return_type"),
    body,
  });
  declareBounds(walk, node, inner);
  if (!isMethod) draft.bindSymbol(name, place.scope, inner.symbol, node.line);
}

/** What `<T: Trait>` and `where T: Trait` say of the type parameters that are declared already. */
function declareBounds(walk: TreeWalk, node: PlainNode, inner: Place): void {
  const { draft } = walk;
  const bounds = new Map<string, number[]>();
  const add = (name: string, list: PlainNode | undefined) => {
    const types = (list?.children ?? []).filter(({ type }) => type !== "lifetime" && type !== "removed_trait_bound");
    if (types.length > 0) bounds.set(name, [...(bounds.get(name) ?? []), ...types.map((each) => walk.type(each, inner))]);
  };
  for (const each of child(node, "type_parameters")?.children ?? [])
    if (each.type === "type_parameter") add(nameIn(walk, each), child(each, "bounds"));
  for (const each of ofType(node, "where_clause")?.children ?? []) {
    const left = child(each, "left");
    if (left !== undefined) add(walk.text(left), child(each, "bounds"));
  }
  const symbol = draft.draft(inner.symbol);
  if (symbol.typeParameters === undefined) return;
  symbol.typeParameters = symbol.typeParameters.map((each) => {
    const types = bounds.get(each.name);
    return types === undefined ? each : { ...each, bound: draft.type({ k: "both", items: types }) };
  });
}

function declareModule(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const name = nameIn(walk, node);
  const body = child(node, "body");
  if (body !== undefined) declareTypeByRules(walk, node, place, { name, kind: "namespace", ...isPublic(node), bases: [], body });
  else draft.import({ module: `self::${name}`, name: "*", local: name, line: node.line }, place.scope);
}

function declareStruct(walk: TreeWalk, node: PlainNode, place: Place): void {
  const inner = declareTypeByRules(walk, node, place, {
    name: nameIn(walk, node),
    kind: node.type === "enum_item" ? "enum" : "class",
    ...isPublic(node),
    bases: [],
    typeNames: typeNames(walk, node),
  });
  const own = { k: "ref" as const, name: [nameIn(walk, node)], scope: place.scope, line: node.line };
  bindSelf(walk, inner, node, walk.draft.type(own));
  const body = child(node, "body");
  if (body?.type === "ordered_field_declaration_list") declarePayload(walk, body, inner, "");
  for (const each of body?.children ?? []) {
    if (each.type === "field_declaration")
      declareField(walk, each, inner, nameIn(walk, each), { type: child(each, "type"), ...isPublic(each) });
    if (each.type !== "enum_variant") continue;
    const variant = nameIn(walk, each);
    declareField(walk, each, inner, variant, {});
    walk.draft.draft(walk.draft.symbols.length - 1).type = walk.draft.type(own);
    declarePayload(walk, child(each, "body"), inner, `${variant}$`);
  }
}

/** The names `Self` and, for types, an instance of it. */
function bindSelf({ draft }: TreeWalk, inner: Place, node: PlainNode, type: number): void {
  draft.bind({ name: "Self instance", scope: inner.scope, line: node.line, kind: "variable", type });
  draft.bindSymbol("Self", inner.scope, inner.symbol, node.line);
}

function declareImplementation(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const type = child(node, "type");
  const trait = child(node, "trait");
  if (type === undefined) return;
  const name = walk.text(type).replaceAll(/<[^]*$|^&|^.*::/gu, "");
  const inner = draft.declare(place, { name, kind: "class", ...span(node), hidden: true });
  if (trait !== undefined) draft.draft(inner.symbol).heritage = [{ how: "implements", type: walk.type(trait, place) }];
  const names = typeNames(walk, node);
  if (names.length > 0) draft.draft(inner.symbol).typeParameters = names.map((each) => ({ name: each }));
  for (const each of names) draft.bind({ name: each, scope: inner.scope, line: node.line, kind: "type-parameter", of: inner.symbol });
  declareBounds(walk, node, inner);
  bindSelf(walk, inner, node, walk.type(type, inner));
  for (const each of child(node, "body")?.children ?? []) walk.statement(each, inner);
}
