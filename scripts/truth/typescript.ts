import { readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import ts from "typescript";
import type { Site } from "../score-calls.ts";

/**
 * What TypeScript's own checker says of every call: `node scripts/truth/typescript.ts FOLDER TRUTH.json`, for
 * `scripts/measure-graph.ts`. The folder is read as it is found, by its root's tsconfig.json; install its packages first when
 * their types should count, or when packages of the repository import each other by name. Left out are calls that the checker
 * itself knows nothing of (`any`), calls of a callee without a name, and files that say they are generated.
 */
const [folder, truthFile] = process.argv.slice(2);
if (folder === undefined || truthFile === undefined) {
  process.stderr.write("usage: node scripts/truth/typescript.ts FOLDER TRUTH.json\n");
  process.exit(2);
}
const top = resolve(folder);
const program = ts.createProgram({ rootNames: scriptsIn(top), options: optionsOf(top) });
const checker = program.getTypeChecker();
const sites = program.getSourceFiles().flatMap((file) => (isOwn(file) ? sitesIn(file) : []));
writeFileSync(truthFile, JSON.stringify(sites));
process.stdout.write(`${sites.length} calls\n`);

function optionsOf(at: string): ts.CompilerOptions {
  const path = join(at, "tsconfig.json");
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name)) as { config?: unknown };
  const { options } = ts.parseJsonConfigFileContent(config ?? {}, ts.sys, at, {}, path);
  const { rootDir: _, ...others } = options;
  return { ...others, allowJs: true, checkJs: false, noEmit: true, skipLibCheck: true, composite: false };
}

function scriptsIn(at: string): string[] {
  return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return [".git", "node_modules", "dist"].includes(entry.name) ? [] : scriptsIn(path);
    return entry.isFile() && /\.[cm]?[jt]sx?$/u.test(entry.name) ? [path] : [];
  });
}

function isOwn({ fileName }: ts.SourceFile): boolean {
  const path = relative(top, fileName);
  return !path.startsWith("..") && !path.split("/").includes("node_modules");
}

function sitesIn(file: ts.SourceFile): Site[] {
  const found: Site[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) add(node.expression);
    else if (ts.isTaggedTemplateExpression(node)) add(node.tag);
    ts.forEachChild(node, visit);
  };
  const add = (written: ts.Expression): void => {
    const callee = bare(written);
    const name = ts.isIdentifier(callee) ? callee : ts.isPropertyAccessExpression(callee) ? callee.name : undefined;
    const site = name === undefined ? undefined : siteOf(name);
    if (site !== undefined) found.push(site);
  };
  visit(file);
  return found;
}

/** Without brackets and assertions around it. */
function bare(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

function siteOf(name: ts.MemberName): Site | undefined {
  const named = checker.getSymbolAtLocation(name);
  if (named === undefined) return undefined;
  const symbol = (named.flags & ts.SymbolFlags.Alias) === 0 ? named : checker.getAliasedSymbol(named);
  const { declarations = [] } = symbol;
  const [first] = declarations.filter(isCalled).concat(declarations);
  if (first === undefined) return undefined;
  const at = placeOf(name);
  return { ...at, name: name.text, kind: kindOf(first), targets: declarations.filter((each) => isOwn(each.getSourceFile())).map(targetOf) };
}

/** By the declaration, not by how it is called. */
function kindOf(declaration: ts.Declaration): Site["kind"] {
  if (ts.isFunctionDeclaration(declaration)) return "function";
  if (ts.isClassDeclaration(declaration) || ts.isClassExpression(declaration)) return "constructor";
  if (ts.isVariableDeclaration(declaration)) return isLambda(declaration.initializer) ? "function" : "held";
  return ts.isParameter(declaration) || ts.isBindingElement(declaration) ? "held" : "method";
}

function isCalled(declaration: ts.Declaration): boolean {
  return ts.isFunctionLike(declaration) || ts.isClassLike(declaration);
}

function isLambda(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

function targetOf(declaration: ts.Declaration): { path: string; line: number } {
  return placeOf(ts.getNameOfDeclaration(declaration) ?? declaration);
}

function placeOf(node: ts.Node): { path: string; line: number } {
  const file = node.getSourceFile();
  return { path: relative(top, file.fileName), line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1 };
}
