import type ts from "typescript";
import type { BlobFacts, Language } from "../facts.ts";
import { FactsDraft } from "./facts-draft.ts";
import { expressionFact } from "./typescript-expressions.ts";
import { statementFacts } from "./typescript-statements.ts";
import type { Syntax } from "./typescript-syntax.ts";
import { typeFact } from "./typescript-types.ts";
import type { Walk } from "./typescript-walk.ts";

/**
 * The facts of a TypeScript or JavaScript file. Throws a RangeError when it is nested more deeply than the stack carries:
 * the caller says so of that file.
 */
export function extractTypeScript(syntax: Syntax, text: string, language: Language): BlobFacts {
  const name = language === "tsx" ? "file.tsx" : language === "javascript" ? "file.jsx" : "file.ts";
  const { ScriptTarget, JSDocParsingMode } = syntax;
  const source = syntax.createSourceFile(
    name,
    text,
    { languageVersion: ScriptTarget.Latest, jsDocParsingMode: JSDocParsingMode.ParseNone },
    false,
  );
  const starts = source.getLineStarts();
  const draft = new FactsDraft(language, starts.length);
  const line = lineFinder(starts);
  const walk: Walk = {
    ts: syntax,
    draft,
    source,
    line,
    start: (node) => line(startOf(source, node)),
    statement: (node, place) => statementFacts(walk, node, place),
    expression: (node, place, context) => expressionFact(walk, node, place, context),
    type: (node, place) => typeFact(walk, node, place),
  };
  for (const statement of source.statements) walk.statement(statement, draft.top);
  return draft.facts(syntaxErrors(source, line));
}

/**
 * Where a node begins, what stands before it aside. Mostly only blanks do; wherever there may be more (a comment, a mark of a conflict), and for
 * nodes that are not there, the parser's own answer is taken.
 */
function startOf(source: ts.SourceFile, node: ts.Node): number {
  if (node.pos === node.end) return node.getStart(source);
  const { text } = source;
  let at = node.pos;
  let code = text.charCodeAt(at);
  while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt((at += 1));
  const isWord = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
  return isWord || code === 123 || code === 91 || code === 40 || code === 34 || code === 39 ? at : node.getStart(source);
}

function syntaxErrors(source: ts.SourceFile, line: (offset: number) => number): { count: number; line: number } | undefined {
  const { parseDiagnostics } = source as unknown as { parseDiagnostics?: readonly { start: number }[] };
  const [first] = parseDiagnostics ?? [];
  return first === undefined ? undefined : { count: parseDiagnostics?.length ?? 1, line: line(first.start) };
}

/** Lines by bisection; neighbours are asked for one after the other, so the last answer is tried first. */
function lineFinder(starts: readonly number[]): (offset: number) => number {
  let last = 0;
  return (offset) => {
    const from = starts[last] ?? 0;
    const to = starts[last + 1] ?? Number.POSITIVE_INFINITY;
    if (offset >= from && offset < to) return last + 1;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low + 1;
  };
}
