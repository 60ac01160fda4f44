import type { ChangeSet } from "../core/change-set.ts";
import type { SnapshotEntry } from "../core/journal.ts";

/** What a read of one path found. A path that `judgePath` refuses, a link or a special file is `refused`. */
export type FileRead =
  | {
      readonly status: "file";
      /** The path as it is spelled on disk (another Unicode form is found). */ readonly path: string;
      readonly bytes: Uint8Array;
      readonly executable: boolean;
    }
  | { readonly status: "missing"; readonly near: readonly string[] }
  | { readonly status: "folder" }
  | { readonly status: "refused"; readonly why: string };

/**
 * The unpacked tree of one pinned commit, without `.git`, and the run's changes in it. All paths are relative to the repository root.
 * Nothing here follows a link. Writes are done by the run alone, after the inner door has allowed them.
 */
export interface Workspace {
  /** Absolute path on the host: for the sandbox, never for the model. */
  readonly directory: string;
  readonly commit: string;
  read(path: string): Promise<FileRead>;
  /** Creates parent folders; keeps the mode of an existing file. @throws when a link, a folder or a special file is in the way. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** Never overwrites; keeps the mode. */
  move(from: string, to: string): Promise<void>;
  /** Files (and links, marked) below a folder, sorted; ignored files and what is deeper than `depth` folders left out. */
  list(path: string, depth: number): Promise<readonly WorkspaceEntry[]>;
  /** The difference against the pinned tree, whatever made it. Files that the repository ignores are left out. Ends nothing, changes nothing. */
  changeSet(): Promise<ChangeSet>;
  /** Brings the tree to a snapshot taken earlier of the same pinned commit. */
  restore(entries: readonly SnapshotEntry[], blob: (sha: string) => Promise<Uint8Array | undefined>): Promise<void>;
  /** A blob of the pinned tree. @throws when the store does not hold it. */
  baseBlob(sha: string): Promise<Uint8Array>;
  /** A file of the pinned tree; undefined when it has none of this name (a link or a submodule is none). */
  baseFile(path: string): Promise<Uint8Array | undefined>;
  /** Every path of the pinned tree that is valid UTF-8. */
  basePaths(): readonly string[];
  /** The regular files of the pinned tree, or of the workspace as it stands, with the hashes of their bytes. */
  sources(state: "base" | "now"): Promise<readonly WorkspaceSource[]>;
  readonly git: GitReads;
  /**
   * Absolute path of a git folder for the sandbox to show above the workspace: the pinned commit, and what is held of the history before it.
   * With `isAsked` some more generations are fetched first. Undefined where it cannot be made; made once, and gone with the workspace.
   */
  history(options: { readonly isAsked: boolean; readonly signal?: AbortSignal | undefined }): Promise<string | undefined>;
  /** Removes the folder. */
  dispose(): Promise<void>;
}

/** A file whose bytes are read when somebody wants them; they are those of the blob. */
export interface WorkspaceSource {
  readonly path: string;
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
  bytes(): Uint8Array | Promise<Uint8Array>;
}

export interface WorkspaceEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "link";
  /** Bytes; 0 for folders. */
  readonly size: number;
}

/** Git questions answered from the bare store; `HEAD` is the pinned commit. Answers are text as git prints it, or why there is none. */
export interface GitReads {
  /** The workspace against `base` (default: the pinned commit), as a unified diff. */
  diff(options: { readonly base?: string; readonly path?: string }): Promise<GitAnswer>;
  show(options: { readonly rev: string; readonly path?: string }): Promise<GitAnswer>;
  log(options: { readonly path?: string; readonly limit: number }): Promise<GitAnswer>;
  /** The commits that made a file's lines, as it stood at `rev` (default: the pinned commit). Lines are counted from 1, both ends in. */
  blame(options: BlameRequest): Promise<GitAnswer>;
}

export interface BlameRequest {
  readonly path: string;
  readonly rev?: string;
  readonly start?: number;
  readonly end?: number;
}

export type GitAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };
