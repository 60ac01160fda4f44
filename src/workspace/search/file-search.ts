export interface FilesQuery {
  /** Absolute path of the workspace. */
  readonly directory: string;
  /** As in `.gitignore`: without a slash it is looked for in every folder, with one from the root on. */
  readonly glob?: string;
  /** Paths that are searched although an ignore rule names them, as git goes on with what is tracked. Those that are no files are passed over. */
  readonly tracked?: readonly string[];
  readonly signal: AbortSignal;
}

export interface TextQuery extends FilesQuery {
  /** A regular expression in ripgrep's language, within one line. */
  readonly pattern: string;
  /** A file, or a folder to search below; relative to the root, canonical. Everything when absent. */
  readonly path?: string;
  readonly ignoreCase?: boolean;
  /** Lines before and after each matching one. */
  readonly context?: number;
  /** How many matching lines are kept; the first ones by path and line. */
  readonly limit: number;
}

/** One line of a file: a matching one, or one of its neighbours. */
export interface FoundLine {
  /** 1-based. */
  readonly line: number;
  readonly matches: boolean;
  /** Without its line break; long ones are cut around the match. */
  readonly text: string;
}

export interface FoundFile {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** `paths` are sorted. `note`: what was looked at beside what was asked, and why. */
export type FilesFound =
  | { readonly ok: true; readonly paths: readonly string[]; readonly note?: string }
  | { readonly ok: false; readonly why: string };

export type TextFound =
  | {
      readonly ok: true;
      /** Sorted by path. */
      readonly files: readonly FoundFile[];
      /** All matching lines, kept or not; a lower bound when the search was stopped. */
      readonly matches: number;
      readonly filesWithMatches: number;
      /** Binary files that hold a match; their text is not among `files`. */
      readonly binary: readonly string[];
      /** Why the search did not look at everything, or looked at more. */
      readonly note?: string;
    }
  | { readonly ok: false; readonly why: string };

/** Searches the files of a workspace that its repository tracks or does not ignore. Follows no link, sees no `.git`. */
export interface FileSearch {
  files(query: FilesQuery): Promise<FilesFound>;
  /** `ok: false` for a pattern or glob that is none: in words that help to write a better one. */
  grep(query: TextQuery): Promise<TextFound>;
}
