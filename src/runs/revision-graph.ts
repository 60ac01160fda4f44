import type { Logger } from "../core/log.ts";
import { MAX_FILE_BYTES } from "../graph/extract/extract.ts";
import { isModuleConfiguration } from "../graph/link/modules/configuration.ts";
import type { BuildGraph } from "../graph/live.ts";
import { languageOf } from "../graph/parse/languages.ts";
import type { Checkout, Revision } from "../workspace/local/open-checkout.ts";
import { revisionSources } from "../workspace/local/revision-sources.ts";
import { openDeskGraph, type DeskGraph } from "./desk-graph.ts";

export interface RevisionGraphOptions {
  readonly checkout: Checkout;
  readonly revision: Revision;
  readonly build: BuildGraph;
  readonly log: Logger;
}

/** What the code graph of a revision, which nobody has unpacked, says of changes to it; nothing is read before it is asked. */
export function openRevisionGraph({ checkout, revision, build, log }: RevisionGraphOptions): Pick<DeskGraph, "reach" | "glance"> {
  const isWanted = (path: string): boolean => languageOf(path) !== undefined || isModuleConfiguration(path);
  return openDeskGraph({
    workspace: {
      sources: () => revisionSources({ checkout, revision, isWanted, largest: MAX_FILE_BYTES }),
      read: () => Promise.resolve({ status: "missing", near: [] }),
      baseBlob: (sha) => checkout.git.run(["cat-file", "blob", sha], { gitDir: checkout.gitDir }),
    },
    build,
    log,
  });
}
