import type { EdgeKind } from "../graph.ts";
import type { AskableGraph } from "./askable.ts";

/** How much of a symbol's weight goes along an edge, and back along it. */
const WEIGHT: Readonly<Record<EdgeKind, number>> = {
  call: 1,
  reference: 0.6,
  inherits: 1,
  implements: 1,
  overrides: 1,
  imports: 0.2,
  tests: 0.3,
};
const BACKWARD = 0.8;
const CONTAINED = 0.3;
/** The share that stays where it came to; the rest goes on. */
const STAYS = 0.2;
/** What is less than this for each neighbour is not carried on: the work is bounded by it, whatever the size of the repository. */
const WORTH = 1e-5;
/** Neighbours of one symbol that are looked at. */
const MOST_NEIGHBOURS = 2000;

/**
 * How near symbols are to some that are mentioned, by personalised PageRank. Weight is pushed along the edges until what is left is not worth
 * carrying. Source: Andersen, Chung, Lang, "Local graph partitioning using PageRank vectors", 2006.
 */
export function rankFrom(asked: AskableGraph, mentioned: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const total = [...mentioned.values()].reduce((sum, weight) => sum + weight, 0);
  const score = new Map<number, number>();
  if (total <= 0) return score;
  const waiting = new Map<number, number>();
  for (const [id, weight] of mentioned) waiting.set(id, weight / total);
  const neighbours = new Map<number, Neighbours>();
  const pending = [...mentioned.keys()];
  for (let at = 0; at < pending.length; at++) {
    const id = pending[at] as number;
    const weight = waiting.get(id) ?? 0;
    let around = neighbours.get(id);
    if (around === undefined) neighbours.set(id, (around = neighboursOf(asked, id)));
    if (weight <= WORTH * Math.max(1, around.ids.length)) continue;
    waiting.set(id, 0);
    score.set(id, (score.get(id) ?? 0) + STAYS * weight);
    if (around.total === 0) continue;
    const carried = ((1 - STAYS) * weight) / around.total;
    for (const [n, other] of around.ids.entries()) {
      const before = waiting.get(other) ?? 0;
      const after = before + carried * (around.weights[n] ?? 0);
      waiting.set(other, after);
      if (before <= WORTH && after > WORTH) pending.push(other);
      else if (before === 0) pending.push(other);
    }
  }
  // What waits counts as well: else what has many neighbours would lend its weight to nobody.
  for (const [id, weight] of waiting) if (weight > 0) score.set(id, (score.get(id) ?? 0) + STAYS * weight);
  return score;
}

interface Neighbours {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  readonly total: number;
}

function neighboursOf({ graph, relations }: AskableGraph, id: number): Neighbours {
  const weights = new Map<number, number>();
  const add = (other: number | undefined, weight: number): void => {
    if (other === undefined || other === id || weights.size >= MOST_NEIGHBOURS) return;
    weights.set(other, Math.max(weights.get(other) ?? 0, weight));
  };
  for (const { to, kind } of graph.edgesFrom(id)) add(to, WEIGHT[kind]);
  for (const { from, kind } of graph.edgesTo(id)) add(from, WEIGHT[kind] * BACKWARD);
  add(graph.symbols[id]?.parent, CONTAINED);
  for (const member of relations.members.of(id)) add(member, CONTAINED);
  let total = 0;
  for (const weight of weights.values()) total += weight;
  return { ids: [...weights.keys()], weights: [...weights.values()], total };
}
