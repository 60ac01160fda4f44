import type { Language } from "../facts.ts";
import type { FileRole } from "../graph.ts";

const ENDINGS: ReadonlyMap<string, Language> = new Map([
  ["ts", "typescript"],
  ["mts", "typescript"],
  ["cts", "typescript"],
  ["tsx", "tsx"],
  ["js", "javascript"],
  ["jsx", "javascript"],
  ["mjs", "javascript"],
  ["cjs", "javascript"],
  ["py", "python"],
  ["pyi", "python"],
  ["go", "go"],
  ["java", "java"],
  ["rs", "rust"],
  ["rb", "ruby"],
  ["rake", "ruby"],
  ["cs", "csharp"],
  ["php", "php"],
  ["c", "c"],
  ["h", "c"],
  ["cc", "cpp"],
  ["cpp", "cpp"],
  ["cxx", "cpp"],
  ["hh", "cpp"],
  ["hpp", "cpp"],
  ["hxx", "cpp"],
  ["sh", "bash"],
  ["bash", "bash"],
]);

/** The language that a path is read as; undefined when the graph reads none of its kind. */
export function languageOf(path: string): Language | undefined {
  const dot = path.lastIndexOf(".");
  return dot <= path.lastIndexOf("/") ? undefined : ENDINGS.get(path.slice(dot + 1).toLowerCase());
}

const VENDORED = /(?:^|\/)(?:node_modules|vendor|third_party|bower_components|\.yarn|site-packages|\.venv|dist-packages)\//u;
const GENERATED =
  /\.(?:min|bundle)\.[cm]?js$|\.pb\.go$|_pb2(?:_grpc)?\.pyi?$|\.g\.cs$|\.designer\.cs$|(?:^|\/)(?:__generated__|generated)\//iu;
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|test-utils|__mocks__)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._-](?:test|spec|e2e|test-d)\.[\w.]+$|_test\.(?:go|py|rb)$|(?:Test|Tests|IT|Spec)\.(?:java|cs|php)$/u;
const CONFIGURATION = /(?:^|\/)[\w.-]+\.config\.[cm]?[jt]s$|(?:^|\/)setup\.py$/u;

/** What part a file plays, by its path alone. */
export function roleOf(path: string): FileRole {
  if (VENDORED.test(path)) return "vendored";
  if (GENERATED.test(path)) return "generated";
  if (TEST.test(path)) return "test";
  return CONFIGURATION.test(path) ? "configuration" : "source";
}
