import type { Spilled } from "../../core/journal.ts";

/** Results of the run that were too large for its conversation. */
export interface Outputs {
  /** Oldest first. */
  list(): readonly Spilled[];
  /** The whole text; undefined for an id that is not in the list. */
  read(id: string): Promise<string | undefined>;
}

/** Something that was remembered: information with its origin, never an instruction. */
export interface Fact {
  readonly key: string;
  readonly value: string;
  /** `run`: noted in this run. `repository`: a person has said that later runs may know it. */
  readonly of: "run" | "repository";
  /** The login of who keeps it there, or of who asked for the run that noted it. */
  readonly by: string;
  readonly at: Date;
}

export interface FactReads {
  /** What this run knows, by key: its own facts, and those of the repository that it has neither noted anew nor forgotten. */
  recall(): Promise<readonly Fact[]>;
}

export type FactStored = { readonly status: "done" } | { readonly status: "blocked" | "failed"; readonly why: string };

/** What a run remembers. Other runs know of it only once a person has said so. */
export interface Facts extends FactReads {
  remember(key: string, value: string): Promise<FactStored>;
  /** Answers `failed` when there is nothing under the key. */
  forget(key: string): Promise<FactStored>;
}
