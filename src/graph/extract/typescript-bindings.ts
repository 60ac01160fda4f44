import type ts from "typescript";
import type { Place } from "./facts-draft.ts";
import { nameOf } from "./typescript-walk.ts";
import type { Walk } from "./typescript-walk.ts";

/** Binds the names of a destructuring pattern to the parts of the expression `of`. */
export function bindPattern(walk: Walk, pattern: ts.BindingName, of: number, place: Place): void {
  const { ts, draft } = walk;
  const line = walk.start(pattern);
  if (ts.isIdentifier(pattern)) {
    draft.bind({ name: pattern.text, scope: place.scope, line, kind: "variable", value: of });
    return;
  }
  pattern.elements.forEach((element, index) => {
    if (!ts.isBindingElement(element)) return;
    const value = partOf(walk, pattern, element, index, of, place);
    if (element.initializer === undefined) {
      bindPattern(walk, element.name, value, place);
      return;
    }
    const fallback = walk.expression(element.initializer, place);
    bindPattern(walk, element.name, draft.expression({ k: "either", items: [value, fallback] }), place);
  });
}

function partOf(walk: Walk, pattern: ts.BindingPattern, element: ts.BindingElement, index: number, of: number, place: Place): number {
  const { ts, draft } = walk;
  if (ts.isArrayBindingPattern(pattern)) {
    return element.dotDotDotToken === undefined ? draft.expression({ k: "item", of, index }) : of;
  }
  if (element.dotDotDotToken !== undefined) return of;
  const key = element.propertyName ?? element.name;
  const name = nameOf(walk, key);
  if (name !== undefined) return draft.expression({ k: "member", of, name, line: walk.start(element) });
  if (element.propertyName !== undefined && ts.isComputedPropertyName(element.propertyName))
    walk.expression(element.propertyName.expression, place);
  return draft.expression({ k: "element", of });
}
