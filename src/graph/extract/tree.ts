import type { BlobFacts, Language } from "../facts.ts";
import type { ParsedTree } from "../parse/grammars.ts";
import { bashRules } from "./bash.ts";
import { cRules } from "./c.ts";
import { csharpRules } from "./csharp.ts";
import { goRules } from "./go.ts";
import { javaRules } from "./java.ts";
import { phpRules } from "./php.ts";
import { extractPython } from "./python.ts";
import { rubyRules } from "./ruby.ts";
import { extractByRules } from "./rules.ts";
import type { Rules } from "./rules.ts";
import { rustRules } from "./rust.ts";

const RULES: Partial<Record<Language, Rules>> = {
  go: goRules,
  java: javaRules,
  rust: rustRules,
  ruby: rubyRules,
  csharp: csharpRules,
  php: phpRules,
  c: cRules("c"),
  cpp: cRules("cpp"),
  bash: bashRules,
};

/** The facts of a file in one of the languages that are read through grammars. */
export function extractTree(parsed: ParsedTree, text: string, language: Language): BlobFacts {
  if (language === "python") return extractPython(parsed, text);
  const rules = RULES[language];
  if (rules === undefined) throw new RangeError(`no rules for ${language}`);
  return extractByRules(rules, parsed, text);
}
