import semver from "semver";
import type { Wanted } from "./facts.ts";

/** Longer than any specification that was meant; ranges are parsed in more than linear time. Characters. */
const LONGEST = 256;
/** No package is at this version; a range that takes it takes any. */
const FAR = "99999999.0.0";

export interface NpmSpec {
  readonly wanted: Wanted;
  /** The package behind `npm:<name>@…`, where it is another than the one named. */
  readonly alias?: string;
}

/**
 * What a dependency of package.json (or of npm's, yarn's and pnpm's lockfiles) is fetched from.
 * Source: https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies
 */
export function readNpmSpec(name: string, spec: string): NpmSpec {
  const text = spec.trim();
  if (text.length > LONGEST) return elsewhere("a specification that is too long to be one");
  if (/^npm:/i.test(text)) return readAlias(name, text.slice(4));
  if (/^(file|link|portal):/i.test(text)) return { wanted: { kind: "local", path: text.replace(/^[a-z]+:/i, "") } };
  // A member of the workspace, or a version that another file of the repository holds.
  if (/^(workspace|catalog):/i.test(text)) return { wanted: { kind: "local", path: "." } };
  if (/^patch:/i.test(text))
    return /#(optional!)?builtin</.test(text) || text.includes("~builtin<")
      ? { wanted: { kind: "registry" } }
      : elsewhere("a patch of the package");
  if (/^(\.{1,2}|~)?\//.test(text)) return { wanted: { kind: "local", path: text } };
  const range = versions(text);
  if (range !== undefined) return { wanted: range };
  // A distribution tag: whatever the publisher points it to next.
  if (/^[\w.-]+$/.test(text) && !/^v?\d/.test(text)) return { wanted: { kind: "registry", isOpen: true } };
  return elsewhere(hostOf(text));
}

function readAlias(name: string, target: string): NpmSpec {
  const at = target.indexOf("@", 1);
  const real = at < 0 ? target : target.slice(0, at);
  const rest = at < 0 ? "" : target.slice(at + 1);
  // `npm:1.2.3` is yarn's way to write a version.
  if (at < 0 && versions(target) !== undefined) return { wanted: versions(target) ?? { kind: "registry" } };
  const wanted =
    versions(rest) ?? (/^[\w.-]*$/.test(rest) ? { kind: "registry", isOpen: true } : { kind: "elsewhere", from: hostOf(rest) });
  return { wanted, ...(real === name ? {} : { alias: real }) };
}

/** A version or range in npm's notation; undefined for anything else. */
export function versions(text: string): Extract<Wanted, { readonly kind: "registry" }> | undefined {
  if (text.length > LONGEST) return undefined;
  const exact = semver.valid(text.replace(/^=\s*/, ""), { loose: true });
  if (exact !== null) return { kind: "registry", version: exact, range: exact, lowest: exact };
  const range = semver.validRange(text, { loose: true });
  if (range === null) return undefined;
  const lowest = lowestOf(range);
  return { kind: "registry", range, ...(lowest !== undefined && { lowest }), ...(semver.satisfies(FAR, range) && { isOpen: true }) };
}

function lowestOf(range: string): string | undefined {
  try {
    return semver.minVersion(range)?.version;
  } catch {
    return undefined;
  }
}

function elsewhere(from: string): NpmSpec {
  return { wanted: { kind: "elsewhere", from } };
}

/** The host, or the shorthand's, without user names and paths. */
function hostOf(text: string): string {
  const url = /^(?:[a-z+]+:)?\/\/(?:[^@/]*@)?([^/:?#]+)/i.exec(text)?.[1] ?? /^[\w.-]+@([\w.-]+):/.exec(text)?.[1];
  if (url !== undefined) return `the host ${url}`;
  const shorthand = /^(github|gitlab|bitbucket|gist|jsr|exec|git|ssh):/i.exec(text)?.[1];
  if (shorthand !== undefined) return shorthand.toLowerCase();
  return /^[\w.-]+\/[\w.-]+/.test(text) ? "a repository on GitHub" : "a place that cannot be read";
}
