import { parseAllDocuments } from "yaml";
import { YAML_OPTIONS, yamlFault } from "../../text/yaml-fault.ts";
import { applySuggestion } from "../place/apply-suggestion.ts";
import type { Span } from "../place/lines.ts";

/** Characters of a file that is parsed. */
const LARGEST = 256 * 1024;

/**
 * Why a file could not be read any more with a suggestion applied; undefined when it could, or where that cannot be told: a format that is
 * not known, or a file that is broken already.
 * @param text the file as it is now
 * @param lines what the suggestion replaces, 1-based
 */
export function breaksFile(path: string, text: string, lines: Span, suggestion: string): string | undefined {
  const check = /\.json$/i.test(path) ? isJson : /\.ya?ml$/i.test(path) ? isYaml : undefined;
  if (check === undefined || text.length > LARGEST || suggestion.length > LARGEST || !check(text)) return undefined;
  const applied = applySuggestion(text, lines, suggestion);
  return applied === undefined || check(applied)
    ? undefined
    : `the file would be no valid ${/\.json$/i.test(path) ? "JSON" : "YAML"} with it`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""));
    return true;
  } catch {
    return false;
  }
}

function isYaml(text: string): boolean {
  const documents = parseAllDocuments(text, YAML_OPTIONS);
  return !Array.isArray(documents) || documents.every((document) => yamlFault(document) === undefined);
}
