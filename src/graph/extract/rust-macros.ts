import type { PlainNode } from "../parse/plain-node.ts";
import type { Place } from "./facts-draft.ts";
import { noteCall } from "./rules.ts";
import type { TreeWalk } from "./tree-walk.ts";

/** Inside a macro there are only tokens: names with a dot or colons between them lead on, and a name before brackets is a call. */
export function macroTokens(walk: TreeWalk, node: PlainNode, place: Place): void {
  const { draft } = walk;
  let last: { readonly end: number; readonly line: number; readonly value: number } | undefined;
  for (const each of node.children) {
    if (each.type === "token_tree") {
      macroTokens(walk, each, place);
      const isCall = last?.end === each.start && walk.text({ ...each, end: each.start + 1 }) === "(";
      last =
        isCall && last !== undefined
          ? {
              end: each.end,
              line: each.line,
              value: noteCall(walk, draft.expression({ k: "call", callee: last.value, args: [], line: last.line, scope: place.scope })),
            }
          : undefined;
    } else if (TOKENS.has(each.type)) {
      const between = last === undefined ? "" : walk.text({ ...each, start: last.end, end: each.start }).trim();
      const value: number =
        last !== undefined && (between === "." || between === "::")
          ? draft.expression({ k: "member", of: last.value, name: walk.text(each), line: each.line })
          : walk.expression(each, place);
      last = { end: each.end, line: each.line, value };
    } else last = undefined;
  }
}

const TOKENS = new Set(["identifier", "self", "crate", "super"]);
