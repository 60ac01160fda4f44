import { blocked, failed, ok, type ToolResult } from "../core/result.ts";

const STATUSES: readonly unknown[] = ["ok", "error", "blocked"] satisfies readonly ToolResult["status"][];

/** What a handler answered as a result: a text by its prefix, plain data as it is, anything else as an error. */
export function readToolReturn(answer: unknown): ToolResult {
  if (typeof answer === "string") return readText(answer);
  return isResult(answer)
    ? { status: answer.status, text: answer.text }
    : failed(`The tool answered ${kindOf(answer)}, which is neither a text nor a result.`);
}

function readText(text: string): ToolResult {
  const [, status, rest = ""] = /^\[(error|blocked)\] ?([\s\S]*)$/.exec(text) ?? [];
  if (status === undefined) return ok(text);
  return status === "error" ? failed(rest || "The tool failed without a message.") : blocked(rest || "it was refused without a reason.");
}

export function isResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null) return false;
  const { status, text } = value as Partial<ToolResult>;
  return typeof text === "string" && STATUSES.includes(status);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
