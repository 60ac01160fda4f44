import type { Guidance } from "../agent/opening.ts";
import type { CommitFiles } from "../workspace/commit-files.ts";

/** In the order in which they count; of those that say the same, the first is shown. */
const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"];
/** Characters of one file, and of all together. */
const LONGEST_FILE = 12_000;
const LONGEST = 24_000;
/** Files about parts of the repository that are shown where those are changed, and characters of one. */
const MOST_NEARBY = 4;
const LONGEST_NEARBY = 6_000;
/** A file for agents that only points at another one: `@AGENTS.md`. */
const POINTER = /^\s*@\S+\s*$/;

/** What a repository says about working on it, from its base branch: a change cannot give itself new rules. */
export async function readGuidance(base: CommitFiles): Promise<Guidance> {
  const there = new Map(base.paths().map((path) => [path.toLowerCase(), path]));
  const files: { readonly path: string; readonly text: string }[] = [];
  let room = LONGEST;
  for (const name of NAMES) {
    const path = there.get(name.toLowerCase());
    const text = path === undefined ? undefined : await textAt(base, path);
    if (path === undefined || text === undefined || files.some((file) => file.text === text)) continue;
    const most = Math.min(LONGEST_FILE, room);
    room -= Math.min(text.length, most);
    files.push({ path, text: bounded(path, text, most) });
    if (room <= 0) break;
  }
  const further = base.paths().filter((path) => /\/(?:AGENTS|CLAUDE)\.md$/i.test(path));
  return { files, further };
}

/** What a repository says about the folders in which paths lie, those of the first paths first. @param further as {@link readGuidance} found them */
export async function readNearby(base: CommitFiles, further: readonly string[], paths: readonly string[]): Promise<Guidance["files"]> {
  const found = new Set(paths.flatMap((path) => further.filter((file) => path.startsWith(file.slice(0, file.lastIndexOf("/") + 1)))));
  const files: { readonly path: string; readonly text: string }[] = [];
  for (const path of found) {
    const text = await textAt(base, path);
    if (text === undefined || files.some((file) => file.text === text)) continue;
    files.push({ path, text: bounded(path, text, LONGEST_NEARBY) });
    if (files.length === MOST_NEARBY) break;
  }
  return files;
}

/** What a file says; undefined for one that says nothing, or only points at another one. */
async function textAt(base: CommitFiles, path: string): Promise<string | undefined> {
  const bytes = await base.file(path);
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  return text === "" || POINTER.test(text) ? undefined : text;
}

function bounded(path: string, text: string, most: number): string {
  const rest = text.length - most;
  return rest <= 0 ? text : `${text.slice(0, most).toWellFormed()}\n[… ${rest} characters left out; read_file shows ${path} …]`;
}
