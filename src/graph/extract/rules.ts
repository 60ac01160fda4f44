import type { BlobFacts, Language, SymbolKind } from "../facts.ts";
import type { ParsedTree } from "../parse/grammars.ts";
import { child } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import { FactsDraft } from "./facts-draft.ts";
import type { Place, SymbolDraft } from "./facts-draft.ts";
import { madeOf, span } from "./tree-walk.ts";
import type { Context, TreeWalk } from "./tree-walk.ts";

/** How one language writes what all have: the rest of the walk is the same for each. */
export interface Rules {
  readonly language: Language;
  /** Node types that declare a type, and what kind it is. */
  readonly classes: Readonly<Record<string, SymbolKind>>;
  /** Node types that are a name standing for itself. */
  readonly names: ReadonlySet<string>;
  readonly literals: Readonly<Record<string, string>>;
  /** Node types that open a scope for local variables. */
  readonly blocks: ReadonlySet<string>;
  /** Written types that are built in. */
  readonly primitives: Readonly<Record<string, string>>;
  /** The language's own nodes; undefined leaves the node to the common rules. */
  visit(walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number | undefined;
  type(walk: TreeWalk, node: PlainNode, place: Place): number | undefined;
}

/** The facts of a file by the rules of its language. */
export function extractByRules(rules: Rules, { root, syntaxErrors }: ParsedTree, source: string): BlobFacts {
  const draft = new FactsDraft(rules.language, root.endLine);
  const walk: TreeWalk = {
    draft,
    text: (node) => source.slice(node.start, node.end),
    statement: (node, place) => {
      walk.expression(node, place);
    },
    expression: (node, place, context) => visit(rules, walk, node, place, context),
    type: (node, place) => rules.type(walk, node, place) ?? commonType(rules, walk, node, place),
  };
  for (const node of root.children) walk.statement(node, draft.top);
  return draft.facts(syntaxErrors);
}

function visit(rules: Rules, walk: TreeWalk, node: PlainNode, place: Place, context?: Context): number {
  const { draft } = walk;
  const own = rules.visit(walk, node, place, context);
  if (own !== undefined) return own;
  if (rules.names.has(node.type)) return nameFact(walk, node, place);
  const literal = rules.literals[node.type];
  if (literal !== undefined && node.children.length === 0) return draft.expression({ k: "literal", name: literal });
  const within = rules.blocks.has(node.type) ? { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) } : place;
  if (node.type.startsWith("parenthesized") && node.children.length === 1 && node.children[0] !== undefined)
    return walk.expression(node.children[0], place, context);
  const found = madeOf(walk, node.children, within);
  return literal === undefined ? found : draft.expression({ k: "literal", name: literal });
}

function commonType(rules: Rules, walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const text = walk.text(node);
  const primitive = rules.primitives[text];
  if (primitive !== undefined) return draft.type({ k: "primitive", name: primitive });
  if (node.type === "array_type" || node.type === "slice_type") {
    const element = child(node, "element") ?? child(node, "type");
    if (element !== undefined) return draft.type({ k: "array", of: walk.type(element, place) });
  }
  if (node.type === "generic_type" || node.type === "generic_name" || node.type === "template_type") {
    const [head, args] = node.children;
    if (head !== undefined) return reference(walk, head, place, args?.children ?? []);
  }
  if (/^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|\\)[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(text)) return reference(walk, node, place, []);
  const inner = child(node, "type") ?? (node.children.length === 1 ? node.children[0] : undefined);
  if (inner !== undefined && inner !== node) return walk.type(inner, place);
  return draft.type({ k: "primitive", name: "unknown" });
}

function reference(walk: TreeWalk, head: PlainNode, place: Place, args: readonly PlainNode[]): number {
  const name = walk
    .text(head)
    .replace(/<[^]*$/u, "")
    .split(/\.|::|\\/u)
    .filter((part) => part !== "");
  const types = args.map((each) => walk.type(each, place));
  return walk.draft.type({ k: "ref", name, scope: place.scope, line: head.line, ...(types.length === 0 ? {} : { args: types }) });
}

/** A name, as an expression. */
export function nameFact(walk: TreeWalk, node: PlainNode, place: Place): number {
  return walk.draft.expression({ k: "name", name: walk.text(node), scope: place.scope, line: node.line });
}

/** `object.name`, as an expression. */
export function memberFact(walk: TreeWalk, object: PlainNode, name: PlainNode, place: Place): number {
  return walk.draft.expression({ k: "member", of: walk.expression(object, place), name: walk.text(name), line: name.line });
}

/** A call of an expression that is in the tables already once `callee` has made it. */
export function callFact(
  walk: TreeWalk,
  line: number,
  place: Place,
  callee: () => number,
  args: readonly PlainNode[],
  how?: "new",
): number {
  const { draft } = walk;
  const index = draft.reserve();
  const target = callee();
  const found = args
    .filter(({ type }) => type !== "comment")
    .map((each, argument) => walk.expression(each, place, { call: index, argument }));
  return draft.fill(index, { k: "call", callee: target, args: found, line, scope: place.scope, ...(how === undefined ? {} : { how }) });
}

/** `new Type(…)`, whose type is written as a type. */
export function newFact(walk: TreeWalk, type: PlainNode, args: readonly PlainNode[], place: Place): number {
  const name = walk
    .text(type)
    .replace(/<[^]*$/u, "")
    .split(/\.|::|\\/u)
    .filter((part) => part !== "");
  const made = walk.type(type, place);
  const index = callFact(walk, type.line, place, () => pathFact(walk, name, type.line, place), args, "new");
  if (walk.draft.language === "java") noteCall(walk, index);
  return walk.draft.expression({ k: "cast", type: made, of: index });
}

/** Notes at a callee which call it is: where methods have names of their own, no field or variable hides one. */
export function noteCall(walk: TreeWalk, index: number): number {
  const { expressions } = walk.draft;
  const call = expressions[index];
  const callee = call?.k === "call" ? expressions[call.callee] : undefined;
  if (call?.k === "call" && (callee?.k === "name" || callee?.k === "member")) walk.draft.fill(call.callee, { ...callee, call: index });
  return index;
}

/** A path of names, as members of one another. */
export function pathFact(walk: TreeWalk, path: readonly string[], line: number, place: Place): number {
  const [head = "", ...rest] = path;
  let of = walk.draft.expression({ k: "name", name: head, scope: place.scope, line });
  for (const name of rest) of = walk.draft.expression({ k: "member", of, name, line });
  return of;
}

export interface Parameter {
  readonly name: string;
  readonly node: PlainNode;
  readonly type?: PlainNode | undefined;
  readonly value?: PlainNode | undefined;
  readonly rest?: boolean;
}

export interface FunctionParts extends Partial<SymbolDraft> {
  readonly kind: "function" | "method";
  readonly name: string;
  readonly parameterNodes: readonly Parameter[];
  readonly returnNode?: PlainNode | undefined;
  readonly body?: PlainNode | undefined;
  readonly typeNames?: readonly string[];
  /** The body is an expression whose value is the result. */
  readonly isValue?: boolean;
}

/** Declares a function with its parameters and walks its body. */
export function declareByRules(walk: TreeWalk, node: PlainNode, place: Place, parts: FunctionParts): Place {
  const { draft } = walk;
  const { parameterNodes, returnNode, body, typeNames = [], isValue, ...fact } = parts;
  const inner = draft.declare(place, {
    ...span(node),
    ...fact,
    ...(body === undefined && fact.hidden !== true ? { isAbstract: true } : {}),
  });
  declareTypeNames(walk, typeNames, node, inner);
  const parameters = parameterNodes.map((parameter, position) => {
    const type = parameter.type === undefined ? undefined : walk.type(parameter.type, inner);
    const rest = type !== undefined && parameter.rest === true ? draft.type({ k: "array", of: type }) : type;
    const value = parameter.value === undefined ? undefined : walk.expression(parameter.value, inner);
    return draft.bind({
      name: parameter.name,
      scope: inner.scope,
      line: parameter.node.line,
      kind: "parameter",
      of: inner.symbol,
      position,
      ...(rest === undefined ? {} : { type: rest }),
      ...(value === undefined ? {} : { value }),
      ...(parameter.rest === true ? { rest: true } : {}),
    });
  });
  const symbol = draft.draft(inner.symbol);
  if (parameters.length > 0) symbol.parameters = parameters;
  if (returnNode !== undefined) symbol.type = walk.type(returnNode, inner);
  if (body === undefined) return inner;
  if (isValue === true) draft.addReturn(inner.symbol, walk.expression(body, inner));
  else for (const each of body.children) walk.statement(each, inner);
  return inner;
}

/** Binds type parameters by their names. */
function declareTypeNames(walk: TreeWalk, names: readonly string[], node: PlainNode, inner: Place): void {
  if (names.length === 0) return;
  const { draft } = walk;
  draft.draft(inner.symbol).typeParameters = names.map((name) => ({ name }));
  for (const name of names) draft.bind({ name, scope: inner.scope, line: node.line, kind: "type-parameter", of: inner.symbol });
}

export interface ClassParts extends Partial<SymbolDraft> {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly bases: readonly { readonly how: "extends" | "implements"; readonly node: PlainNode }[];
  readonly body?: PlainNode | undefined;
  readonly typeNames?: readonly string[];
}

/** Declares a type and walks its body. */
export function declareTypeByRules(
  walk: TreeWalk,
  node: PlainNode,
  place: Place,
  { bases, body, typeNames = [], ...fact }: ClassParts,
): Place {
  const { draft } = walk;
  const inner = draft.declare(place, { ...span(node), ...fact });
  if (fact.name !== "" && fact.hidden !== true) draft.bindSymbol(fact.name, place.scope, inner.symbol, node.line);
  declareTypeNames(walk, typeNames, node, inner);
  const heritage = bases.map((base) => ({ how: base.how, type: walk.type(base.node, inner) }));
  if (heritage.length > 0) draft.draft(inner.symbol).heritage = heritage;
  for (const each of body?.children ?? []) walk.statement(each, inner);
  return inner;
}

/** A field with its written type and first value. */
export function declareField(
  walk: TreeWalk,
  node: PlainNode,
  owner: Place,
  name: string,
  { type, value, ...flags }: { type?: PlainNode | undefined; value?: PlainNode | undefined } & Omit<Partial<SymbolDraft>, "type" | "value">,
): void {
  const { draft } = walk;
  const inner = draft.declare(owner, { name, kind: "field", ...span(node), ...flags });
  const symbol = draft.draft(inner.symbol);
  if (type !== undefined) symbol.type = walk.type(type, owner);
  if (value !== undefined) symbol.value = walk.expression(value, inner);
}

/** A variable in the scope it stands in; of a whole file, a symbol. */
export function declareVariable(
  walk: TreeWalk,
  node: PlainNode,
  place: Place,
  name: string,
  { type, value }: { type?: PlainNode | undefined; value?: PlainNode | number | undefined },
): void {
  const { draft } = walk;
  const kind = draft.draft(place.symbol).kind;
  const isTop = (kind === "module" || kind === "namespace") && draft.draft(place.symbol).scope === place.scope;
  const written = type === undefined ? undefined : walk.type(type, place);
  if (isTop) {
    const inner = draft.declare(place, { name, kind: "variable", ...span(node) });
    draft.bindSymbol(name, place.scope, inner.symbol, node.line);
    const symbol = draft.draft(inner.symbol);
    if (written !== undefined) symbol.type = written;
    const known = typeof value === "object" ? walk.expression(value, inner) : value;
    if (known !== undefined) symbol.value = known;
    return;
  }
  const known = typeof value === "object" ? walk.expression(value, place) : value;
  draft.bind({
    name,
    scope: place.scope,
    line: node.line,
    kind: "variable",
    ...(written === undefined ? {} : { type: written }),
    ...(known === undefined ? {} : { value: known }),
  });
}
