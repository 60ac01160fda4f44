/** A command that may test a repository, and why it is believed. */
export interface TestCommand {
  /** For `sh -c` in the repository's root. */
  readonly command: string;
  /** The file that says so. */
  readonly source: string;
  /** `high`: the repository runs it in CI or declares it; `medium`: a guide or a task file names it; `low`: the usual command for its kind. */
  readonly confidence: "high" | "medium" | "low";
}

/** Reads a file of the base tree as text; undefined when it is not there. Never the changed workspace: who changes a file must not choose the command. */
export type ReadBase = (path: string) => Promise<string | undefined>;
