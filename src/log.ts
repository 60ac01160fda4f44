import { pino } from "pino";
import { build as pretty } from "pino-pretty";
import type { Logger } from "./core/log.ts";

export interface LogOptions {
  /** pino's levels: trace … fatal, or silent. */
  readonly level: string;
  /** One JSON object a line, or lines for people. */
  readonly format: "json" | "pretty";
  /** Takes the values of held secrets out of each finished line, wherever they stand. */
  readonly mask: (text: string) => string;
}

/** The process's logger, on standard output. Redaction happens on the finished line, so that no field can be forgotten. */
export function createLogger({ level, format, mask }: LogOptions): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: mask },
  };
  return format === "json" ? pino(options) : pino(options, pretty({ colorize: process.stdout.isTTY, ignore: "pid,hostname", sync: true }));
}
