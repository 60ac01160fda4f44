import { child } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { span } from "./tree-walk.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** A function or method with its parameters and body; a class's scope is not seen from within its methods. */
export function declarePythonFunction(walk: TreeWalk, node: PlainNode, place: Place, decorators: readonly PlainNode[]): Place | undefined {
  const { draft } = walk;
  const nameNode = child(node, "name");
  if (nameNode === undefined) return undefined;
  const name = walk.text(nameNode);
  const names = decorators.map((decorator) => walk.text(decorator));
  const isMethod = draft.draft(place.symbol).kind === "class";
  const body = child(node, "body");
  const is = (pattern: RegExp) => names.some((each) => pattern.test(each));
  const isOverload = is(/(?:^|\.)overload$/u);
  const outer = isMethod ? { symbol: place.symbol, scope: draft.scopes[place.scope]?.parent ?? 0 } : place;
  const inner = draft.declare(outer, {
    name,
    kind: isMethod ? "method" : "function",
    ...span(node),
    ...(walk.text(node).startsWith("async") ? { isAsync: true } : {}),
    ...(is(/^(?:staticmethod|classmethod)$/u) ? { isStatic: true } : {}),
    ...(is(/(?:^|\.)(?:property|cached_property)$/u) ? { isAccessor: true } : {}),
    ...(is(/\.setter$/u) ? { isSetter: true } : {}),
    ...(isOverload || is(/abstractmethod$/u) ? { isAbstract: true } : {}),
    ...(body !== undefined && yields(body) ? { isGenerator: true } : {}),
  });
  draft.bindSymbol(name, place.scope, inner.symbol, node.line);
  declareParameters(walk, child(node, "parameters"), inner, isMethod && !is(/^staticmethod$/u));
  const type = child(node, "return_type");
  if (type !== undefined) draft.draft(inner.symbol).type = isOwnType(walk, node, type) ? draft.type({ k: "self" }) : walk.type(type, inner);
  if (is(/contextmanager$/u)) draft.draft(inner.symbol).isAccessor = false;
  if (body !== undefined && !isOverload) walk.statement(body, inner);
  return inner;
}

/** `def f(self: T) -> T` gives an instance of the class that it is called on. */
function isOwnType(walk: TreeWalk, node: PlainNode, type: PlainNode): boolean {
  const [first] = child(node, "parameters")?.children ?? [];
  const own = first === undefined ? undefined : child(first, "type");
  return own !== undefined && walk.text(own).replaceAll(/["']/gu, "") === walk.text(type).replaceAll(/["']/gu, "");
}

function yields(node: PlainNode): boolean {
  if (node.type === "yield") return true;
  if (node.type === "function_definition" || node.type === "lambda" || node.type === "class_definition") return false;
  return node.children.some((each) => yields(each));
}

/** Parameters in order; the first of a method is the instance (or the class) itself. */
export function declareParameters(walk: TreeWalk, node: PlainNode | undefined, inner: Place, hasSelf: boolean): void {
  const { draft } = walk;
  const parameters: number[] = [];
  let isFirst = true;
  for (const each of node?.children ?? []) {
    const isRest = each.type.includes("splat") || each.children[0]?.type.includes("splat") === true;
    const name = parameterName(walk, each);
    if (name === undefined) continue;
    if (isFirst && hasSelf && !isRest) {
      isFirst = false;
      const value = draft.expression({ k: "this", scope: inner.scope, line: each.line });
      draft.bind({ name, scope: inner.scope, line: each.line, kind: "variable", value });
      continue;
    }
    isFirst = false;
    const typeNode = child(each, "type");
    const valueNode = child(each, "value");
    let type = typeNode === undefined ? undefined : walk.type(typeNode, inner);
    if (type !== undefined && isRest)
      type = walk.text(each).startsWith("**")
        ? draft.type({ k: "ref", name: ["dict"], scope: 0, line: each.line, args: [draft.type({ k: "primitive", name: "string" }), type] })
        : draft.type({ k: "array", of: type });
    const value = valueNode === undefined ? undefined : walk.expression(valueNode, inner);
    parameters.push(
      draft.bind({
        name,
        scope: inner.scope,
        line: each.line,
        kind: "parameter",
        of: inner.symbol,
        position: parameters.length,
        ...(type === undefined ? {} : { type }),
        ...(value === undefined ? {} : { value }),
        ...(isRest ? { rest: true } : {}),
      }),
    );
  }
  if (parameters.length > 0) draft.draft(inner.symbol).parameters = parameters;
}

function parameterName(walk: TreeWalk, node: PlainNode): string | undefined {
  if (node.type === "identifier") return walk.text(node);
  const named = child(node, "name") ?? node.children[0];
  if (named === undefined) return undefined;
  return named.type === "identifier" ? walk.text(named) : parameterName(walk, named);
}
