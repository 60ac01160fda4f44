import { child } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { callFact, declareByRules, declareField, declareTypeByRules, declareVariable, memberFact, nameFact } from "./rules.ts";
import type { Parameter, Rules } from "./rules.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** Ruby: constants are seen everywhere; a bare name may be a call of the object's own. */
export const rubyRules: Rules = {
  language: "ruby",
  classes: {},
  names: new Set(["constant"]),
  literals: {
    string: "string",
    integer: "number",
    float: "number",
    true: "boolean",
    false: "boolean",
    nil: "null",
    simple_symbol: "string",
    regex: "RegExp",
  },
  blocks: new Set(),
  primitives: {},
  type: (walk, node, place) =>
    walk.draft.type({
      k: "ref",
      name: walk
        .text(node)
        .split("::")
        .filter((part) => part !== ""),
      scope: place.scope,
      line: node.line,
    }),
  visit,
};

function visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined {
  const { draft } = walk;
  const nothing = () => draft.expression({ k: "made", of: [] });
  switch (node.type) {
    case "module":
    case "class":
      declareType(walk, node, place);
      return nothing();
    case "singleton_class":
      for (const each of child(node, "body")?.children ?? []) {
        walk.statement(each, place);
        const last = draft.symbols.findLast((symbol) => symbol.parent === place.symbol);
        if (last !== undefined) last.isStatic = true;
      }
      return nothing();
    case "method":
    case "singleton_method":
      declareMethod(walk, node, place);
      return nothing();
    case "call":
      return call(walk, node, place);
    case "identifier":
      return bareName(walk, node, place);
    case "scope_resolution": {
      const scope = child(node, "scope");
      const name = child(node, "name");
      if (name === undefined) return undefined;
      return scope === undefined ? nameFact(walk, name, place) : memberFact(walk, scope, name, place);
    }
    case "self":
      return draft.expression({ k: "this", scope: place.scope, line: node.line });
    case "super":
      return callFact(walk, node.line, place, () => superMethod(walk, node, place), []);
    case "instance_variable":
    case "class_variable": {
      const of = draft.expression({ k: "this", scope: place.scope, line: node.line });
      return draft.expression({ k: "member", of, name: walk.text(node).replaceAll("@", ""), line: node.line });
    }
    case "assignment": {
      const left = child(node, "left");
      const right = child(node, "right");
      if (left === undefined || right === undefined) return undefined;
      if (left.type === "identifier" || left.type === "constant") {
        declareVariable(walk, node, place, walk.text(left), { value: right });
        return nothing();
      }
      const target = walk.expression(left, place);
      const value = walk.expression(right, place);
      draft.assignments.push({ target, value, line: node.line, scope: place.scope });
      return value;
    }
    case "return": {
      const value = node.children[0]?.children[0];
      if (value !== undefined) draft.addReturn(place.symbol, walk.expression(value, place));
      return nothing();
    }
    case "block":
    case "do_block":
    case "lambda": {
      const body = child(node, "body");
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: "",
        hidden: true,
        isArrow: true,
        ...(context === undefined ? {} : { context }),
        parameterNodes: parameters(walk, child(node, "parameters")),
        body,
      });
      return draft.expression({ k: "symbol", symbol: inner.symbol });
    }
    case "comment":
      return nothing();
    default:
      return undefined;
  }
}

function superMethod(walk: TreeWalk, node: PlainNode, place: Place): number {
  const of = walk.draft.expression({ k: "super", scope: place.scope, line: node.line });
  return walk.draft.expression({ k: "member", of, name: walk.draft.draft(place.symbol).name, line: node.line });
}

/** A local variable if one of that name was bound before, else a call without arguments. */
function bareName(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const name = walk.text(node);
  const isBound = draft.bindings.some((binding) => binding.scope === place.scope && binding.name === name);
  if (isBound) return nameFact(walk, node, place);
  if (name === "new")
    return callFact(walk, node.line, place, () => draft.expression({ k: "this", scope: place.scope, line: node.line }), [], "new");
  return callFact(walk, node.line, place, () => nameFact(walk, node, place), []);
}

function declareType(walk: TreeWalk, node: PlainNode, place: Place): void {
  const nameNode = child(node, "name");
  if (nameNode === undefined) return;
  const superclass = child(node, "superclass")?.children[0];
  const bases = superclass === undefined ? [] : [{ how: "extends" as const, node: superclass }];
  const names = walk
    .text(nameNode)
    .split("::")
    .filter((part) => part !== "");
  let at = place;
  for (const name of names.slice(0, -1)) at = declareTypeByRules(walk, node, at, { name, kind: "namespace", exported: true, bases: [] });
  const kind = node.type === "module" && hasOnlyTypes(child(node, "body")) ? "namespace" : "class";
  declareTypeByRules(walk, node, at, { name: names.at(-1) ?? "", kind, exported: true, bases, body: child(node, "body") });
}

function hasOnlyTypes(body: PlainNode | undefined): boolean {
  return body !== undefined && body.children.every(({ type }) => type === "class" || type === "module" || type === "comment");
}

function parameters(walk: TreeWalk, node: PlainNode | undefined): Parameter[] {
  return (node?.children ?? []).flatMap((each): Parameter[] => {
    const name = child(each, "name") ?? each;
    return name.type === "identifier" ? [{ name: walk.text(name), node: each, value: child(each, "value") }] : [];
  });
}

function declareMethod(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  const nameNode = child(node, "name");
  if (nameNode === undefined) return;
  const name = walk.text(nameNode);
  const isOwned = ["class", "namespace"].includes(draft.draft(place.symbol).kind);
  const inner = declareByRules(walk, node, place, {
    kind: isOwned ? "method" : "function",
    name,
    exported: true,
    ...(node.type === "singleton_method" ? { isStatic: true } : {}),
    parameterNodes: parameters(walk, child(node, "parameters")),
    body: child(node, "body") ?? node.children.at(-1),
  });
  draft.draft(inner.symbol).isAbstract = false;
  if (!isOwned) draft.bindSymbol(name, place.scope, inner.symbol, node.line);
  const last = draft.expressions.length - 1;
  if (last >= 0 && draft.draft(inner.symbol).returns === undefined && child(node, "body") !== undefined)
    draft.addReturn(inner.symbol, lastValue(walk, child(node, "body"), inner) ?? last);
}

/** A method gives its last expression: known where that is a plain call of `new` or an instance variable. */
function lastValue(walk: TreeWalk, body: PlainNode | undefined, inner: Place): number | undefined {
  const last = body?.children.at(-1);
  return last === undefined || !["instance_variable", "self"].includes(last.type) ? undefined : walk.expression(last, inner);
}

function call(walk: TreeWalk, node: PlainNode, place: Place): number | undefined {
  const { draft } = walk;
  const receiver = child(node, "receiver");
  const method = child(node, "method");
  const list = child(node, "arguments")?.children ?? [];
  const block = child(node, "block");
  const args = block === undefined ? list : [...list, block];
  if (method === undefined) return undefined;
  const name = walk.text(method);
  if (receiver === undefined && declares(walk, name, list, place, node)) return draft.expression({ k: "made", of: [] });
  const isNew = name === "new";
  if (!isNew)
    return callFact(
      walk,
      method.line,
      place,
      () => (receiver === undefined ? nameFact(walk, method, place) : memberFact(walk, receiver, method, place)),
      args,
    );
  if (receiver === undefined)
    return callFact(walk, method.line, place, () => draft.expression({ k: "this", scope: place.scope, line: method.line }), args, "new");
  return callFact(walk, method.line, place, () => walk.expression(receiver, place), args, "new");
}

/** Calls that declare something: imports, mixins, attributes. */
function declares(walk: TreeWalk, name: string, list: readonly PlainNode[], place: Place, node: PlainNode): boolean {
  const { draft } = walk;
  const [first] = list;
  if (first === undefined) return false;
  if (name === "require" || name === "require_relative" || name === "load") {
    if (first.type === "string") draft.import({ module: walk.text(first).slice(1, -1), name: "*", line: node.line }, 0);
    return true;
  }
  if (name === "include" || name === "extend" || name === "prepend") {
    const owner = draft.draft(place.symbol);
    owner.heritage = [...(owner.heritage ?? []), ...list.map((each) => ({ how: "extends" as const, type: walk.type(each, place) }))];
    return true;
  }
  if (!/^attr_(?:reader|accessor|writer)$/u.test(name)) return false;
  for (const each of list) declareField(walk, each, place, walk.text(each).replace(/^:/u, ""), { exported: true });
  return true;
}
