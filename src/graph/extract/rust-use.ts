import { child, childrenIn } from "../parse/plain-node.ts";
import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** `use a::{b as c, d::*}`: one import for each name at the end of a path. */
export function useTree(walk: TreeWalk, node: PlainNode, before: readonly string[], place: Place): void {
  const { draft } = walk;
  const segments = (each: PlainNode | undefined) =>
    each === undefined
      ? []
      : walk
          .text(each)
          .split("::")
          .filter((part) => part !== "");
  const add = (path: readonly string[], alias?: string) => {
    const full = fromInline(walk, path.at(-1) === "self" ? path.slice(0, -1) : path, place);
    const name = full.at(-1) ?? "";
    const local = alias ?? name;
    draft.import({ module: full.slice(0, -1).join("::"), name, local, line: node.line }, place.scope);
  };
  switch (node.type) {
    case "scoped_use_list":
      for (const each of child(node, "list")?.children ?? []) useTree(walk, each, [...before, ...segments(child(node, "path"))], place);
      return;
    case "use_list":
      for (const each of node.children) useTree(walk, each, before, place);
      return;
    case "use_as_clause":
      add([...before, ...segments(child(node, "path"))], walk.text(childrenIn(node, "alias")[0] ?? node));
      return;
    case "use_wildcard":
      draft.import(
        { module: fromInline(walk, [...before, ...segments(node.children[0])], place).join("::"), name: "*", line: node.line, all: true },
        place.scope,
      );
      return;
    default:
      add([...before, ...segments(node)]);
  }
}

/** `super` in a module that is written within the file leads to the file itself. */
function fromInline(walk: TreeWalk, path: readonly string[], place: Place): readonly string[] {
  let depth = 0;
  for (let at = place.symbol; at > 0; at = walk.draft.draft(at).parent) if (walk.draft.draft(at).kind === "namespace") depth += 1;
  let ups = 0;
  while (ups < depth && path[ups] === "super") ups += 1;
  return ups === 0 ? path : ["self", ...path.slice(ups)];
}
