import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Bench, Target } from "./bench.ts";

export interface ScoreboardOptions {
  /** Names of modules beside each other; those that export `targets` are benchmarks. */
  readonly names: readonly string[];
  /** The folders of the modules and of the results, with a slash at their ends. */
  readonly here: URL;
  readonly results: URL;
}

interface Kept {
  readonly machine: { readonly node: string; readonly cpus: number; readonly model: string };
  readonly measuredAt: string;
  readonly result: unknown;
}

/** One line of the scoreboard. */
export interface Line {
  readonly bench: string;
  readonly name: string;
  readonly target: string;
  readonly measured: string;
  readonly verdict: "held" | "missed" | "told" | "not measured";
  readonly on: string;
}

/** Judges the last result of each benchmark by its targets, writes `scoreboard.md` beside them, and answers the same table for a terminal. */
export async function writeScoreboard({ names, here, results }: ScoreboardOptions): Promise<string> {
  const lines: Line[] = [];
  const machines = new Set<string>();
  for (const name of names) {
    const { targets } = (await import(new URL(`${name}.ts`, here).href)) as Partial<Bench<unknown>>;
    if (targets === undefined) continue;
    const kept = keptIn(new URL(`${name}.json`, results));
    if (kept !== undefined) machines.add(`${kept.machine.cpus} × ${kept.machine.model}, Node.js ${kept.machine.node}`);
    lines.push(...targets.map((target) => lineOf(name, target, kept)));
  }
  writeFileSync(new URL("scoreboard.md", results), markdownOf(lines, [...machines]));
  return terminalOf(lines);
}

function keptIn(file: URL): Kept | undefined {
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, "utf8")) as Partial<Kept>;
  return kept.result === undefined || kept.machine === undefined || kept.measuredAt === undefined ? undefined : (kept as Kept);
}

/** How a target was met by what was last measured. */
export function lineOf(bench: string, target: Target<never> | Target<unknown>, kept: Kept | undefined): Line {
  const { name, unit, atMost, atLeast } = target;
  const shown = (value: number): string => `${rounded(value)}${unit === "" ? "" : unit === "%" ? "%" : ` ${unit}`}`;
  const line = {
    bench,
    name,
    target: atMost !== undefined ? `≤ ${shown(atMost)}` : atLeast !== undefined ? `≥ ${shown(atLeast)}` : "–",
    on: kept?.measuredAt.slice(0, 10) ?? "–",
  };
  const figure = kept === undefined ? undefined : (target as Target<unknown>).figure(kept.result);
  if (figure === undefined || Number.isNaN(figure)) return { ...line, measured: "–", verdict: "not measured" };
  const isHeld = figure <= (atMost ?? Infinity) && figure >= (atLeast ?? -Infinity);
  const verdict = atMost === undefined && atLeast === undefined ? "told" : isHeld ? "held" : "missed";
  return { ...line, measured: shown(figure), verdict };
}

/** Three digits that count. What is just beside a target must not be shown as if it were on it. */
function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function markdownOf(lines: readonly Line[], machines: readonly string[]): string {
  const rows = lines.map((line) => `| ${line.name} | ${line.target} | ${line.measured} | ${line.verdict} | ${line.bench} | ${line.on} |`);
  return [
    "# Scoreboard",
    "",
    "Written by `npm run bench`, from the last result of each benchmark in this folder.",
    "",
    "| what | target | measured | | `npm run bench --` | on |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `Measured on: ${machines.length === 0 ? "nothing yet" : machines.join("; ")}.`,
    "",
  ].join("\n");
}

function terminalOf(lines: readonly Line[]): string {
  const cells = [["", "target", "measured", ""], ...lines.map(({ name, target, measured, verdict }) => [name, target, measured, verdict])];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  "))
    .join("\n");
}
