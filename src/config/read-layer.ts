import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { Document } from "yaml";
import type { z } from "zod";
import { ConfigurationError, messageOf } from "../core/errors.ts";
import { nearest } from "../text/nearest.ts";
import { gateSchema, type GateLayer } from "./gate-policy.ts";

/** More is no configuration that a person wrote. Characters. */
const LONGEST_FILE = 1_000_000;

/**
 * Reads what a file of the configuration says about the gate; an empty file, and one without `gate:`, say nothing.
 * @param file how the file is called in an error
 * @throws {ConfigurationError} naming file, line and key of the first thing that is wrong.
 */
export function readGateLayer(text: string, file: string): GateLayer {
  const wrong = (line: number, why: string, cause?: unknown): ConfigurationError =>
    new ConfigurationError(`${file}:${line}: ${why}.`, { code: "bad-configuration", hint: "Mend it, then try again.", cause });
  if (text.length > LONGEST_FILE) throw wrong(1, `the file has more than ${LONGEST_FILE} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) throw wrong(lines.linePos(broken.pos[0]).line, `it is no valid YAML: ${broken.message}`, broken);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    throw wrong(1, `it is no valid YAML: ${messageOf(error)}`, error);
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw wrong(1, "expected keys such as gate:");
  const { gate } = value as { readonly gate?: unknown };
  if (gate === null || gate === undefined) return {};
  const parsed = gateSchema.safeParse(gate);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw parsed.error;
  const { path, why } = describe(issue);
  throw wrong(lines.linePos(offsetOf(document, path)).line, `${path.join(".")}: ${why}`, parsed.error);
}

type Path = readonly PropertyKey[];

/** Where an issue stands, below the file's root, and what it is in words. */
function describe(issue: z.core.$ZodIssue): { readonly path: Path; readonly why: string } {
  const path = ["gate", ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const meant = nearest(key, keysAt(issue.path));
    return { path: [...path, key], why: `this key is not known${meant === undefined ? "" : `; did you mean ${meant}?`}` };
  }
  if (issue.code === "invalid_key") return { path, why: issue.issues[0]?.message ?? issue.message };
  if (issue.code === "invalid_value") return { path, why: `expected one of ${issue.values.map(String).join(", ")}` };
  return { path, why: issue.message.replace(/^Invalid input: /, "") };
}

/** The keys that may stand below a path. */
function keysAt([first]: Path): readonly string[] {
  const shape: Readonly<Record<string, unknown>> = gateSchema.shape;
  if (first === undefined) return Object.keys(shape);
  const inner = (shape[String(first)] as { unwrap?(): { readonly shape?: object } } | undefined)?.unwrap?.();
  return Object.keys(inner?.shape ?? {});
}

/** Where a path's last key begins in the text, or the last of its keys that is there. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
      if (!isScalar(pair?.key)) return offset;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      if (isScalar(node)) offset = node.range?.[0] ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}
