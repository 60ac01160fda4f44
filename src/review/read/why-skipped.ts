import picomatch from "picomatch";
import type { DiffFile } from "../diff/diff-file.ts";

export interface SkipOptions {
  /** What the repository's attributes at the base say of files: the change under review cannot hide itself. */
  readonly flags: ReadonlyMap<string, { readonly generated?: boolean; readonly vendored?: boolean }>;
  /** `review.ignore` of the configuration: globs, `**\/x` also at the root. */
  readonly ignore: readonly string[];
}

/** Files that tools write: nobody would change a line of them because of a remark. The gate looks at lockfiles in a way of its own. */
const GENERATED = [
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|packages\.lock\.json|Podfile\.lock|pubspec\.lock|mix\.lock|flake\.lock|gradle\.lockfile)$/,
  /\.min\.(?:js|mjs|cjs|css)$/,
  /\.(?:js|mjs|cjs|css)\.map$/,
  /(?:\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.designer\.cs)$/i,
  /(?:^|\/)__snapshots__\/[^/]+\.snap$/,
];
const VENDORED = /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]party|Godeps)\//;

/** Makes the function that says why a file is not shown to the reviewer, in words for the receipt; undefined for one that is. */
export function whySkipped({ flags, ignore }: SkipOptions): (file: DiffFile) => string | undefined {
  const isIgnored = ignore.length === 0 ? () => false : picomatch([...ignore], { dot: true });
  return ({ path, isBinary, hunks, modes }) => {
    if (isIgnored(path)) return "ignored by configuration";
    if (modes.includes("160000")) return "a submodule";
    if (isBinary) return "binary";
    const { generated, vendored } = flags.get(path) ?? {};
    if (generated ?? GENERATED.some((name) => name.test(path))) return "generated";
    if (vendored ?? VENDORED.test(path)) return "vendored";
    return hunks.length === 0 ? "no line changed" : undefined;
  };
}
