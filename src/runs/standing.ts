import type { Journal } from "../core/journal.ts";
import type { ReplayBase } from "../workspace/replay.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { standingFile } from "./published.ts";

/** The tree that the run's next change stands on, as the gate asks for it. */
export interface Standing {
  paths(): readonly string[];
  file(path: string): Promise<Uint8Array | undefined>;
  /** Answers from another commit's files while `work` is done; from the run's own where none are given. */
  on<T>(base: ReplayBase | undefined, work: () => Promise<T>): Promise<T>;
}

export function openStanding(journal: Journal, workspace: Pick<Workspace, "baseFile" | "basePaths">): Standing {
  let other: ReplayBase | undefined;
  return {
    paths: () => other?.paths() ?? workspace.basePaths(),
    file: (path) => other?.file(path) ?? standingFile(journal, workspace, path),
    async on(base, work) {
      other = base;
      try {
        return await work();
      } finally {
        other = undefined;
      }
    },
  };
}
