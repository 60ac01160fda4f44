import { parseGlob, type PathTest } from "./scan-glob.ts";

/** Whether a rule file decides about a path below its folder: it ignores it, takes it back, or says nothing. */
export type IgnoreVerdict = "ignored" | "kept" | undefined;

interface Rule {
  readonly matches: PathTest;
  readonly foldersOnly: boolean;
  readonly verdict: "ignored" | "kept";
}

/** The rules of one `.gitignore`. Paths are relative to its folder. The last rule that matches decides; a line that is no glob is none. */
export function parseIgnoreFile(text: string): (path: string, isFolder: boolean) => IgnoreVerdict {
  const rules = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap((line) => ruleOf(line) ?? [])
    .toReversed();
  return (path, isFolder) => rules.find((rule) => (isFolder || !rule.foldersOnly) && rule.matches(path))?.verdict;
}

function ruleOf(raw: string): Rule | undefined {
  if (raw.startsWith("#")) return undefined;
  const line = raw.endsWith("\\ ") ? raw : raw.trimEnd();
  const isException = line.startsWith("!");
  const pattern = placedPattern(isException ? line.slice(1) : line);
  if (pattern === undefined) return undefined;
  const glob = parseGlob(pattern.glob);
  return glob.ok ? { matches: glob.matches, foldersOnly: pattern.foldersOnly, verdict: isException ? "kept" : "ignored" } : undefined;
}

/** A test for one glob as `.gitignore` places it: without a slash it is looked for in every folder, with one from the root on. */
export function parsePlacedGlob(raw: string): ReturnType<typeof parseGlob> {
  const pattern = placedPattern(raw);
  // What names folders only names no file.
  if (pattern === undefined || pattern.foldersOnly) {
    const glob = parseGlob(raw);
    return glob.ok ? { ok: true, matches: () => false } : glob;
  }
  return parseGlob(pattern.glob);
}

function placedPattern(line: string): { readonly glob: string; readonly foldersOnly: boolean } | undefined {
  const isAnchored = line.startsWith("/");
  const foldersOnly = line.length > 1 && line.endsWith("/");
  const glob = line.slice(isAnchored ? 1 : 0, foldersOnly ? -1 : undefined);
  if (glob === "") return undefined;
  const anywhere = !isAnchored && !glob.includes("/") ? `**/${glob}` : glob;
  return { glob: anywhere.endsWith("/**") ? `${anywhere}/*` : anywhere, foldersOnly };
}
