import { child, childrenIn } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { declareField, declareVariable, pathFact } from "./rules.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** What a struct without field names or a variant of an enum holds: fields of the type, by number or name, after the variant's name. */
export function declarePayload(walk: TreeWalk, body: PlainNode | undefined, owner: Place, before: string): void {
  if (body === undefined) return;
  const named = body.children.filter(({ type }) => type === "field_declaration");
  for (const each of named) {
    const name = child(each, "name");
    if (name !== undefined) declareField(walk, each, owner, before + walk.text(name), { type: child(each, "type"), hidden: true });
  }
  if (named.length > 0) return;
  childrenIn(body, "type").forEach((type, index) => declareField(walk, type, owner, `${before}${index}`, { type, hidden: true }));
}

/** `match value { pattern if condition => …, … }`: one of what the arms give, each with the names that its pattern binds. */
export function matched(walk: TreeWalk, node: PlainNode, place: Place): number {
  const { draft } = walk;
  const value = child(node, "value");
  const of = value === undefined ? undefined : walk.expression(value, place);
  const items = (child(node, "body")?.children ?? []).flatMap((arm) => {
    const inner = { symbol: place.symbol, scope: draft.scope(place.scope, place.symbol) };
    const whole = child(arm, "pattern");
    const condition = whole === undefined ? undefined : child(whole, "condition");
    for (const each of whole?.children ?? []) if (each !== condition) bindPattern(walk, each, of, inner);
    if (condition !== undefined) walk.expression(condition, inner);
    const result = child(arm, "value");
    return result === undefined ? [] : [walk.expression(result, inner)];
  });
  return draft.expression({ k: "either", items });
}

/** Binds the names of a pattern to the parts of a value. */
export function bindPattern(walk: TreeWalk, pattern: PlainNode, value: number | undefined, place: Place): void {
  const { draft } = walk;
  switch (pattern.type) {
    case "identifier":
    case "shorthand_field_identifier":
      // A name in capitals is a constant or a variant.
      if (!/^\p{Lu}/u.test(walk.text(pattern))) declareVariable(walk, pattern, place, walk.text(pattern), { value });
      return;
    case "tuple_pattern":
      pattern.children.forEach((each, index) =>
        bindPattern(walk, each, value === undefined ? undefined : draft.expression({ k: "item", of: value, index }), place),
      );
      return;
    case "tuple_struct_pattern": {
      const type = child(pattern, "type") ?? pattern.children[0];
      const inner = pattern.children.filter((each) => each !== type);
      inner.forEach((each, index) => bindPattern(walk, each, type && held(walk, type, `${index}`, value, place), place));
      return;
    }
    case "struct_pattern": {
      const type = child(pattern, "type");
      for (const each of pattern.children.filter((one) => one.type === "field_pattern")) {
        const name = child(each, "name");
        if (name === undefined) continue;
        bindPattern(walk, child(each, "pattern") ?? name, type && held(walk, type, walk.text(name), value, place), place);
      }
      return;
    }
    case "captured_pattern": {
      const [name, ...parts] = pattern.children;
      if (name !== undefined) bindPattern(walk, name, value, place);
      for (const each of parts) bindPattern(walk, each, value, place);
      return;
    }
    case "or_pattern":
      for (const each of pattern.children) bindPattern(walk, each, value, place);
      return;
    case "scoped_identifier":
      return;
    default:
      for (const each of pattern.children) bindPattern(walk, each, pattern.children.length === 1 ? value : undefined, place);
  }
}

/** A field of what a pattern names: of a variant, looked for in its enum, or of a struct. */
function held(walk: TreeWalk, type: PlainNode, field: string, value: number | undefined, place: Place): number | undefined {
  const { draft } = walk;
  const path = walk
    .text(type)
    .replaceAll(/<[^]*?>/gu, "")
    .split("::");
  const last = path.at(-1) ?? "";
  if (path.length === 1 && (last === "Some" || last === "Ok")) return value;
  if (path.length === 1 && last === "Err") return undefined;
  const [first] = path;
  const around = first === "self" ? undefined : path.length > 1 ? pathFact(walk, path.slice(0, -1), type.line, place) : value;
  const ofStruct = draft.expression({ k: "cast", type: walk.type(type, place) });
  const items = [draft.expression({ k: "member", of: ofStruct, name: field, line: type.line })];
  if (around !== undefined) items.unshift(draft.expression({ k: "member", of: around, name: `${last}$${field}`, line: type.line }));
  return draft.expression({ k: "either", items });
}
