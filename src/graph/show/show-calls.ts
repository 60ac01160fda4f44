import type { Call, Calls } from "../query/calls.ts";
import { shown, symbolTitle } from "./shown.ts";
import { count, declaredAt, doubtLines, placeText, sureness } from "./words.ts";

/** The callers of a symbol, one a line: place, name, confidence. */
export function showCallers(answer: Calls): string {
  const { target, calls, count: all } = answer;
  const head = `${count(all, "caller")} of ${declaredAt(target.main)}`;
  return assemble(
    answer,
    head,
    all === 0 ? ["Nothing in the repository calls it."] : calls.map(callerLine),
    "Named without a call (handed over, stored, or as a type):",
  );
}

/** What a symbol calls, one a line: the call's place, what is called and where that is. */
export function showCallees(answer: Calls): string {
  const { target, calls, count: all } = answer;
  const head = `${count(all, "callee")} of ${declaredAt(target.main)}`;
  return assemble(answer, head, all === 0 ? ["It calls nothing in the repository."] : calls.map(calleeLine), "Named by it without a call:");
}

function assemble(
  { calls, count: all, named, namedCount, target, doubt }: Calls,
  head: string,
  rows: readonly string[],
  title: string,
): string {
  const more = all > calls.length ? [`[${calls.length} of ${all} shown]`] : [];
  const others = named.map(({ symbol, place }) => `${placeText(place)} ${symbolTitle(symbol)} (${sureness(place.confidence)})`);
  const rest = namedCount > named.length ? [`[${named.length} of ${namedCount} shown]`] : [];
  return [
    head,
    ...rows,
    ...more,
    ...(others.length === 0 ? [] : ["", title, ...others, ...rest]),
    ...(target.namesakes.length === 0 ? [] : ["", `[others of this name: ${target.namesakes.slice(0, 10).map(declaredAt).join("; ")}]`]),
    ...doubtLines(doubt),
  ].join("\n");
}

function callerLine({ symbol, place, depth, other, through }: Call): string {
  const via = through === undefined ? "" : ` through ${shown(through.qualified)}`;
  const of = depth === 1 ? "" : ` calls ${shown(other.qualified)}`;
  return `${placeText(place)} ${symbolTitle(symbol)}${of}${via} (${sureness(place.confidence)}${level(depth)})`;
}

function calleeLine({ symbol, place, depth, other, mayRun }: Call): string {
  const by = depth === 1 ? "" : ` by ${shown(other.qualified)}`;
  const runs =
    mayRun.length === 0 ? "" : `; may run ${mayRun.map((one) => `${shown(one.qualified)} ${shown(one.path)}:${one.line}`).join(", ")}`;
  return `${placeText(place)} → ${declaredAt(symbol)}${by} (${sureness(place.confidence)}${level(depth)})${runs}`;
}

const level = (depth: number): string => (depth === 1 ? "" : `, depth ${depth}`);
