import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Site } from "../score-calls.ts";

/**
 * What rustc says of every call in a crate's library: `node scripts/truth/rust.ts CRATE TRUTH.json [CARGO OPTIONS]`, for
 * `scripts/measure-graph.ts`. It needs a nightly toolchain, and the crate must compile. The compiler's middle representation names the
 * callee in full and the place of the call; where a callee is declared is read from the sources. A trait's method stands for its
 * declaration and for the `impl` that the receiver's type chooses, whichever is found. Left out are calls that a macro writes.
 */
const [crate, truthFile, ...options] = process.argv.slice(2);
if (crate === undefined || truthFile === undefined) {
  process.stderr.write("usage: node scripts/truth/rust.ts CRATE TRUTH.json [CARGO OPTIONS]\n");
  process.exit(2);
}
const top = resolve(crate);
const flags = ["-Zunpretty=mir", "-Zmir-include-spans=on", "-Zmir-opt-level=0", "-Ztrim-diagnostic-paths=no"];
const told = execFileSync("cargo", ["+nightly", "rustc", "--offline", "--lib", "--quiet", ...options, "--", ...flags], {
  cwd: top,
  encoding: "utf8",
  maxBuffer: 4e9,
  stdio: ["ignore", "pipe", "inherit"],
});

interface Declared {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** The type or trait around it, and for a trait's `impl` the trait. */
  readonly owner: string | undefined;
  readonly trait: string | undefined;
}

const sources = new Map(readRust(join(top, "src")).map((path) => [relative(top, path), readFileSync(path, "utf8").split("\n")]));
const declared = Map.groupBy(
  [...sources].flatMap(([path, lines]) => declarationsIn(path, lines)),
  ({ name }) => name,
);
/** The names at the top of this crate: paths of others begin with another. */
const heads = new Set([...told.matchAll(/^(?:const )?fn (?:<impl at [^>]+>|(\w+))/gmu)].map(([, head]) => head));
const sites = [...new Map(told.split("\n").flatMap(siteOf)).values()];
writeFileSync(truthFile, JSON.stringify(sites));
process.stdout.write(`${sites.length} calls\n`);

function readRust(at: string): string[] {
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => join(at, name));
}

/** Functions with the block around them, as the indentation of formatted code tells it. */
function declarationsIn(path: string, lines: readonly string[]): Declared[] {
  const around: { indent: number; owner: string | undefined; trait: string | undefined }[] = [];
  return lines.flatMap((text, index): Declared[] => {
    const indent = text.search(/\S/u);
    if (indent === -1) return [];
    while (around.length > 0 && indent <= (around.at(-1)?.indent ?? -1) && !/^\s*(?:where\b|\{)/u.test(text)) around.pop();
    const block = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(impl|trait|mod)\b(.*)$/u.exec(text);
    if (block !== null) around.push({ indent, ...ownerOf(block[1] ?? "", blockHead(lines, index, block[2] ?? "")) });
    const name = /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+|const\s+|async\s+|unsafe\s+|extern\s+"C"\s+)*fn\s+(?:r#)?(\w+)/u.exec(
      text,
    )?.[1];
    const near = around.at(-1);
    return name === undefined ? [] : [{ path, line: index + 1, name, owner: near?.owner, trait: near?.trait }];
  });
}

/** An `impl`'s head up to its brace, however many lines it takes. */
function blockHead(lines: readonly string[], index: number, first: string): string {
  let head = first;
  for (let at = index + 1; !head.includes("{") && at < index + 12; at += 1) head += ` ${lines[at]?.trim() ?? ""}`;
  return head.split("{")[0] ?? head;
}

function ownerOf(kind: string, head: string): { owner: string | undefined; trait: string | undefined } {
  if (kind === "mod") return { owner: undefined, trait: undefined };
  const [text = ""] = withoutBrackets(head).split(/\bwhere\b/u);
  if (kind === "trait") return { owner: lastName(text.split(":")[0] ?? ""), trait: undefined };
  const [left = "", right] = text.split(/\bfor\b/u);
  return right === undefined ? { owner: lastName(left), trait: undefined } : { owner: lastName(right), trait: lastName(left) };
}

/** A path without what stands in angle brackets. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let found = "";
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "<") depth += 1;
    if (depth === 0) found += text[at];
    if (text[at] === ">" && text[at - 1] !== "-") depth -= 1;
  }
  return found;
}

function lastName(path: string): string {
  return /(\w+)\W*$/u.exec(path.trim())?.[1] ?? "";
}

function siteOf(line: string): [string, Site][] {
  const said = / = (.+)\(.*\) -> (?:\[return|unwind).*\/\/ scope \d+ at ([^:]+):(\d+):(\d+): (\d+):(\d+)$/u.exec(line);
  if (said === null) return [];
  const [, callee = "", at = "", ...numbers] = said;
  // In a workspace, places begin at its top.
  const path = at.slice(Math.max(0, `/${at}`.lastIndexOf("/src/")));
  const [, , endLine = 0, endColumn = 0] = numbers.map(Number);
  const lines = sources.get(path);
  const found = lines === undefined ? undefined : nameBefore(lines, endLine, endColumn);
  const parts = partsOf(callee);
  if (found === undefined || parts === undefined || parts.name !== found.name) return [];
  const targets = targetsOf(parts);
  const isOurs = heads.has(parts.path.split("::")[0]);
  // A callee of the crate whose declaration is not found in the text was written by a macro.
  if (targets.length === 0 && isOurs && (declared.get(parts.name)?.length ?? 0) > 0) return [];
  return [[`${path}:${endLine}:${endColumn}`, { path, line: found.line, name: found.name, kind: kindIn(targets), targets }]];
}

/** Rust calls whatever is reached by a dot a method; a function of a type is a function. */
function kindIn(targets: readonly Declared[]): Site["kind"] {
  const [first] = targets;
  const text = first === undefined ? "" : (sources.get(first.path) ?? []).slice(first.line - 1, first.line + 8).join(" ");
  return /\bfn\s[^()]*\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b/u.test(text) ? "method" : "function";
}

/** The name before the round brackets that end at a place, and its line. */
function nameBefore(lines: readonly string[], endLine: number, endColumn: number): { name: string; line: number } | undefined {
  let depth = 0;
  for (let line = endLine, at = endColumn - 2; line > 0 && line > endLine - 60; line -= 1, at = (lines[line - 1]?.length ?? 0) - 1) {
    const text = lines[line - 1] ?? "";
    for (; at >= 0; at -= 1) {
      if (text[at] === ")") depth += 1;
      else if (text[at] === "(") depth -= 1;
      if (depth > 0) continue;
      const name = /(\w+)(?:::<[^()]*>)?$/u.exec(text.slice(0, at))?.[1];
      return name === undefined ? undefined : { name, line };
    }
  }
  return undefined;
}

/** `a::B::<C>::name::<D>`, or `<a::B as c::Trait>::name`. */
function partsOf(callee: string): { path: string; name: string; owner: string; trait: string | undefined } | undefined {
  const asTrait = /^<(.+) as (.+)>::(\w+)(?:::<.*>)?$/u.exec(callee);
  if (asTrait !== null) {
    const [, type = "", trait = "", name = ""] = asTrait;
    return { path: trait, name, owner: lastName(withoutBrackets(type)), trait: lastName(withoutBrackets(trait)) };
  }
  const path = withoutBrackets(callee.replaceAll(/<impl ([^<>]*(?:<[^<>]*>)?)>/gu, "$1")).replaceAll(/:{2,}/gu, "::");
  if (!/^[\w:]+$/u.test(path)) return undefined;
  const names = path.split("::").filter((each) => each !== "");
  return { path, name: names.at(-1) ?? "", owner: names.at(-2) ?? "", trait: undefined };
}

function targetsOf({ path, name, owner, trait }: NonNullable<ReturnType<typeof partsOf>>): Declared[] {
  const named = declared.get(name) ?? [];
  if (trait !== undefined) {
    if (!heads.has(path.split("::")[0]) && !named.some((each) => each.trait === trait && each.owner === owner)) return [];
    return named.filter((each) => (each.owner === trait && each.trait === undefined) || (each.trait === trait && each.owner === owner));
  }
  if (!heads.has(path.split("::")[0])) return [];
  const ofOwner = named.filter((each) => each.owner === owner && each.trait === undefined);
  const among = ofOwner.length > 0 ? ofOwner : named.filter((each) => each.owner === undefined);
  // Of several with one name, those whose file is the module that the path names.
  const near = among.filter((each) => path.startsWith(moduleOf(each.path)) && moduleOf(each.path) !== "");
  const longest = Math.max(...near.map((each) => moduleOf(each.path).length));
  return near.length > 0 ? near.filter((each) => moduleOf(each.path).length === longest) : among;
}

function moduleOf(path: string): string {
  return path
    .replace(/^src\//u, "")
    .replace(/(?:^|\/)(?:mod|lib)?\.rs$/u, "")
    .replace(/\.rs$/u, "")
    .replaceAll("/", "::");
}
