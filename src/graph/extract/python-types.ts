import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import type { TreeWalk } from "./tree-walk.ts";

const PRIMITIVES: Readonly<Record<string, string>> = {
  str: "string",
  int: "number",
  float: "number",
  bool: "boolean",
  bytes: "string",
  None: "null",
};

/** A type annotation. Text in quotes is read as far as it is a plain name with arguments. */
export function pythonType(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  switch (node.type) {
    case "type":
    case "parenthesized_expression": {
      const [inner] = node.children;
      return inner === undefined ? draft.type({ k: "primitive", name: "unknown" }) : walk.type(inner, place);
    }
    case "none":
      return draft.type({ k: "primitive", name: "null" });
    case "identifier":
    case "attribute":
      return named(walk, walk.text(node).split("."), node, place);
    case "member_type":
      return named(walk, walk.text(node).split("."), node, place);
    case "union_type":
    case "binary_operator":
      return draft.type({ k: "union", items: node.children.map((each) => walk.type(each, place)) });
    case "generic_type":
    case "subscript": {
      const [head, ...rest] = node.children;
      const written = rest.flatMap((each) => (each.type === "type_parameter" ? each.children : [each]));
      const args = written.map((each) => walk.type(each, place));
      return named(walk, head === undefined ? [] : walk.text(head).split("."), node, place, args);
    }
    case "string":
      return quoted(walk, walk.text(node).replaceAll(/^[a-z]*["']+|["']+$/giu, ""), node, place);
    case "list":
      return draft.type({ k: "tuple", items: node.children.map((each) => walk.type(each, place)) });
    case "call": {
      const of = walk.expression(node, place);
      return draft.type({ k: "query", of });
    }
    default:
      return draft.type({ k: "primitive", name: "unknown" });
  }
}

function named(walk: TreeWalk, path: readonly string[], node: { line: number }, place: Place, args: readonly number[] = []): number {
  const [only] = path;
  const primitive = path.length === 1 && only !== undefined ? PRIMITIVES[only] : undefined;
  if (primitive !== undefined) return walk.draft.type({ k: "primitive", name: primitive });
  if (only === "typing" || only === "t" || only === "collections")
    return walk.draft.type({ k: "ref", name: path.slice(-1), scope: place.scope, line: node.line, ...(args.length === 0 ? {} : { args }) });
  return walk.draft.type({ k: "ref", name: path, scope: place.scope, line: node.line, ...(args.length === 0 ? {} : { args }) });
}

function quoted(walk: TreeWalk, text: string, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const alternatives = splitTop(text, "|");
  if (alternatives.length > 1) return draft.type({ k: "union", items: alternatives.map((each) => quoted(walk, each, node, place)) });
  const match = /^\s*([A-Za-z_][\w.]*)\s*(?:\[(.*)\])?\s*$/su.exec(text);
  if (match === null) return draft.type({ k: "primitive", name: "unknown" });
  const inner =
    match[2] === undefined ? [] : splitTop(match[2], ",").map((each) => quoted(walk, each.replaceAll(/["']/gu, ""), node, place));
  return named(walk, (match[1] ?? "").split("."), node, place, inner);
}

/** Splits at a sign that stands in no brackets. */
function splitTop(text: string, sign: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "[") depth += 1;
    else if (letter === "]") depth -= 1;
    else if (letter === sign && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
