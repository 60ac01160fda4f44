import { child, childrenIn, ofType } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { declareByRules, declareField, declareTypeByRules } from "./rules.ts";
import type { Parameter } from "./rules.ts";
import { span } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** The types that only Go writes; undefined leaves the node to the common rules. */
export function goType(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const { draft } = walk;
  switch (node.type) {
    case "pointer_type":
    case "parenthesized_type":
    case "type_elem":
    case "negated_type":
      return node.children[0] === undefined ? undefined : walk.type(node.children[0], place);
    case "channel_type": {
      const value = child(node, "value");
      return value === undefined ? undefined : draft.type({ k: "array", of: walk.type(value, place) });
    }
    case "map_type": {
      const args = [child(node, "key"), child(node, "value")].flatMap((each) => (each === undefined ? [] : [walk.type(each, place)]));
      return draft.type({ k: "ref", name: ["Map"], scope: 0, line: node.line, args });
    }
    case "parameter_list": {
      const types = node.children.flatMap((each) => {
        const type = child(each, "type") ?? each;
        return Array.from({ length: Math.max(1, childrenIn(each, "name").length) }, () => walk.type(type, place));
      });
      return types.length === 1 ? types[0] : draft.type({ k: "tuple", items: types });
    }
    case "function_type": {
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        parameterNodes: parameters(walk, child(node, "parameters")),
        returnNode: child(node, "result"),
      });
      return draft.type({ k: "function", symbol: inner.symbol });
    }
    case "struct_type":
    case "interface_type": {
      const inner = draft.declare(place, { name: "", kind: "interface", ...span(node), hidden: true });
      typeBody(walk, node, inner);
      return draft.type({ k: "object", symbol: inner.symbol });
    }
    default:
      return undefined;
  }
}

/** The parameters of a function, a name or none each. */
export function parameters(walk: TreeWalk, node: PlainNode | undefined): Parameter[] {
  return (node?.children ?? []).flatMap((each): Parameter[] => {
    const type = child(each, "type");
    const rest = each.type === "variadic_parameter_declaration";
    const names = childrenIn(each, "name");
    if (names.length === 0) return [{ name: "", node: each, type, rest }];
    return names.map((name) => ({ name: walk.text(name), node: name, type, rest }));
  });
}

function typeNames(walk: TreeWalk, node: PlainNode): string[] {
  return (child(node, "type_parameters")?.children ?? []).flatMap((each) => childrenIn(each, "name").map((name) => walk.text(name)));
}

function isPublic(name: string): { exported?: boolean } {
  return /^\p{Lu}/u.test(name) ? { exported: true } : {};
}

/** A function of the package. */
export function declareFunction(walk: TreeWalk, node: PlainNode, place: Place): void {
  const nameNode = child(node, "name");
  if (nameNode === undefined) return;
  const name = walk.text(nameNode);
  const inner = declareByRules(walk, node, place, {
    kind: "function",
    name,
    ...isPublic(name),
    typeNames: typeNames(walk, node),
    parameterNodes: parameters(walk, child(node, "parameters")),
    returnNode: child(node, "result"),
    body: child(node, "body"),
  });
  bindResults(walk, child(node, "result"), inner);
  if (name !== "init" && name !== "_") walk.draft.bindSymbol(name, place.scope, inner.symbol, node.line);
}

/** Results that have names are variables of the body. */
function bindResults(walk: TreeWalk, result: PlainNode | undefined, inner: Place): void {
  if (result?.type !== "parameter_list") return;
  for (const each of result.children) {
    const type = child(each, "type");
    if (type === undefined) continue;
    for (const name of childrenIn(each, "name"))
      walk.draft.bind({ name: walk.text(name), scope: inner.scope, line: name.line, kind: "variable", type: walk.type(type, inner) });
  }
}

/** The method goes to a hidden declaration of the receiver's name, which is one with the type. */
export function declareMethod(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const receiver = child(node, "receiver")?.children[0];
  const nameNode = child(node, "name");
  const typeNode = receiver === undefined ? undefined : child(receiver, "type");
  if (receiver === undefined || nameNode === undefined || typeNode === undefined) return;
  const written = walk.text(typeNode).replaceAll(/^\*|\[[^]*$|[()\s]/gu, "");
  const owner = draft.declare(place, { name: written, kind: "class", ...span(node), hidden: true });
  const name = walk.text(nameNode);
  const self = childrenIn(receiver, "name")[0];
  const inner = declareByRules(walk, node, owner, {
    kind: "method",
    name,
    ...isPublic(name),
    parameterNodes: parameters(walk, child(node, "parameters")),
    returnNode: child(node, "result"),
  });
  bindResults(walk, child(node, "result"), inner);
  const symbol = draft.draft(inner.symbol);
  symbol.isAbstract = false;
  if (self !== undefined)
    draft.bind({
      name: walk.text(self),
      scope: inner.scope,
      line: node.line,
      kind: "variable",
      type: draft.type({ k: "ref", name: [written], scope: place.scope, line: node.line }),
    });
  for (const each of child(node, "body")?.children ?? []) walk.statement(each, inner);
}

/** A named type, with its fields, methods and what is embedded in it. */
export function declareType(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const nameNode = child(node, "name");
  const type = child(node, "type");
  if (nameNode === undefined || type === undefined) return;
  const name = walk.text(nameNode);
  const isAlias = node.type === "type_alias";
  const kind = isAlias ? "type" : type.type === "interface_type" ? "interface" : "class";
  const inner = declareTypeByRules(walk, node, place, { name, kind, ...isPublic(name), bases: [], typeNames: typeNames(walk, node) });
  if (isAlias) draft.draft(inner.symbol).type = walk.type(type, inner);
  else if (type.type === "struct_type" || type.type === "interface_type") typeBody(walk, type, inner);
  else underlying(walk, type, inner);
}

/** What a named type does because of what it is made of: calls of a function type, elements of a list. */
function underlying(walk: TreeWalk, type: PlainNode, inner: Place): void {
  const { draft } = walk;
  if (type.type === "function_type") {
    declareByRules(walk, type, inner, {
      kind: "method",
      name: "()",
      hidden: true,
      parameterNodes: parameters(walk, child(type, "parameters")),
      returnNode: child(type, "result"),
    });
    return;
  }
  const element = child(type, "element") ?? child(type, "value");
  if (element !== undefined)
    draft.draft(draft.declare(inner, { name: "[]", kind: "field", ...span(type), hidden: true }).symbol).type = walk.type(element, inner);
  else if (type.type === "type_identifier" || type.type === "qualified_type")
    draft.draft(inner.symbol).heritage = [{ how: "extends", type: walk.type(type, inner) }];
}

function typeBody(walk: TreeWalk, node: PlainNode, inner: Place): void {
  const { draft } = walk;
  const embedded: PlainNode[] = [];
  const members = node.type === "struct_type" ? (ofType(node, "field_declaration_list")?.children ?? []) : node.children;
  for (const member of members) {
    const names = childrenIn(member, "name");
    const type = child(member, "type");
    if (member.type === "method_elem" || member.type === "method_spec") {
      const [name] = names;
      if (name !== undefined)
        declareByRules(walk, member, inner, {
          kind: "method",
          name: walk.text(name),
          ...isPublic(walk.text(name)),
          parameterNodes: parameters(walk, child(member, "parameters")),
          returnNode: child(member, "result"),
        });
    } else if (member.type === "field_declaration" && names.length > 0)
      for (const name of names) declareField(walk, name, inner, walk.text(name), { type, ...isPublic(walk.text(name)) });
    else if (type !== undefined) {
      embedded.push(type);
      const last =
        walk
          .text(type)
          .replaceAll(/^\*|\[[^]*$/gu, "")
          .split(".")
          .at(-1) ?? "";
      declareField(walk, member, inner, last, { type });
    } else if (member.type === "type_elem" && member.children.length === 1) embedded.push(member);
  }
  if (embedded.length > 0)
    draft.draft(inner.symbol).heritage = embedded.map((each) => ({ how: "extends" as const, type: walk.type(each, inner) }));
}
