import picomatch from "picomatch";
import type { DiffFile } from "../diff/diff-file.ts";

export interface SkipOptions {
  /** What the repository's attributes at the base say of files: the change under review cannot hide itself. */
  readonly flags: ReadonlyMap<string, { readonly generated?: boolean; readonly vendored?: boolean }>;
  /** `review.ignore` of the configuration: globs, `**\/x` also at the root. */
  readonly ignore: readonly string[];
  /** `review.paths`: only these are read; all when there is none. */
  readonly paths?: readonly string[];
}

/** What package managers write; the gate looks at lockfiles in a way of its own. */
const LOCKFILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|packages\.lock\.json|Podfile\.lock|pubspec\.lock|mix\.lock|flake\.lock|gradle\.lockfile)$/;
/** Files that tools write: nobody would change a line of them because of a remark. */
const GENERATED = [
  /\.min\.(?:js|mjs|cjs|css)$/,
  /\.(?:js|mjs|cjs|css)\.map$/,
  /(?:\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.designer\.cs)$/i,
  /(?:^|\/)__snapshots__\/[^/]+\.snap$/,
];
const VENDORED = /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|Godeps)\//;

/** Characters of changed lines up to which a new file is read whatever its name says, and of one line: as much as somebody writes by hand. */
const SMALL = 8_000;
const SHORT_LINE = 500;

/** Makes the function that says why the configuration keeps a file out of reviews: it is neither shown nor remarked on. */
export function whyLeftAlone({ ignore, paths = [] }: Pick<SkipOptions, "ignore" | "paths">): (path: string) => string | undefined {
  const isIgnored = ignore.length === 0 ? () => false : picomatch([...ignore], { dot: true });
  const isWanted = paths.length === 0 ? () => true : picomatch([...paths], { dot: true });
  return (path) => {
    if (isIgnored(path)) return "ignored by configuration";
    return isWanted(path) ? undefined : "not among the paths of the configuration";
  };
}

/**
 * Makes the function that says why a file is not shown to the reviewer, in words for the receipt; undefined for one that is. A name is a weak
 * sign that whoever makes the change chooses: a small file that got such a name by this very change is read all the same, and what a file says
 * of itself ("generated, do not edit") counts for nothing.
 */
export function whySkipped({ flags, ...configured }: SkipOptions): (file: DiffFile) => string | undefined {
  const leftAlone = whyLeftAlone(configured);
  return (file) => {
    const { path, isBinary, isUnread, hunks, modes } = file;
    const why = leftAlone(path);
    if (why !== undefined) return why;
    if (modes.includes("160000")) return "a submodule";
    if (isBinary) return "binary";
    const { generated, vendored } = flags.get(path) ?? {};
    if (generated === true) return "generated, by .gitattributes of the base";
    if (vendored === true) return "vendored, by .gitattributes of the base";
    if (generated === undefined && LOCKFILE.test(path)) return "a lockfile";
    const byName =
      generated === undefined && isGenerated(path) ? "generated" : vendored === undefined && VENDORED.test(path) ? "vendored" : undefined;
    if (byName !== undefined) {
      if (!gotItsName(file)) return `${byName}, by its name`;
      if (!isSmall(file)) return `${byName}, by a name that is new with this change`;
    }
    return hunks.length === 0 && isUnread !== true ? "no line changed" : undefined;
  };
}

function isGenerated(path: string): boolean {
  return GENERATED.some((name) => name.test(path));
}

/** Whether a file got the name that says so by the change itself. */
function gotItsName({ status, previousPath }: DiffFile): boolean {
  if (status === "added") return true;
  return previousPath !== undefined && !isGenerated(previousPath) && !VENDORED.test(previousPath);
}

function isSmall({ hunks, isUnread }: DiffFile): boolean {
  if (isUnread === true) return false;
  let size = 0;
  for (const { kind, text } of hunks.flatMap(({ lines }) => lines)) {
    if (kind === "context") continue;
    size += text.length;
    if (text.length > SHORT_LINE || size > SMALL) return false;
  }
  return true;
}
