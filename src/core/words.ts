import type { Severity } from "./result.ts";
import type { RunState } from "./run.ts";

/** The states in the words that people read, on GitHub and on the dashboard alike. */
export const STATE_WORDS: Readonly<Record<RunState, string>> = {
  queued: "queued",
  working: "working",
  done: "done",
  blocked: "blocked",
  waiting: "waiting for approval",
  failed: "failed",
  cancelled: "cancelled",
  "out-of-budget": "out of budget",
};

/** Severities in words, never in colour alone. */
export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  info: "note",
  warn: "warning",
  ask: "needs approval",
  block: "held back",
};
