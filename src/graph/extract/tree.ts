import type { BlobFacts, Language } from "../facts.ts";
import type { ParsedTree } from "../parse/grammars.ts";
import { FactsDraft } from "./facts-draft.ts";
import { extractPython } from "./python.ts";

/** The facts of a file in one of the languages that are read through grammars. */
export function extractTree(parsed: ParsedTree, text: string, language: Language): BlobFacts {
  if (language === "python") return extractPython(parsed, text);
  return new FactsDraft(language, parsed.root.endLine).facts(parsed.syntaxErrors);
}
