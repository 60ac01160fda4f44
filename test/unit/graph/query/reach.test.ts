import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EdgeKind } from "../../../../src/graph/graph.ts";
import { createReach, withMembers } from "../../../../src/graph/query/reach.ts";
import { draw, type Arrow } from "./hand-made.ts";

const COUNT = 12;
const KINDS: readonly EdgeKind[] = ["call", "reference", "inherits", "implements", "overrides", "imports", "tests"];
const arrow = fc.tuple(fc.nat(COUNT - 1), fc.constantFrom(...KINDS), fc.nat(COUNT - 1)) as fc.Arbitrary<Arrow>;
const symbols = Array.from({ length: COUNT }, (_, id) => ({
  at: `${id % 3}.ts`,
  name: `f${id}`,
  kind: id % 2 === 0 ? ("method" as const) : ("class" as const),
}));

/** Who is touched by a change of one symbol alone, said as slowly as possible. */
function usersOf(arrows: readonly Arrow[], id: number): ReadonlySet<number> {
  const bases = new Set([id]);
  for (let size = 0; size !== bases.size;) {
    size = bases.size;
    for (const [from, kind, to] of arrows) {
      const runs = kind === "overrides" || (kind === "implements" && from % 2 === 0);
      if (runs && bases.has(from)) bases.add(to);
    }
  }
  const found = arrows.filter(([, kind, to]) =>
    ["call", "reference"].includes(kind) ? bases.has(to) : ["inherits", "implements", "overrides"].includes(kind) && to === id,
  );
  return new Set(found.map(([from]) => from));
}

describe("reach", () => {
  it("is the transitive closure of who uses what, through bases as well, each symbol once and the nearest first", () => {
    fc.assert(
      fc.property(
        fc.array(arrow, { maxLength: 40 }),
        fc.uniqueArray(fc.nat(COUNT - 1), { minLength: 1, maxLength: 3 }),
        (arrows, starts) => {
          const asked = draw(symbols, arrows);
          const closure = new Set(starts);
          for (const id of closure) for (const user of usersOf(arrows, id)) closure.add(user);
          for (const id of starts) closure.delete(id);
          const found = createReach(asked.relations, asked.graph.symbols.length)(starts);
          expect(found.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([...closure].toSorted((a, b) => a - b));
          expect(found.map(({ depth }) => depth)).toEqual(found.map(({ depth }) => depth).toSorted((a, b) => a - b));
          for (const { id, uses, through } of found)
            expect(usersOf(arrows, uses).has(id), `${id} uses ${uses} through ${through}`).toBe(true);
        },
      ),
    );
  });

  it("goes no further than it is told, and to the same symbols as without a bound", () => {
    fc.assert(
      fc.property(fc.array(arrow, { maxLength: 40 }), fc.nat(4), (arrows, depth) => {
        const asked = draw(symbols, arrows);
        const reach = createReach(asked.relations, asked.graph.symbols.length);
        expect(reach([0], depth)).toEqual(reach([0]).filter((one) => one.depth <= depth));
      }),
    );
  });

  it("answers one question after the other without remembering the last one", () => {
    const asked = draw(symbols, [
      [1, "call", 0],
      [2, "call", 1],
      [3, "call", 2],
    ]);
    const reach = createReach(asked.relations, asked.graph.symbols.length);
    const first = reach([0]);
    reach([2]);
    expect(reach([0])).toEqual(first);
    expect(first.map(({ id, depth }) => [id, depth])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it("does not count siblings: another method behind the same interface is not touched", () => {
    const drawn = ["Store.save", "Memory.save", "Disk.save", "register"].map((name) => ({ at: "a.ts", name, kind: "method" as const }));
    const asked = draw(drawn, [
      [1, "implements", 0],
      [2, "implements", 0],
      [3, "call", 0],
    ]);
    const reach = createReach(asked.relations, asked.graph.symbols.length);
    expect(reach([1])).toEqual([{ id: 3, depth: 1, uses: 1, through: 0 }]);
    expect(reach([0]).map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  it("takes what is declared in a class with it", () => {
    const asked = draw(
      [
        { at: "a.ts", name: "A", kind: "class" },
        { at: "a.ts", name: "A.b", kind: "method" },
        { at: "a.ts", name: "A.b.c" },
        { at: "a.ts", name: "d" },
      ],
      [],
    );
    expect(withMembers(asked.relations, [0])).toEqual([0, 1, 2]);
  });
});
