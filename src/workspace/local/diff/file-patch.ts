import type { FileMode } from "../../../core/change-set.ts";

/** One line of a hunk, raw, its line end included unless the file ends without one. */
export interface HunkLine {
  readonly operation: " " | "-" | "+";
  readonly text: string;
}

export interface Hunk {
  /** The diff's line, 1-based. */
  readonly line: number;
  /** 1-based; the line before which it adds, less one, when `oldCount` is 0. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newCount: number;
  readonly lines: readonly HunkLine[];
}

/** What git writes for a file that is no text. `data` is still compressed. */
export interface BinaryHunk {
  readonly line: number;
  readonly kind: "literal" | "delta";
  /** Bytes that `data` unpacks to. */
  readonly size: number;
  readonly data: Buffer;
}

/** One side of a patch as the lines `---` and `+++` have it. */
export interface WrittenSide {
  /** Raw; absent for `/dev/null`. */
  readonly name?: string;
  /** There is no file on this side. */
  readonly isNothing: boolean;
}

/** How a diff spells its paths: behind one prefix (`a/src/x`), as git and patch read it unless told otherwise, or whole (`--no-prefix`). */
export type NameStyle = "prefixed" | "whole";

/** What a diff says about one file, before it is known which prefix its names bear. */
export interface FilePatch {
  /** The diff's line, 1-based. */
  readonly line: number;
  /** Pairs that the line `diff --git` can be read as; names may hold blanks. Absent without such a line. */
  readonly header?: readonly (readonly [from: string, to: string])[];
  /** The lines `---` and `+++`. */
  readonly minus?: WrittenSide;
  readonly plus?: WrittenSide;
  /** `rename from` and the like; these names never bear a prefix. */
  readonly source?: string;
  readonly target?: string;
  readonly action: "change" | "create" | "delete" | "rename" | "copy";
  readonly newMode?: FileMode;
  /** The blob ids of the index line, as long as they were written. */
  readonly index?: { readonly before: string; readonly after: string };
  readonly hunks: readonly Hunk[];
  readonly binary?: BinaryHunk;
}
