import type { Trigger } from "../core/run.ts";
import type { Decision, ToolResult } from "../core/result.ts";

/** What started a run. */
export const KIND_WORDS: Readonly<Record<Trigger, string>> = {
  mention: "mention",
  review: "review",
  ci: "failed CI",
  triage: "triage",
  task: "task",
  gate: "gate check",
  command: "command",
};

export const VERDICT_WORDS: Readonly<Record<Decision["verdict"], string>> = {
  allow: "allowed",
  ask: "waits for approval",
  block: "held back",
};

export const RESULT_WORDS: Readonly<Record<ToolResult["status"], string>> = { ok: "ok", error: "error", blocked: "blocked" };

/** `12,345`, the same on every machine. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** `1 turn`, `12,345 tokens`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
] as const;

/** A time span in its largest whole unit: `5 s`, `12 min`, `3 h`, `40 d`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  for (const [size, unit] of UNITS) if (seconds >= size) return `${count(Math.floor(seconds / size))} ${unit}`;
  return `${seconds} s`;
}
