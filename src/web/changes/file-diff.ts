import { structuredPatch, type StructuredPatchHunk } from "diff";
import type { FileMode } from "../../core/change-set.ts";
import { readChanges, type ChangedPath, type ChangesLimits } from "../../store/changes.ts";
import type { Executor } from "../../store/sql.ts";
import { stripInvisible } from "../../text/hidden.ts";

/** A file as the pinned commit has it; without content where that is too large. */
export interface BaseFile {
  readonly mode: FileMode;
  readonly content?: Uint8Array;
}

/** Files of a commit, as far as this machine keeps them; undefined where it does not keep the commit. */
export type ReadBase = (wish: {
  readonly repositoryId: number;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly maxBytes: number;
}) => Promise<ReadonlyMap<string, BaseFile> | undefined>;

export type Hunk = StructuredPatchHunk;

/** One path of a change set. Texts are masked and still hostile: characters that do not show are still in them. */
export interface FileDiff {
  readonly path: string;
  readonly change: "added" | "changed" | "deleted";
  readonly before?: FileMode;
  readonly after?: FileMode;
  readonly body:
    | { readonly kind: "lines"; readonly hunks: readonly Hunk[] }
    /** There is nothing to be shown line by line; `why` is for people. */
    | { readonly kind: "none"; readonly why: string };
}

export interface ChangeSetDiff {
  readonly files: readonly FileDiff[];
  /** Paths that are not among them. */
  readonly more: number;
  /** False where the pinned commit is not kept on this machine: every file is shown as though it were new. */
  readonly hasBase: boolean;
}

const LIMITS: ChangesLimits = { paths: 100, bytes: 256 * 1024, total: 2 * 1024 * 1024 };
/** Lines that differ, and milliseconds, after which two files are no longer compared. */
const MOST_EDITS = 4_000;
const COMPARE_WITHIN = 150;
const CONTEXT = 3;

export interface ReadDiffOptions {
  readonly database: Executor;
  readonly readBase?: ReadBase;
  /** Takes the values of held secrets out of a text. */
  readonly mask: (text: string) => string;
}

/** The change set of a run against its pinned commit, in bounded time and memory; undefined when the run has saved no workspace. */
export async function readDiff(
  run: { readonly id: string; readonly repositoryId: number },
  { database, readBase, mask }: ReadDiffOptions,
): Promise<ChangeSetDiff | undefined> {
  const changes = await readChanges(database, run.id, LIMITS);
  if (changes === undefined) return undefined;
  const { commit, paths, more } = changes;
  const base =
    commit === undefined
      ? undefined
      : await readBase?.({ repositoryId: run.repositoryId, commit, paths: paths.map(({ path }) => path), maxBytes: LIMITS.bytes });
  return { files: paths.map((path) => diffOf(path, base?.get(path.path), mask)), more, hasBase: base !== undefined };
}

function diffOf({ path, mode, content, isDeleted }: ChangedPath, base: BaseFile | undefined, mask: (text: string) => string): FileDiff {
  const modes = { ...(base === undefined ? {} : { before: base.mode }), ...(mode === undefined ? {} : { after: mode }) };
  const about = { path, change: isDeleted ? "deleted" : base === undefined ? "added" : "changed", ...modes } as const;
  const none = (why: string): FileDiff => ({ ...about, body: { kind: "none", why } });
  if (mode === "160000" || base?.mode === "160000") return none("A submodule.");
  if (!isDeleted && content === undefined) return none("Too large to be shown, or not kept.");
  if (isDeleted && base === undefined) return none("What was deleted is not kept on this machine.");
  if (base !== undefined && base.content === undefined) return none("Too large to be shown.");
  const [before, after] = [textOf(base?.content, mask), textOf(content, mask)];
  if (before === undefined || after === undefined) return none("Not a text.");
  if (before === after) return none(modes.before === modes.after ? "Nothing that may be shown differs." : "Only its mode differs.");
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS, timeout: COMPARE_WITHIN };
  const patch = structuredPatch(path, path, before, after, undefined, undefined, options);
  return patch === undefined
    ? none("Too much of it differs to be compared here.")
    : { ...about, body: { kind: "lines", hunks: patch.hunks } };
}

/** Empty for what is not there; undefined for what is no text. */
function textOf(content: Uint8Array | undefined, mask: (text: string) => string): string | undefined {
  if (content === undefined) return "";
  if (content.includes(0)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    return maskThrough(text, mask);
  } catch {
    return undefined;
  }
}

/** Masks also what characters that nobody sees would keep apart; only then are they gone. */
function maskThrough(text: string, mask: (text: string) => string): string {
  const masked = mask(text);
  const shown = stripInvisible(masked);
  const throughout = mask(shown);
  return throughout === shown ? masked : throughout;
}
