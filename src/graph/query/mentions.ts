import type { AskableGraph } from "./askable.ts";
import { findTarget } from "./find-target.ts";

/** Words of a text that can only be meant as code. */
export interface Mentions {
  readonly names: readonly string[];
  readonly paths: readonly string[];
}

const MOST_NAMES = 30;
const MOST_PATHS = 30;
/** Characters of a text that are looked at. */
const LONGEST = 100_000;

const PATH = /(?:[\w.@-]+\/)+[\w.@-]+\.\w{1,8}|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|java|rs|rb|cs|php|[ch](?:pp)?|sh|kt|swift)\b/g;
const QUOTED = /`([^`\n]{1,200})`/g;
/** `camelCase`, `PascalCase`, `snake_case`, `Class.method`, `call()`. */
const NAME =
  /\b[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)+(?:\(\))?|\b[a-zA-Z_$][\w$]*\(\)|\b[a-z][a-z0-9]*[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b[a-zA-Z][a-zA-Z0-9]*_\w+/g;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?$/;

/** Names and paths that a text mentions, without a graph: where there are none, no graph has to be asked. */
export function mentionsIn(text: string): Mentions {
  const looked = text.slice(0, LONGEST);
  const paths = new Set<string>();
  const names = new Set<string>();
  for (const [path] of looked.matchAll(PATH)) paths.add(path.replace(/^\.\//, ""));
  for (const [, quoted = ""] of looked.matchAll(QUOTED)) if (IDENTIFIER.test(quoted.trim())) names.add(quoted.trim());
  for (const [name] of looked.matchAll(NAME)) if (!paths.has(name)) names.add(name);
  return { names: [...names].slice(0, MOST_NAMES), paths: [...paths].slice(0, MOST_PATHS) };
}

/** What of it the repository has. A name that may mean several symbols is taken when they are few. */
export function findMentioned(
  asked: AskableGraph,
  { names, paths }: Mentions,
): { readonly symbols: readonly number[]; readonly files: readonly string[] } {
  const { graph } = asked;
  const symbols = names.flatMap((name) => {
    const found = findTarget(asked, name);
    if (found.status === "found") return found.target.main.kind === "module" ? [] : found.target.ids;
    return found.status === "ambiguous" && found.candidates.length <= 3 ? found.candidates.map(({ id }) => id) : [];
  });
  const files = paths.flatMap((path) => {
    if (graph.file(path) !== undefined) return [path];
    const ending = graph.files.filter((file) => file.path.endsWith(`/${path}`));
    return ending.length === 1 ? ending.map((file) => file.path) : [];
  });
  return { symbols: [...new Set(symbols)], files: [...new Set(files)] };
}
