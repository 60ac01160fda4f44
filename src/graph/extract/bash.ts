import { child } from "../parse/plain-node.ts";
import { callFact, declareByRules } from "./rules.ts";
import type { Rules } from "./rules.ts";

/** Shell scripts: functions, the commands that name them, and the scripts that are read in. */
export const bashRules: Rules = {
  language: "bash",
  classes: {},
  names: new Set(),
  literals: {},
  blocks: new Set(),
  primitives: {},
  type: (walk) => walk.draft.type({ k: "primitive", name: "unknown" }),
  visit: (walk, node, place) => {
    const { draft } = walk;
    if (node.type === "function_definition") {
      const name = child(node, "name");
      if (name === undefined) return undefined;
      const inner = declareByRules(walk, node, place, {
        kind: "function",
        name: walk.text(name),
        exported: true,
        parameterNodes: [],
        body: child(node, "body"),
      });
      draft.bindSymbol(walk.text(name), 0, inner.symbol, node.line);
      return draft.expression({ k: "made", of: [] });
    }
    if (node.type !== "command") return undefined;
    const name = child(node, "name");
    if (name === undefined) return undefined;
    const word = walk.text(name);
    const args = node.children.filter((each) => each !== name);
    if (word === "source" || word === ".") {
      const path = walk
        .text(args[0] ?? name)
        .replaceAll(/^["']|["']$|\$\{?\w+\}?\//gu, "")
        .replace(/^\.\//u, "");
      draft.import({ module: path, name: "*", line: node.line, all: true }, 0);
      return draft.expression({ k: "made", of: [] });
    }
    return callFact(walk, node.line, place, () => draft.expression({ k: "name", name: word, scope: place.scope, line: node.line }), args);
  },
};
