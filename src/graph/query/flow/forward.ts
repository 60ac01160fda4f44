import type { Confidence, GraphSymbol } from "../../graph.ts";
import { isOneOf } from "./endpoints.ts";
import type { Consumer, FileFlow } from "./file-flow.ts";
import { ownFieldOf, placesOfOwnField } from "./own-fields.ts";
import { functionOf, parameterAt, type MutableStep, type Tracer } from "./tracer.ts";

/** Where a value is, and by which calls it came there: a result goes back to the call that asked for it. */
interface Point {
  readonly file: FileFlow;
  readonly at: MutableStep[];
  readonly stack: readonly { readonly file: FileFlow; readonly call: number }[];
  readonly confidence: Confidence;
}

/** Follows what is bound to a name to wherever it is read. */
export function followBinding(tracer: Tracer, file: FileFlow, binding: number, at: MutableStep[]): void {
  fromBinding(tracer, { file, at, stack: [], confidence: "exact" }, binding);
}

/** Follows what is stored in a field or a variable of the file to wherever it is read. */
export function followSymbol(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[]): void {
  fromSymbol(tracer, symbol, at, []);
}

/** Follows what a function returns into its callers. */
export function followResult(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[]): void {
  for (const { file, call, confidence } of tracer.callsOf(symbol)) fromCall(tracer, { file, at, stack: [], confidence }, call, symbol);
}

function fromBinding(tracer: Tracer, point: Point, binding: number): void {
  if (!tracer.enter(`>b ${binding} ${point.file.path}`)) return;
  for (const read of point.file.reads(binding)) out(tracer, point, read);
}

function fromSymbol(tracer: Tracer, symbol: GraphSymbol, at: MutableStep[], stack: Point["stack"]): void {
  if (!tracer.enter(`>s ${symbol.id}`)) return;
  for (const { file, expression, confidence, written } of tracer.namesOf(symbol)) {
    if (written === undefined) out(tracer, { file, at, stack, confidence }, expression);
  }
}

function out(tracer: Tracer, point: Point, expression: number): void {
  if (tracer.isFull() || !tracer.enter(`>e ${expression} ${point.file.path} ${point.stack.length}`)) return;
  for (const consumer of point.file.consumers(expression)) consume(tracer, point, expression, consumer);
}

function consume(tracer: Tracer, point: Point, expression: number, consumer: Consumer): void {
  const { file, confidence } = point;
  const { facts, path } = file;
  switch (consumer.k) {
    case "binding": {
      const binding = facts.bindings[consumer.binding];
      if (binding === undefined || binding.kind === "parameter") return;
      if (binding.kind === "symbol" && binding.target !== undefined)
        return stored(tracer, point, expression, consumer.binding, binding.target);
      const next = tracer.step(point.at, {
        path,
        line: binding.line,
        kind: "variable",
        says: `${binding.name} = ${file.textOf(binding.value ?? expression)}`,
        confidence,
      });
      if (next !== undefined) fromBinding(tracer, { ...point, at: next.next }, consumer.binding);
      return;
    }
    case "symbol":
      return stored(tracer, point, expression, undefined, consumer.symbol);
    case "assigned":
      return assigned(tracer, point, expression, consumer);
    case "returned":
      return returned(tracer, point, expression, consumer.symbol);
    case "argument":
      return passed(tracer, point, consumer);
    case "receiver":
      return received(tracer, point, consumer.call);
    case "part":
      return out(tracer, point, consumer.expression);
  }
}

/** Into a declaration of the file: a field, a variable that others can see. */
function stored(tracer: Tracer, point: Point, expression: number, binding: number | undefined, fact: number): void {
  const { file, confidence } = point;
  const symbol = symbolAt(tracer, file, fact);
  const { name = "", line = 0 } = file.facts.symbols[fact] ?? {};
  const next = tracer.step(point.at, {
    path: file.path,
    line,
    kind: "field",
    says: `${symbol?.qualified ?? name} = ${file.textOf(expression)}`,
    confidence,
  });
  if (next === undefined) return;
  if (binding !== undefined) fromBinding(tracer, { ...point, at: next.next }, binding);
  if (symbol !== undefined) fromSymbol(tracer, symbol, next.next, point.stack);
}

function assigned(tracer: Tracer, point: Point, expression: number, { target, line }: Extract<Consumer, { k: "assigned" }>): void {
  const { file, confidence } = point;
  const written = file.textOf(target);
  const sink = isOneOf(written, tracer.endpoints.sinks) ? { endpoint: "sink" as const } : {};
  const binding = file.bindingOf(target);
  const fields = tracer.asked.graph.targetsOf(file.path, target);
  const kind = binding === undefined ? "field" : "variable";
  const next = tracer.step(point.at, { path: file.path, line, kind, says: `${written} = ${file.textOf(expression)}`, confidence, ...sink });
  if (next === undefined) return;
  if (binding !== undefined) fromBinding(tracer, { ...point, at: next.next }, binding);
  for (const { id } of fields) {
    const field = tracer.asked.graph.symbols[id];
    if (field !== undefined) fromSymbol(tracer, field, next.next, point.stack);
  }
  const own = fields.length === 0 && binding === undefined ? ownFieldOf(file, target) : undefined;
  if (own === undefined || !tracer.enter(`>f ${own.owner} ${own.name} ${file.path}`)) return;
  for (const place of placesOfOwnField(file, own)) {
    if (place.written === undefined) out(tracer, { ...point, at: next.next, stack: [], confidence: "inferred" }, place.expression);
  }
}

function returned(tracer: Tracer, point: Point, expression: number, fact: number): void {
  const { file, stack, confidence } = point;
  const declared = file.facts.symbols[fact];
  if (declared?.hidden === true && declared.context !== undefined && "call" in declared.context)
    return out(tracer, point, declared.context.call);
  const symbol = symbolAt(tracer, file, fact);
  if (symbol === undefined) return;
  const next = tracer.step(point.at, {
    path: file.path,
    line: file.lineOf(expression),
    kind: "returned",
    says: `returned by ${symbol.qualified}`,
    confidence,
  });
  if (next === undefined) return;
  const back = stack.at(-1);
  if (back !== undefined)
    return fromCall(tracer, { file: back.file, at: next.next, stack: stack.slice(0, -1), confidence }, back.call, symbol);
  if (!tracer.enter(`>r ${symbol.id}`)) return;
  for (const { file: from, call, confidence: how } of tracer.callsOf(symbol))
    fromCall(tracer, { file: from, at: next.next, stack: [], confidence: how }, call, symbol);
}

/** From the result of a call onwards. */
function fromCall(tracer: Tracer, point: Point, call: number, callee: GraphSymbol): void {
  const { file, confidence } = point;
  const next = tracer.step(point.at, {
    path: file.path,
    line: file.lineOf(call),
    kind: "result",
    says: `result of ${callee.qualified}`,
    confidence,
  });
  if (next !== undefined) out(tracer, { ...point, at: next.next }, call);
}

/** As an argument: into the parameter of what is called, or out of the repository. */
function passed(tracer: Tracer, point: Point, { call, index }: Extract<Consumer, { k: "argument" }>): void {
  const { file, stack } = point;
  const expression = file.facts.expressions[call];
  if (expression?.k !== "call") return;
  const line = expression.line;
  const written = file.textOf(expression.callee);
  const sink = isOneOf(written, tracer.endpoints.sinks) ? { endpoint: "sink" as const } : {};
  const called = tracer.calledBy(file, call);
  for (const { symbol, confidence } of called) {
    const inside = tracer.file(symbol.path);
    const parameter = inside === undefined ? undefined : parameterAt(inside, symbol, index);
    const name = inside?.facts.bindings[parameter ?? -1]?.name;
    const says = `argument ${index + 1} of ${symbol.qualified}${name === undefined ? "" : ` as ${name}`} (${symbol.path}:${symbol.line})`;
    const next = tracer.step(point.at, { path: file.path, line, kind: "argument", says, confidence, ...sink });
    if (next === undefined) return;
    if (inside === undefined || parameter === undefined || stack.length >= tracer.depth) continue;
    fromBinding(tracer, { file: inside, at: next.next, stack: [...stack, { file, call }], confidence }, parameter);
  }
  if (called.length > 0) return;
  const next = tracer.step(point.at, {
    path: file.path,
    line,
    kind: "outside",
    says: `argument ${index + 1} of ${written}, outside of the repository or not resolved`,
    confidence: point.confidence,
    ...sink,
  });
  // What nobody can look into may answer with what it was given.
  if (next !== undefined) out(tracer, { ...point, at: next.next, confidence: "inferred" }, call);
}

/** A method of the value: of one that is not known, the result and the lambdas it is given are made of the value. */
function received(tracer: Tracer, point: Point, call: number): void {
  const { file } = point;
  const expression = file.facts.expressions[call];
  if (expression?.k !== "call" || tracer.calledBy(file, call).length > 0) return;
  for (const argument of expression.args) {
    const lambda = file.facts.expressions[argument];
    if (lambda?.k !== "symbol") continue;
    const [parameter] = functionOf(file, lambda.symbol)?.parameters ?? [];
    if (parameter !== undefined) fromBinding(tracer, { ...point, confidence: "inferred" }, parameter);
  }
  out(tracer, { ...point, confidence: "inferred" }, call);
}

function symbolAt({ asked: { graph } }: Tracer, file: FileFlow, fact: number): GraphSymbol | undefined {
  const id = graph.symbolOfFact(file.path, fact);
  return id === undefined ? undefined : graph.symbols[id];
}
