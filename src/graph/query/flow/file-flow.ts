import type { BlobFacts, ExpressionFact } from "../../facts.ts";

/** What becomes of an expression's value, within its file. */
export type Consumer =
  /** A variable or a parameter's default. */
  | { readonly k: "binding"; readonly binding: number }
  /** A declaration (a field, a variable of the file) that begins with it. */
  | { readonly k: "symbol"; readonly symbol: number }
  | { readonly k: "assigned"; readonly target: number; readonly line: number }
  | { readonly k: "returned"; readonly symbol: number }
  | { readonly k: "argument"; readonly call: number; readonly index: number }
  /** A method is called on it. */
  | { readonly k: "receiver"; readonly call: number }
  /** It becomes part of another expression, or that one is read from it. */
  | { readonly k: "part"; readonly expression: number };

/** One file's facts, indexed for following values. */
export interface FileFlow {
  readonly path: string;
  readonly facts: BlobFacts;
  consumers(expression: number): readonly Consumer[];
  /** Where a binding is read. */
  reads(binding: number): readonly number[];
  /** The values that are assigned to a binding after its first. */
  assigned(binding: number): readonly { readonly value: number; readonly line: number }[];
  /** The binding that a name expression means; undefined for one that is not bound here. */
  bindingOf(expression: number): number | undefined;
  /** Names, members and calls that stand on a line. */
  onLine(line: number): readonly number[];
  lineOf(expression: number): number;
  /** The expression as it is written, in short. */
  textOf(expression: number): string;
}

const LONGEST_TEXT = 80;
const DEEPEST_TEXT = 8;

export function indexFlow(path: string, facts: BlobFacts): FileFlow {
  const consumers = new Map<number, Consumer[]>();
  const consume = (expression: number | undefined, consumer: Consumer): void => {
    if (expression !== undefined) push(consumers, expression, consumer);
  };
  const callees = new Map<number, number>();
  facts.expressions.forEach((expression, id) => {
    if (expression.k === "call") callees.set(expression.callee, id);
  });
  const lines = new Map<number, number[]>();
  const reads = new Map<number, number[]>();
  const scopes = bindingsByScope(facts);
  const bindingOf = (id: number): number | undefined => {
    const expression = facts.expressions[id];
    return expression?.k === "name" ? lookUp(facts, scopes, expression.scope, expression.name) : undefined;
  };
  const targets = new Set(facts.assignments.map(({ target }) => target));
  facts.expressions.forEach((expression, id) => {
    if ("line" in expression) push(lines, expression.line, id);
    if (expression.k === "name" && !targets.has(id)) {
      const binding = bindingOf(id);
      if (binding !== undefined) push(reads, binding, id);
    }
    if (expression.k === "call") {
      expression.args.forEach((arg, index) => consume(arg, { k: "argument", call: id, index }));
    } else if (expression.k === "member") {
      const call = callees.get(id);
      consume(expression.of, call === undefined ? { k: "part", expression: id } : { k: "receiver", call });
    } else {
      for (const part of partsOf(expression)) consume(part, { k: "part", expression: id });
    }
  });
  facts.bindings.forEach(({ value }, binding) => consume(value, { k: "binding", binding }));
  facts.symbols.forEach(({ value, returns = [], yields = [] }, symbol) => {
    consume(value, { k: "symbol", symbol });
    for (const result of [...returns, ...yields]) consume(result, { k: "returned", symbol });
  });
  const assigned = new Map<number, { readonly value: number; readonly line: number }[]>();
  for (const { target, value, line } of facts.assignments) {
    consume(value, { k: "assigned", target, line });
    const binding = bindingOf(target);
    if (binding !== undefined) push(assigned, binding, { value, line });
  }
  return {
    path,
    facts,
    consumers: (expression) => consumers.get(expression) ?? [],
    reads: (binding) => reads.get(binding) ?? [],
    assigned: (binding) => assigned.get(binding) ?? [],
    bindingOf,
    onLine: (line) => lines.get(line) ?? [],
    lineOf: (expression) => lineOf(facts, expression),
    textOf(expression) {
      const text = textOf(facts, expression, 0);
      return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;
    },
  };
}

/** The expressions of which another one is made. */
export function partsOf(expression: ExpressionFact): readonly number[] {
  switch (expression.k) {
    case "array":
    case "tuple":
    case "either":
      return expression.items;
    case "made":
      return expression.of;
    case "await":
    case "element":
    case "item":
    case "value":
    case "enter":
    case "spread":
    case "member":
      return [expression.of];
    case "cast":
      return expression.of === undefined ? [] : [expression.of];
    case "call":
    case "name":
    case "this":
    case "super":
    case "symbol":
    case "literal":
      return [];
  }
}

type Scopes = ReadonlyMap<number, ReadonlyMap<string, number>>;

function bindingsByScope({ bindings }: BlobFacts): Scopes {
  const scopes = new Map<number, Map<string, number>>();
  bindings.forEach(({ scope, name, kind }, binding) => {
    if (kind === "type-parameter") return;
    let names = scopes.get(scope);
    if (names === undefined) scopes.set(scope, (names = new Map()));
    // The first one stands for all: a variable that is written again is bound again in some languages.
    if (!names.has(name)) names.set(name, binding);
  });
  return scopes;
}

function lookUp({ scopes }: BlobFacts, bindings: Scopes, from: number, name: string): number | undefined {
  for (let scope = from, steps = 0; scope >= 0 && steps < 1000; scope = scopes[scope]?.parent ?? -1, steps++) {
    const binding = bindings.get(scope)?.get(name);
    if (binding !== undefined) return binding;
  }
  return undefined;
}

function lineOf({ expressions, symbols }: BlobFacts, id: number): number {
  const pending = [id];
  for (let steps = 0; pending.length > 0 && steps < 200; steps++) {
    const expression = expressions[pending.shift() as number];
    if (expression === undefined) continue;
    if ("line" in expression) return expression.line;
    if (expression.k === "symbol") return symbols[expression.symbol]?.line ?? 0;
    pending.push(...partsOf(expression));
  }
  return 0;
}

function textOf({ expressions, ...facts }: BlobFacts, id: number, depth: number): string {
  const expression = expressions[id];
  if (expression === undefined || depth > DEEPEST_TEXT) return "…";
  const inner = (part: number): string => textOf({ expressions, ...facts }, part, depth + 1);
  switch (expression.k) {
    case "name":
      return expression.name;
    case "member":
      return `${inner(expression.of)}.${expression.name}`;
    case "call":
      return expression.how === "jsx"
        ? `<${inner(expression.callee)}>`
        : `${inner(expression.callee)}(${expression.args.length > 0 ? "…" : ""})`;
    case "this":
    case "super":
      return expression.k;
    case "symbol":
      return facts.symbols[expression.symbol]?.name || "a function";
    case "literal":
      return "a literal";
    case "await":
      return `await ${inner(expression.of)}`;
    case "spread":
      return `...${inner(expression.of)}`;
    case "element":
    case "item":
    case "value":
      return `${inner(expression.of)}[…]`;
    case "either":
      return expression.items.slice(0, 3).map(inner).join(" or ");
    case "cast":
      return expression.of === undefined ? "a value" : inner(expression.of);
    case "enter":
      return inner(expression.of);
    case "array":
    case "tuple":
      return "[…]";
    case "made":
      return expression.of.length === 0 ? "a value" : `(${expression.of.slice(0, 3).map(inner).join(", ")})`;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
