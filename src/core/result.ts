import type { OperationKind } from "./operation.ts";

/** What a tool call came to. Rendered for the model by `renderToolResult` alone. */
export interface ToolResult {
  readonly status: "ok" | "error" | "blocked";
  readonly text: string;
}

export const ok = (text: string): ToolResult => ({ status: "ok", text });
export const failed = (text: string): ToolResult => ({ status: "error", text });
export const blocked = (text: string): ToolResult => ({ status: "blocked", text });

/** The text that the model reads: `[error] …`, `[blocked] …`, or the text itself. */
export function renderToolResult({ status, text }: ToolResult): string {
  return status === "ok" ? text || "(empty)" : `[${status}] ${text}`;
}

/** From least to most severe. `info` is told; `warn` goes on and is shown; `ask` waits for a person; `block` holds. */
export type Severity = "info" | "warn" | "ask" | "block";

/** One thing a rule found. Whoever reads it learns the rule, the place, the reason and what to do. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly where?: { readonly path: string; /** 1-based. */ readonly line?: number };
  readonly why: string;
  readonly fix: string;
}

export interface Decision {
  readonly verdict: "allow" | "ask" | "block";
  /** All findings, warnings included, most severe first. */
  readonly findings: readonly Finding[];
  /** The question to people that it hangs on, or by whose answer it was let through. */
  readonly approval?: string;
}

/** A decision in one line, for the model and for people: `<rule>: <why> (<path>:<line>). <fix>`, joined by blanks. */
export function renderFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ rule, where, why, fix }) => {
      const place = where === undefined ? "" : ` (${where.path}${where.line === undefined ? "" : `:${where.line}`})`;
      return `${rule}: ${why}${place}. ${fix}`;
    })
    .join(" ");
}

/** What GitHub answered to a performed operation. */
export interface WriteOutcome {
  readonly operation: OperationKind;
  /** The id of what was made: comment, pull request number, reaction. */
  readonly id?: number;
  readonly url?: string;
  readonly sha?: string;
  readonly branch?: string;
}
