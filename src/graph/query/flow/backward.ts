import type { Confidence, GraphSymbol } from "../../graph.ts";
import { isOneOf } from "./endpoints.ts";
import { partsOf, type FileFlow } from "./file-flow.ts";
import { ownFieldOf, placesOfOwnField, type OwnField } from "./own-fields.ts";
import { functionOf, parametersOf, type MutableStep, type Tracer } from "./tracer.ts";

interface Point {
  readonly file: FileFlow;
  readonly at: MutableStep[];
  /** Function boundaries crossed so far. */
  readonly crossed: number;
  readonly confidence: Confidence;
}

/** Where the value of a parameter or a variable comes from. */
export function traceBinding(tracer: Tracer, file: FileFlow, binding: number, at: MutableStep[]): void {
  ofBinding(tracer, { file, at, crossed: 0, confidence: "exact" }, binding);
}

/** What is written to a field or a variable of the file. */
export function traceSymbol(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[]): void {
  ofSymbol(tracer, symbol, at, 0);
}

/** What a function's results are made of. */
export function traceResult(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[]): void {
  const file = tracer.file(symbol.path);
  if (file !== undefined) ofResult(tracer, { file, at, crossed: 0, confidence: "exact" }, symbol);
}

function ofBinding(tracer: Tracer, point: Point, binding: number): void {
  const { file } = point;
  const fact = file.facts.bindings[binding];
  if (fact === undefined || !tracer.enter(`<b ${binding} ${file.path}`)) return;
  if (fact.kind === "symbol" && fact.target !== undefined) {
    const symbol = symbolAt(tracer, file, fact.target);
    if (symbol !== undefined) ofSymbol(tracer, symbol, point.at, point.crossed);
    return;
  }
  // `self` is the object itself, and comes from nowhere.
  if (fact.value !== undefined && file.facts.expressions[fact.value]?.k === "this") return;
  if (fact.kind === "parameter") ofParameter(tracer, point, binding);
  const values = [...(fact.value === undefined ? [] : [{ value: fact.value, line: fact.line }]), ...file.assigned(binding)];
  for (const { value, line } of values) written(tracer, point, fact.name, value, line, "variable");
}

/** `name = value`, and where the value comes from. */
function written(tracer: Tracer, point: Point, name: string, value: number, line: number, kind: "variable" | "field"): void {
  const { file, confidence } = point;
  const next = tracer.step(point.at, {
    path: file.path,
    line,
    kind,
    says: `${name} = ${file.textOf(value)}`,
    confidence,
    ...sourceOf(tracer, file, value),
  });
  if (next !== undefined) origins(tracer, { ...point, at: next.next }, value);
}

/** A parameter is what callers give; a lambda's first is what the method it is given to has. */
function ofParameter(tracer: Tracer, point: Point, binding: number): void {
  const { file } = point;
  const { of, position = 0, name = "" } = file.facts.bindings[binding] ?? {};
  const fact = file.facts.symbols[of ?? -1];
  if (of === undefined || fact === undefined) return;
  if (fact.hidden === true && fact.context !== undefined && "call" in fact.context) {
    const call = file.facts.expressions[fact.context.call];
    const callee = call?.k === "call" ? file.facts.expressions[call.callee] : undefined;
    if (callee?.k === "member") origins(tracer, { ...point, confidence: "inferred" }, callee.of);
    return;
  }
  const symbol = symbolAt(tracer, file, of);
  if (symbol === undefined || point.crossed >= tracer.depth) return;
  const first = file.facts.bindings[parametersOf(file, symbol)[0] ?? -1]?.name;
  const index = position - (first === "self" || first === "cls" ? 1 : 0);
  for (const { file: from, call, confidence } of tracer.callsOf(symbol)) {
    const expression = from.facts.expressions[call];
    const argument = expression?.k === "call" ? expression.args[index] : undefined;
    if (argument === undefined) continue;
    const says = `${name} is given ${from.textOf(argument)} by a call of ${symbol.qualified}`;
    const next = tracer.step(point.at, {
      path: from.path,
      line: from.lineOf(call),
      kind: "given",
      says,
      confidence,
      ...sourceOf(tracer, from, argument),
    });
    if (next !== undefined) origins(tracer, { file: from, at: next.next, crossed: point.crossed + 1, confidence }, argument);
  }
}

function ofSymbol(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[], crossed: number): void {
  const file = tracer.file(symbol.path);
  if (file === undefined || !tracer.enter(`<s ${symbol.id}`)) return;
  const { value } = file.facts.symbols[symbol.fact] ?? {};
  if (value !== undefined) written(tracer, { file, at, crossed, confidence: "exact" }, symbol.qualified, value, symbol.line, "field");
  for (const place of tracer.namesOf(symbol)) {
    if (place.written === undefined) continue;
    const point = { file: place.file, at, crossed, confidence: place.confidence };
    written(tracer, point, place.file.textOf(place.expression), place.written, place.file.lineOf(place.expression), "field");
  }
}

function ofResult(tracer: Tracer, point: Point, symbol: GraphSymbol): void {
  if (!tracer.enter(`<r ${symbol.id}`)) return;
  const { file, confidence } = point;
  const { returns = [], yields = [] } = functionOf(file, symbol.fact) ?? {};
  for (const value of [...returns, ...yields]) {
    const says = `${symbol.qualified} returns ${file.textOf(value)}`;
    const next = tracer.step(point.at, {
      path: file.path,
      line: file.lineOf(value) || symbol.line,
      kind: "returned",
      says,
      confidence,
      ...sourceOf(tracer, file, value),
    });
    if (next !== undefined) origins(tracer, { ...point, at: next.next }, value);
  }
}

function origins(tracer: Tracer, point: Point, id: number): void {
  const { file } = point;
  const { graph } = tracer.asked;
  const expression = file.facts.expressions[id];
  if (expression === undefined || tracer.isFull() || !tracer.enter(`<e ${id} ${file.path}`)) return;
  if (expression.k === "name") {
    const binding = file.bindingOf(id);
    if (binding !== undefined && file.facts.bindings[binding]?.kind !== "import") return ofBinding(tracer, point, binding);
  }
  if (expression.k === "name" || expression.k === "member") {
    const fields = graph.targetsOf(file.path, id).flatMap((target) => graph.symbols[target.id] ?? []);
    for (const field of fields) ofSymbol(tracer, field, point.at, point.crossed);
    const own = fields.length === 0 ? ownFieldOf(file, id) : undefined;
    if (own !== undefined) return ofOwnField(tracer, point, own);
    if (expression.k === "member") origins(tracer, point, expression.of);
    return;
  }
  if (expression.k === "call") return ofCall(tracer, point, id, expression);
  for (const part of partsOf(expression)) origins(tracer, point, part);
}

/** What is written to a field that is declared nowhere. */
function ofOwnField(tracer: Tracer, point: Point, field: OwnField): void {
  const { file } = point;
  if (!tracer.enter(`<f ${field.owner} ${field.name} ${file.path}`)) return;
  for (const { expression, written: value } of placesOfOwnField(file, field)) {
    if (value === undefined) continue;
    written(tracer, { ...point, confidence: "inferred" }, file.textOf(expression), value, file.lineOf(expression), "field");
  }
}

function ofCall(
  tracer: Tracer,
  point: Point,
  id: number,
  { callee, args, line }: { readonly callee: number; readonly args: readonly number[]; readonly line: number },
): void {
  const { file } = point;
  const called = tracer.calledBy(file, id);
  for (const { symbol, confidence } of called) {
    const says = `result of ${symbol.qualified} (${symbol.path}:${symbol.line})`;
    const next = tracer.step(point.at, { path: file.path, line, kind: "result", says, confidence, ...sourceOf(tracer, file, id) });
    const inside = tracer.file(symbol.path);
    if (next === undefined || inside === undefined || point.crossed >= tracer.depth) continue;
    ofResult(tracer, { file: inside, at: next.next, crossed: point.crossed + 1, confidence }, symbol);
  }
  if (called.length > 0) return;
  const says = `result of ${file.textOf(callee)}, outside of the repository or not resolved`;
  const next = tracer.step(point.at, {
    path: file.path,
    line,
    kind: "outside",
    says,
    confidence: point.confidence,
    ...sourceOf(tracer, file, id),
  });
  if (next === undefined) return;
  const receiver = file.facts.expressions[callee];
  const inner = { ...point, at: next.next, confidence: "inferred" as const };
  if (receiver?.k === "member") origins(tracer, inner, receiver.of);
  for (const argument of args) origins(tracer, inner, argument);
}

function sourceOf({ endpoints }: Tracer, file: FileFlow, expression: number): { readonly endpoint?: "source" } {
  const fact = file.facts.expressions[expression];
  const inner = fact?.k === "await" || fact?.k === "cast" ? (fact.of ?? expression) : expression;
  return isOneOf(file.textOf(inner), endpoints.sources) ? { endpoint: "source" } : {};
}

function symbolAt({ asked: { graph } }: Tracer, file: FileFlow, fact: number): GraphSymbol | undefined {
  const id = graph.symbolOfFact(file.path, fact);
  return id === undefined ? undefined : graph.symbols[id];
}
