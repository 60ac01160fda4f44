/** A declaration around a line. */
export interface Enclosing {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Words that begin a line as a method's name does, and are none. */
const CONTROL =
  /^(?:if|else|for|foreach|while|do|switch|case|catch|try|finally|return|throw|await|new|with|using|lock|when|unless|match)\b/;
const MODIFIERS = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|virtual|override|async|readonly|open|inline|suspend|data|partial|unsafe|extern|const)\s+)*`;
const CLASS_LIKE = new RegExp(
  String.raw`^${MODIFIERS}(?:class|interface|enum|struct|trait|record|object|namespace|module|protocol|extension|union)\s+\w`,
);
const FUNCTION_LIKE = new RegExp(String.raw`^${MODIFIERS}(?:function\*?|fun|func|def|fn|sub)\s+\S`);
const BOUND_FUNCTION =
  /^(?:export\s+)?(?:const|let|var)\s+[\w$]+[^=]*=\s*(?:async\s*)?(?:function\b|(?:<[^>]*>)?\([^)]*$|(?:\([^)]*\)|[\w$]+)[^=]*=>)/;
const TEST_CASE = /^(?:describe|context|suite|test|it)(?:\.\w+)*\(.*\{$/;

type Rule = (text: string) => boolean;
const either =
  (...patterns: readonly RegExp[]): Rule =>
  (text) =>
    patterns.some((pattern) => pattern.test(text));

const braces: Rule = (text) => !CONTROL.test(text) && (either(CLASS_LIKE, FUNCTION_LIKE)(text) || isMethod(text));
const script: Rule = (text) => braces(text) || either(BOUND_FUNCTION, TEST_CASE)(text);
const RULES: readonly (readonly [extensions: string, rule: Rule])[] = [
  ["js jsx mjs cjs ts tsx mts cts vue svelte", script],
  ["java kt kts cs swift scala php dart groovy c h cc cpp cxx hh hpp hxx m mm ino", braces],
  ["py pyi pyx", either(/^(?:async\s+)?def\s+\w/, /^class\s+\w/)],
  ["rb rake ex exs", either(/^(?:def|defp|defmodule|class|module)\s/, /^(?:describe|context|it|test)\s.*\bdo$/)],
  ["go", either(/^func\b/, /^type\s+\w+/)],
  [
    "rs",
    either(
      /^(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|unsafe|const|default|extern(?:\s+"[^"]*")?)\s+)*(?:fn|impl|struct|enum|trait|mod|union|macro_rules!)(?:\s|<)/,
    ),
  ],
  ["sh bash zsh", either(/^(?:function\s+)?[\w-]+\s*\(\)\s*[{(]?$/, /^function\s+\w/)],
  ["yml yaml", either(/^(?:-\s+)?[\w."'$/ -]+:\s*(?:[|>&!#].*)?$/, /^-\s+(?:name|id|uses):\s/)],
  ["json jsonc json5", either(/^"[^"]+"\s*:\s*[[{]$/)],
  ["css scss less", either(/^[^{};]+\{$/)],
];
const BY_EXTENSION = new Map(RULES.flatMap(([extensions, rule]) => extensions.split(" ").map((one) => [one, rule] as const)));

/** A name, its parameters, and an opening brace behind them; or a kind or type and a name whose parameters go on in the next lines. */
function isMethod(text: string): boolean {
  const open = text.indexOf("(");
  const head = text.slice(0, Math.max(0, open)).trim();
  if (!/^[\w$#~<[][^;={]*$/.test(head)) return false;
  if (text.endsWith("(")) return /\s/.test(head);
  return /^\)[:\->\w\s<>[\],.|&?*]*\{$/.test(text.slice(text.lastIndexOf(")")));
}

/** Lines that are looked back over. */
const FARTHEST = 20_000;
/** Characters of a line that is a declaration. */
const LONGEST = 300;
/** Declarations that are told: the innermost. */
const MOST = 4;

/**
 * The declarations around a line, the outermost first, by how lines are indented and what they begin with: a light rule for each language that
 * is right for code that a formatter has seen. Undefined where there is no rule for the file.
 * @param lines of the whole file, without line ends
 * @param line 1-based
 */
export function enclosing(path: string, lines: readonly string[], line: number): readonly Enclosing[] | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^(?:md|mdx|markdown)$/.test(extension)) return headings(lines, line);
  const isDeclaration = BY_EXTENSION.get(extension);
  if (isDeclaration === undefined) return undefined;
  const found: Enclosing[] = [];
  let limit = indentOfPlace(lines, line);
  for (let at = line - 1; at >= 1 && limit > 0 && line - at < FARTHEST && found.length < MOST; at -= 1) {
    const row = lines[at - 1] ?? "";
    const text = row.trim();
    const indent = indentOf(row);
    if (text === "" || indent >= limit) continue;
    // The end of a head that began some lines above, at the same depth.
    const isTail = /^[)\]}{]/.test(text);
    limit = isTail ? indent + 1 : indent;
    if (!isTail && text.length <= LONGEST && isDeclaration(text)) found.unshift({ line: at, text });
  }
  return found;
}

/** The depth of a line; of an empty one, that of the next with something on it. */
function indentOfPlace(lines: readonly string[], line: number): number {
  for (let at = line; at <= lines.length && at < line + 50; at += 1) {
    const row = lines[at - 1] ?? "";
    if (row.trim() !== "") return indentOf(row);
  }
  return 0;
}

/** A tab is deeper than any blank beside it: files that mix both are rare, and then it is a guess. */
function indentOf(row: string): number {
  let depth = 0;
  for (const character of row) {
    if (character === " ") depth += 1;
    else if (character === "\t") depth += 4;
    else break;
  }
  return depth;
}

/** The headings above a line of Markdown, each of a lower level than the next. */
function headings(lines: readonly string[], line: number): readonly Enclosing[] {
  const open: (Enclosing & { readonly level: number })[] = [];
  let fence: string | undefined;
  for (const [at, row] of lines.slice(0, line - 1).entries()) {
    const [, marks] = /^ {0,3}(`{3,}|~{3,})/.exec(row) ?? [];
    if (marks !== undefined) fence = fence === undefined ? marks : marks.startsWith(fence) ? undefined : fence;
    const level = fence === undefined ? (/^(#{1,6})\s/.exec(row)?.[1]?.length ?? 0) : 0;
    if (level === 0) continue;
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ line: at + 1, text: row.trim(), level });
  }
  return open.slice(-MOST).map(({ line: on, text }) => ({ line: on, text }));
}
