import { silent } from "../../core/log.ts";
import type { ReachOf } from "../../gate/rules/impact.ts";
import { buildGraph } from "../../graph/build-graph.ts";
import { openRevisionGraph } from "../../runs/revision-graph.ts";
import type { Checkout, Revision } from "../../workspace/local/open-checkout.ts";

/** How far a change of a checkout's revision reaches, by the code graph of that revision; nothing is read before it is asked. */
export function localReach(checkout: Checkout, revision: Revision): ReachOf {
  const graph = openRevisionGraph({ checkout, revision, build: (files) => buildGraph({ files }), log: silent });
  return (changes) => graph.reach(changes);
}
