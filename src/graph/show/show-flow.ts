import type { DataFlow, FlowOf } from "../query/flow/data-flow.ts";
import type { FlowStep } from "../query/flow/tracer.ts";
import { shown } from "./shown.ts";
import { count, declaredAt, doubtLines, sureness } from "./words.ts";

/** Where values come from and go to, as an indented chain of places. */
export function showFlow({ target, flows, isCut, sources, sinks, doubt }: DataFlow): string {
  const told = flows.filter(({ from, to }) => from.length + to.length > 0);
  const silent = flows.filter(({ from, to }) => from.length + to.length === 0).map(({ of }) => of);
  return [
    `Data flow of ${declaredAt(target.main)}`,
    ...(sources.length === 0 ? [] : [`Sources on the way: ${ends(sources)}`]),
    ...(sinks.length === 0 ? [] : [`Sinks that are reached: ${ends(sinks)}`]),
    ...told.flatMap(flowLines),
    ...(silent.length === 0 ? [] : ["", `No flow found of: ${silent.slice(0, 20).map(shown).join(", ")}`]),
    ...(flows.length === 0 ? ["It has no parameters, results or values that could be followed."] : []),
    ...(isCut ? ["[the answer is full: ask about one of the later steps, or with a smaller depth]"] : []),
    ...doubtLines(doubt),
  ].join("\n");
}

function flowLines({ of, path, line, from, to }: FlowOf): readonly string[] {
  return [
    "",
    `${shown(of)} ${shown(path)}:${line}`,
    ...(from.length === 0 ? [] : [" comes from:", ...from.flatMap((step) => stepLines(step, 2))]),
    ...(to.length === 0 ? [] : [" goes to:", ...to.flatMap((step) => stepLines(step, 2))]),
  ];
}

function stepLines({ path, line, says, confidence, endpoint, next }: FlowStep, depth: number): readonly string[] {
  const mark = endpoint === undefined ? "" : ` [${endpoint}]`;
  const indent = " ".repeat(Math.min(depth, 20));
  return [
    `${indent}${shown(path)}:${line} ${plain(says)} (${sureness(confidence)})${mark}`,
    ...next.flatMap((step) => stepLines(step, depth + 1)),
  ];
}

function ends(steps: readonly FlowStep[]): string {
  const places = [...new Set(steps.map(({ path, line }) => `${shown(path)}:${line}`))];
  return `${count(places.length, "place")}: ${places.slice(0, 10).join(", ")}`;
}

/** What is quoted of the code stays on its line. */
const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, " ");
