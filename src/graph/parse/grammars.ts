import { createRequire } from "node:module";
import type * as treeSitterModule from "@vscode/tree-sitter-wasm";
import type { Language as Grammar, Parser, Tree, TreeCursor } from "@vscode/tree-sitter-wasm";
import type { Language } from "../facts.ts";
import type { PlainNode } from "./plain-node.ts";

type TreeSitter = typeof treeSitterModule;

/** The grammar that reads a language; C is read as the part of C++ that it nearly is. */
export const GRAMMARS: Partial<Record<Language, string>> = {
  python: "python",
  go: "go",
  java: "java",
  rust: "rust",
  ruby: "ruby",
  csharp: "c-sharp",
  php: "php",
  c: "cpp",
  cpp: "cpp",
  bash: "bash",
};
const MAX_DEPTH = 1500;
const PARSE_MILLISECONDS = 4000;

export interface ParsedTree {
  readonly root: PlainNode;
  readonly syntaxErrors?: { readonly count: number; readonly line: number };
}

export interface Grammars {
  /** Throws when a file is nested too deeply, or takes longer to parse than four seconds. */
  parse(language: Language, text: string): Promise<ParsedTree>;
}

/** Parsers for all languages but TypeScript and JavaScript. The runtime and each grammar load when they are first needed. */
export function openGrammars(): Grammars {
  const require = createRequire(import.meta.url);
  let runtime: Promise<{ treeSitter: TreeSitter; parser: Parser }> | undefined;
  const grammars = new Map<string, Promise<Grammar>>();

  async function start(): Promise<{ treeSitter: TreeSitter; parser: Parser }> {
    const treeSitter = require("@vscode/tree-sitter-wasm") as TreeSitter;
    await treeSitter.Parser.init();
    return { treeSitter, parser: new treeSitter.Parser() };
  }

  return {
    parse: async (language, text) => {
      const name = GRAMMARS[language];
      if (name === undefined) throw new RangeError(`There is no grammar for ${language}.`);
      runtime ??= start();
      const { treeSitter, parser } = await runtime;
      const loading =
        grammars.get(name) ?? treeSitter.Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`));
      grammars.set(name, loading);
      const grammar = await loading;
      parser.setLanguage(grammar);
      const until = performance.now() + PARSE_MILLISECONDS;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
      if (tree === null) {
        parser.reset();
        throw new RangeError("parsing took longer than four seconds");
      }
      try {
        return plainTree(tree, grammar);
      } finally {
        tree.delete();
      }
    },
  };
}

/** Copies the named nodes out of the parser's memory, so that it can be freed at once. */
function plainTree(tree: Tree, grammar: Grammar): ParsedTree {
  const cursor = tree.walk();
  const errors = { count: 0, line: 0 };
  try {
    const root = copy(cursor, grammar, errors);
    return errors.count === 0 ? { root } : { root, syntaxErrors: errors };
  } finally {
    cursor.delete();
  }
}

interface Open {
  readonly node: PlainNode;
  readonly children: PlainNode[];
}

function copy(cursor: TreeCursor, grammar: Grammar, errors: { count: number; line: number }): PlainNode {
  const top = read(cursor, grammar);
  const open: Open[] = [top];
  let isDown = cursor.gotoFirstChild();
  let depth = isDown ? 1 : 0;
  while (depth > 0) {
    let entered = false;
    const around = open.at(-1) ?? top;
    if (cursor.nodeIsMissing || cursor.nodeTypeId === 65_535) {
      errors.count += 1;
      if (errors.line === 0) errors.line = cursor.startPosition.row + 1;
    }
    const next = cursor.nodeIsNamed ? read(cursor, grammar) : undefined;
    if (next !== undefined) around.children.push(next.node);
    isDown = next !== undefined && cursor.gotoFirstChild();
    if (isDown && next !== undefined) {
      open.push(next);
      depth += 1;
      entered = true;
      if (depth > MAX_DEPTH) throw new RangeError("nested too deeply");
    }
    if (entered) continue;
    while (depth > 0 && !cursor.gotoNextSibling()) {
      cursor.gotoParent();
      open.pop();
      depth -= 1;
    }
  }
  return top.node;
}

function read(cursor: TreeCursor, grammar: Grammar): Open {
  const children: PlainNode[] = [];
  const field = cursor.currentFieldId;
  const node: PlainNode = {
    type: grammar.types[cursor.nodeTypeId] ?? "ERROR",
    field: field === 0 ? undefined : (grammar.fields[field] ?? undefined),
    start: cursor.startIndex,
    end: cursor.endIndex,
    line: cursor.startPosition.row + 1,
    endLine: cursor.endPosition.row + 1,
    children,
  };
  return { node, children };
}
