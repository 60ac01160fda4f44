import type { Guidance } from "../agent/opening.ts";
import type { CommitFiles } from "../workspace/commit-files.ts";

/** In the order in which they count; of those that say the same, the first is shown. */
const NAMES = ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md"];
/** Characters of one file, and of all together. */
const LONGEST_FILE = 12_000;
const LONGEST = 24_000;
/** A file for agents that only points at another one: `@AGENTS.md`. */
const POINTER = /^\s*@\S+\s*$/;

/** What a repository says about working on it, from its base branch: a change cannot give itself new rules. */
export async function readGuidance(base: CommitFiles): Promise<Guidance> {
  const there = new Map(base.paths().map((path) => [path.toLowerCase(), path]));
  const files: { readonly path: string; readonly text: string }[] = [];
  let room = LONGEST;
  for (const name of NAMES) {
    const path = there.get(name.toLowerCase());
    const bytes = path === undefined ? undefined : await base.file(path);
    if (path === undefined || bytes === undefined) continue;
    const text = Buffer.from(bytes)
      .toString("utf8")
      .replace(/^\ufeff/, "")
      .trim();
    if (text === "" || POINTER.test(text) || files.some((file) => file.text === text)) continue;
    const most = Math.min(LONGEST_FILE, room);
    room -= Math.min(text.length, most);
    const rest = text.length - most;
    files.push({
      path,
      text: rest <= 0 ? text : `${text.slice(0, most).toWellFormed()}\n[… ${rest} characters left out; read_file shows ${path} …]`,
    });
    if (room <= 0) break;
  }
  const further = base.paths().filter((path) => /\/(?:AGENTS|CLAUDE)\.md$/i.test(path));
  return { files, further };
}
