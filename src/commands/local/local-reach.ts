import { silent } from "../../core/log.ts";
import type { ReachOf } from "../../gate/rules/impact.ts";
import { buildGraph } from "../../graph/build-graph.ts";
import { MAX_FILE_BYTES } from "../../graph/extract/extract.ts";
import { isModuleConfiguration } from "../../graph/link/modules/configuration.ts";
import { languageOf } from "../../graph/parse/languages.ts";
import { openDeskGraph } from "../../runs/desk-graph.ts";
import type { Checkout, Revision } from "../../workspace/local/open-checkout.ts";
import { revisionSources } from "../../workspace/local/revision-sources.ts";

/** How far a change of a checkout's revision reaches, by the code graph of that revision; nothing is read before it is asked. */
export function localReach(checkout: Checkout, revision: Revision): ReachOf {
  const isWanted = (path: string): boolean => languageOf(path) !== undefined || isModuleConfiguration(path);
  const graph = openDeskGraph({
    workspace: {
      sources: () => revisionSources({ checkout, revision, isWanted, largest: MAX_FILE_BYTES }),
      read: () => Promise.resolve({ status: "missing", near: [] }),
      baseBlob: (sha) => checkout.git.run(["cat-file", "blob", sha], { gitDir: checkout.gitDir }),
    },
    build: (files) => buildGraph({ files }),
    log: silent,
  });
  return (changes) => graph.reach(changes);
}
