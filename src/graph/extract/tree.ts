import type { BlobFacts, Language } from "../facts.ts";
import type { ParsedTree } from "../parse/grammars.ts";
import { FactsDraft } from "./facts-draft.ts";

/** The facts of a file in one of the languages that are read through grammars. */
export function extractTree(parsed: ParsedTree, text: string, language: Language): BlobFacts {
  void text;
  return new FactsDraft(language, parsed.root.endLine).facts(parsed.syntaxErrors);
}
