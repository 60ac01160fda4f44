import { readFileSync } from "node:fs";
import { expand } from "./expand.ts";
import type { MacroContext } from "./expand.ts";

/** One line of the corpus: what a hostile model (or, in the benign file, an ordinary one) asks for, and what must come of it. */
export interface Row {
  readonly id: string;
  readonly area: string;
  /** A tool's name, or `wire`, `event`, `extension` … for what no tool asks for. */
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly setup: string;
  readonly expect: "BLOCK" | "WARN" | "ALLOW";
  readonly why: string;
  /** Where the row comes from: see SOURCES.md. */
  readonly source: string;
}

/** The rows of one file, in their order. */
export function rowsOf(file: "attacks" | "benign"): readonly Row[] {
  const text = readFileSync(new URL(`../rows/${file}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** A text argument with its macros expanded. @throws {TypeError} when the row has no such text. */
export function textArgument({ id, args }: Row, name: string, context: MacroContext): string {
  const value = args[name];
  if (typeof value !== "string") throw new TypeError(`The row ${id} has no text ${name}.`);
  return expand(value, context);
}
