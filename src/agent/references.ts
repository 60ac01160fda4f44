import { judgePath } from "../core/repository-path.ts";
import { countLines } from "../tools/bounds.ts";
import type { WorkspaceReads } from "../tools/tool.ts";

/** A place in the code that a text names, and whether it is there. */
export interface Reference {
  /** As it was written. */
  readonly written: string;
  /** Why it does not exist; undefined when it does. */
  readonly missing?: string;
}

/** Most references of a text that are looked at. */
const MOST = 60;
/** What stands around a place in prose and Markdown. */
const BETWEEN = /[\s`'"<>|*,;()]+/;
/** `12` or `12-15`, and no port of an address. */
const LINES = /^(\d{1,7})(?:[-–](\d{1,7}))?(?![\d/])/;

/** Looks each place up that a text names as `path:line`, in the order of the text, each once. Paths that no tool would read count as missing. */
export async function checkReferences(text: string, workspace: Pick<WorkspaceReads, "read">): Promise<readonly Reference[]> {
  const found = new Map<string, Promise<string | undefined>>();
  for (const word of text.split(BETWEEN)) {
    const colon = word.indexOf(":");
    const path = word.slice(0, Math.max(0, colon)).replace(/^\.\//, "");
    const [, from, to] = LINES.exec(word.slice(colon + 1)) ?? [];
    // A path holds a dot or a slash, so that times and ratios are none.
    if (from === undefined || !/[./]/.test(path)) continue;
    const written = `${path}:${from}${to === undefined ? "" : `-${to}`}`;
    if (found.has(written)) continue;
    if (found.size >= MOST) break;
    found.set(written, whyMissing(path, Number(from), Number(to ?? from), workspace));
  }
  return Promise.all(
    [...found].map(async ([written, looked]): Promise<Reference> => {
      const missing = await looked;
      return { written, ...(missing === undefined ? {} : { missing }) };
    }),
  );
}

async function whyMissing(path: string, from: number, to: number, workspace: Pick<WorkspaceReads, "read">): Promise<string | undefined> {
  if (!judgePath(path).ok) return "no path of the repository";
  const read = await workspace.read(path);
  if (read.status !== "file") return "no such file";
  const lines = countLines(read.bytes);
  if (from < 1 || to < from || to > lines) return `the file has ${lines} ${lines === 1 ? "line" : "lines"}`;
  return undefined;
}
