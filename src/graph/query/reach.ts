import type { Relations } from "./relations.ts";

/** One symbol that a change can touch, and how it comes to that. */
export interface Reached {
  readonly id: number;
  /** 1 for what uses the target itself. */
  readonly depth: number;
  /** What of the earlier depth it uses. */
  readonly uses: number;
  /** The base or interface method by which it does, where it does not name `uses` itself. */
  readonly through: number | undefined;
}

/**
 * Everything that depends on some symbols, nearest first: who calls, names, inherits from, implements or overrides them, or calls a method that
 * they override, and so on. The symbols themselves are not in it. `depth` bounds the steps.
 */
export type Reach = (ids: readonly number[], depth?: number) => readonly Reached[];

/** The same for many questions: what it needs of memory is taken once. */
export function createReach({ users, heirs, bases }: Relations, count: number): Reach {
  const reachedIn = new Int32Array(count);
  const passedIn = new Int32Array(count);
  let question = 0;
  return (ids, depth = Number.POSITIVE_INFINITY) => {
    question += 1;
    const found: Reached[] = [];
    for (const id of ids) reachedIn[id] = question;
    const take = (id: number, level: number, uses: number, through: number | undefined): void => {
      if (reachedIn[id] === question) return;
      reachedIn[id] = question;
      found.push({ id, depth: level, uses, through });
    };
    /** Who calls what this one overrides may run this one. Each base is looked at once: its users are reached by then. */
    const takeThroughBases = (id: number, level: number): void => {
      const pending = [...bases.of(id)];
      for (let base = pending.pop(); base !== undefined; base = pending.pop()) {
        if (passedIn[base] === question) continue;
        passedIn[base] = question;
        for (const user of users.of(base)) take(user, level, id, base);
        pending.push(...bases.of(base));
      }
    };
    const expand = (id: number, level: number): void => {
      for (const user of users.of(id)) take(user, level, id, undefined);
      for (const heir of heirs.of(id)) take(heir, level, id, undefined);
      takeThroughBases(id, level);
    };
    if (depth < 1) return found;
    for (const id of ids) expand(id, 1);
    for (let at = 0; at < found.length; at++) {
      const { id, depth: level } = found[at] as Reached;
      if (level >= depth) break;
      expand(id, level + 1);
    }
    return found;
  };
}

/** The symbols with everything that is declared in them. */
export function withMembers({ members }: Relations, ids: readonly number[]): readonly number[] {
  const all = [...new Set(ids)];
  const seen = new Set(all);
  for (let at = 0; at < all.length; at++) {
    for (const member of members.of(all[at] as number)) {
      if (seen.has(member)) continue;
      seen.add(member);
      all.push(member);
    }
  }
  return all;
}
