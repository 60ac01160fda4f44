import type { Dependencies, FileLink } from "../query/dependencies.ts";
import type { FileMap, MappedFile } from "../query/file-map.ts";
import type { ModuleSummary, SummarisedSymbol } from "../query/module-summary.ts";
import type { GraphFile, GraphSymbol } from "../graph.ts";
import { shown } from "./shown.ts";
import { count, declaredAt, sureness, verbOf } from "./words.ts";

/** Lines of a map; when there are more files, folders stand for them. */
const MOST_FILES = 250;
const MOST_NAMES = 40;
const MOST_MEMBERS = 12;
const MOST_LINKS = 80;
const MOST_SYMBOLS = 80;

/** The files at a path with what they declare; folders with their numbers where there are too many. */
export function showFileMap({ path, files, notIndexed }: Extract<FileMap, { readonly status: "found" }>): string {
  const where = path === "" ? "the repository" : shown(path);
  const head = `${count(files.length, "file")} of ${where} with what they declare (name:line, exact):`;
  const rows = files.length <= MOST_FILES ? files.map(fileLine) : folderLines(files, path);
  const bare = notIndexed.slice(0, 20).map(({ path: one, why }) => `${shown(one)} — not indexed: ${why}`);
  const rest = notIndexed.length > bare.length ? [`[${notIndexed.length - bare.length} more files are not indexed]`] : [];
  return [head, ...rows, ...bare, ...rest].join("\n");
}

function fileLine({ file, symbols, members }: MappedFile): string {
  const names = symbols.slice(0, MOST_NAMES).map((symbol) => {
    const inside = members.get(symbol.id) ?? [];
    const listed = inside.slice(0, MOST_MEMBERS).map(({ name, line }) => `${shown(name)}:${line}`);
    const more = inside.length > MOST_MEMBERS ? [`+${inside.length - MOST_MEMBERS}`] : [];
    return `${symbol.kind} ${shown(symbol.name)}:${symbol.line}${inside.length === 0 ? "" : ` {${[...listed, ...more].join(", ")}}`}`;
  });
  const rest = symbols.length > MOST_NAMES ? [`+${symbols.length - MOST_NAMES} more`] : [];
  const what = [...names, ...rest].join(", ");
  return `${shown(file.path)} (${about(file)})${what === "" ? "" : ` ${what}`}`;
}

function folderLines(files: readonly MappedFile[], path: string): readonly string[] {
  const folders = new Map<string, { files: number; symbols: number }>();
  const below = path === "" ? 0 : path.length + 1;
  for (const { file, symbols } of files) {
    const parts = file.path.slice(below).split("/");
    const folder = file.path.slice(0, below) + (parts.length === 1 ? "." : parts.slice(0, Math.min(2, parts.length - 1)).join("/"));
    const sum = folders.get(folder) ?? { files: 0, symbols: 0 };
    folders.set(folder, { files: sum.files + 1, symbols: sum.symbols + symbols.length });
  }
  const rows = [...folders].map(([folder, sum]) => `${shown(folder)}/ ${count(sum.files, "file")}, ${count(sum.symbols, "declaration")}`);
  return [
    ...rows.slice(0, MOST_FILES),
    ...(rows.length > MOST_FILES ? [`[${rows.length - MOST_FILES} more folders]`] : []),
    "[too many files to list: ask for a folder]",
  ];
}

/** What a file imports and uses, and who uses it, one file a line. */
export function showDependencies(dependencies: Dependencies): string {
  const { file, uses, usedBy } = dependencies;
  return [
    `Dependencies of ${shown(file.path)} (${about(file)})`,
    ...dependencyLines(dependencies),
    ...(uses.length + usedBy.length === 0 ? ["It hangs together with no other file of the repository."] : []),
  ].join("\n");
}

function dependencyLines({ uses, usedBy, outside }: Dependencies): readonly string[] {
  return [
    ...section(
      `Uses ${count(uses.length, "file")}:`,
      uses.map((link) => linkLine(link)),
    ),
    ...section(
      `Used by ${count(usedBy.length, "file")}:`,
      usedBy.map((link) => linkLine(link)),
    ),
    ...section(
      "Outside of the repository, or not resolved:",
      outside.length === 0
        ? []
        : [
            outside
              .slice(0, MOST_LINKS)
              .map(({ module, line }) => `${shown(module)} (line ${line})`)
              .join(", "),
          ],
    ),
  ];
}

function linkLine({ path, line, kind, confidence, names }: FileLink): string {
  const listed = names.slice(0, MOST_MEMBERS).map(shown).join(", ");
  const more = names.length > MOST_MEMBERS ? `, +${names.length - MOST_MEMBERS}` : "";
  return `${shown(path)} — ${verbOf(kind)} at line ${line} (${sureness(confidence)})${listed === "" ? "" : `: ${listed}${more}`}`;
}

/** What a file is for. */
export function showModuleSummary({ dependencies, exported, own, tests, unresolved }: ModuleSummary): string {
  const { file } = dependencies;
  const broken = file.syntaxErrors;
  return [
    `${shown(file.path)} (${about(file)})`,
    ...(broken === undefined
      ? []
      : [
          `[parsed in part only: ${count(broken.count, "syntax error")}, the first at line ${broken.line}; what stands there may be missing]`,
        ]),
    ...section("Exports:", exported.slice(0, MOST_SYMBOLS).map(symbolLine)),
    ...section("Declares for itself:", own.slice(0, MOST_SYMBOLS).map(symbolLine)),
    ...dependencyLines(dependencies),
    ...section("Tests:", tests.slice(0, MOST_LINKS).map(testLine)),
    ...(tests.length === 0 ? ["", "No test imports it or reaches it."] : []),
    ...section(
      "Not resolved:",
      unresolved.length === 0
        ? []
        : [
            unresolved
              .slice(0, MOST_NAMES)
              .map(({ name, line }) => `${shown(name)} (line ${line})`)
              .join(", ") + (unresolved.length > MOST_NAMES ? ", …" : ""),
          ],
    ),
  ].join("\n");
}

function testLine({ path, depth }: ModuleSummary["tests"][number]): string {
  return `${shown(path)} (${depth === 0 ? "imports it" : `reaches it in ${count(depth, "step")}`})`;
}

function symbolLine({ symbol, uses }: SummarisedSymbol): string {
  return `${lineOf(symbol)}${uses === 0 ? "" : ` (used by ${uses} elsewhere)`}`;
}

const lineOf = (symbol: GraphSymbol): string => declaredAt(symbol);

function about({ language, role, lines, syntaxErrors }: GraphFile): string {
  const odd = role === "source" ? "" : `, ${role}`;
  return `${language}, ${count(lines, "line")}${odd}${syntaxErrors === undefined ? "" : ", parsed in part"}`;
}

function section(title: string, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const kept = rows.slice(0, MOST_LINKS);
  return ["", title, ...kept, ...(rows.length > kept.length ? [`[${rows.length - kept.length} more]`] : [])];
}
