import { z } from "zod";
import { nearest } from "../text/nearest.ts";

export type CheckedArguments<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** How much of a wrong value is quoted back. */
const QUOTED = 60;
const LONGEST_PATH = 4096;

/** A text argument: well-formed Unicode without NUL, at most `longest` UTF-16 units. */
export function text(longest: number, description: string) {
  return z
    .string()
    .max(longest)
    .refine((value) => value.isWellFormed(), "holds half of a surrogate pair")
    .refine((value) => !value.includes("\0"), "holds a NUL character")
    .describe(description);
}

/** A path argument of a tool that reads or writes the file itself. What the spelling may be is `judgePath`'s business. */
export function pathText(description: string) {
  return z.string().max(LONGEST_PATH).describe(description);
}

/** A path argument that is published and looked up nowhere before. */
export function saidPath(description: string) {
  return text(LONGEST_PATH, description);
}

/**
 * Checks what a model passed against a tool's schema. Nothing is guessed or repaired, except that `null` for an optional argument means that
 * it is absent, as strict function calling writes it. `why` names every wrong argument, what was expected and what came.
 */
export function checkArguments<S extends z.ZodObject>(schema: S, tool: string, args: unknown): CheckedArguments<z.output<S>> {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return { ok: false, why: `The arguments of ${tool} must be one JSON object, not ${kindOf(args)}. ${signature(schema, tool)}` };
  }
  const given = Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null || !isOptional(schema, name)));
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const wrong = parsed.error.issues.flatMap((issue) => explain(issue, given, Object.keys(schema.shape)));
  return { ok: false, why: `Wrong arguments for ${tool}: ${wrong.join("; ")}. ${signature(schema, tool)}` };
}

function isOptional(schema: z.ZodObject, name: string): boolean {
  const field: unknown = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  return field instanceof z.ZodOptional || field instanceof z.ZodDefault;
}

function explain(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>, known: readonly string[]): readonly string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, 10).map((key) => {
      const meant = nearest(key, known);
      return `${quote(key)} is no argument of it${meant === undefined ? "" : ` (did you mean ${quote(meant)}?)`}`;
    });
  }
  const name = issue.path.join(".");
  const value = valueAt(given, issue.path);
  if (value === undefined)
    return [`${quote(name)} is missing${issue.code === "invalid_type" ? ` (${article(issue.expected)} is needed)` : ""}`];
  const isText = typeof value === "string";
  if (issue.code === "invalid_type") return [`${quote(name)} must be ${article(issue.expected)}, not ${kindOf(value)} (${quote(value)})`];
  if (issue.code === "custom") return [`${quote(name)} ${issue.message}`];
  if (issue.code === "too_big") {
    return [
      `${quote(name)} ${isText ? `is too long: ${value.length} characters, the limit is ${issue.maximum}` : `must be at most ${issue.maximum}, not ${quote(value)}`}`,
    ];
  }
  if (issue.code === "too_small")
    return [`${quote(name)} ${isText ? "must not be empty" : `must be at least ${issue.minimum}, not ${quote(value)}`}`];
  return [`${quote(name)}: ${issue.message} (it is ${quote(value)})`];
}

function valueAt(given: Readonly<Record<string, unknown>>, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined), given);
}

/** `edit_file(path: string, replace_all?: boolean)`: what the next attempt can be written from. */
function signature(schema: z.ZodObject, tool: string): string {
  const fields = Object.entries(schema.shape).map(([name, field]) => {
    const json = z.toJSONSchema(field as z.ZodType, { io: "input" });
    return `${name}${isOptional(schema, name) ? "?" : ""}: ${String(json.type ?? "any")}`;
  });
  return `It is called as ${tool}(${fields.join(", ")}).`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return article(typeof value);
}

function article(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind === "int" ? "integer" : kind}`.replace(/^a integer/, "an integer");
}

function quote(value: unknown): string {
  const json = (JSON.stringify(value) ?? "nothing").toWellFormed();
  return json.length <= QUOTED ? json : `${json.slice(0, QUOTED).toWellFormed()}…`;
}
