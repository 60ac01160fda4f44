/** A line of a hunk. `text` has no line end; a carriage return before it is kept. */
export interface DiffLine {
  readonly kind: "context" | "added" | "removed";
  /** 1-based number on the old side; absent for an added line. */
  readonly left?: number;
  /** 1-based number on the new side; absent for a removed line. */
  readonly right?: number;
  readonly text: string;
  /** The file ends with this line and without a line end. */
  readonly isUnended?: true;
}

export interface Hunk {
  /** What git shows behind the second `@@`: the beginning of the enclosing definition, or nothing. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

/** A file of a difference between two commits. */
export interface DiffFile {
  /** Its name on the new side; for a removed file the name it had. GitHub keys remarks on both sides by it. */
  readonly path: string;
  /** Its name on the old side, where that is another one. */
  readonly previousPath?: string;
  readonly status: "added" | "removed" | "modified" | "renamed" | "type-changed";
  /** Git modes such as `100644`; `000000` where there is no file. */
  readonly modes: readonly [before: string, after: string];
  /** Blob ids; all zeros where there is no file. */
  readonly blobs: readonly [before: string, after: string];
  /** Git shows no lines of it. */
  readonly isBinary: boolean;
  /** What git printed of it did not arrive whole: it may have lines that are not among these. */
  readonly isUnread?: true;
  readonly hunks: readonly Hunk[];
}
