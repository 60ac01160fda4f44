import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlobRef, ChangeSet, FileChange, FileMode } from "../../../src/core/change-set.ts";
import { changesSince } from "../../../src/runs/changes-since.ts";

type Tree = ReadonlyMap<string, BlobRef>;

const MODES: readonly FileMode[] = ["100644", "100755", "120000"];
const PATHS = ["a", "a.js", "a/b", "ü.txt", "z", "Z", "\u{10000}", "\uffff"];
const content = (sha: string): Uint8Array => Buffer.from(sha);
const blob = fc
  .record({ sha: fc.constantFrom("one", "two", "three"), mode: fc.constantFrom(...MODES) })
  .map(({ sha, mode }): BlobRef => ({ sha, mode, size: sha.length }));
const tree: fc.Arbitrary<Tree> = fc.dictionary(fc.constantFrom(...PATHS), blob).map((files) => new Map(Object.entries(files)));
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The difference between two trees, as a workspace would tell it. */
function difference(before: Tree, after: Tree, commit = "pinned"): ChangeSet {
  const changes: FileChange[] = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort(byBytes)) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old?.sha === now?.sha && old?.mode === now?.mode) continue;
    changes.push({ path, ...(old && { before: old }), ...(now && { after: now }) });
  }
  const bytes = (refs: readonly (BlobRef | undefined)[]) =>
    new Map(refs.flatMap((ref) => (ref === undefined ? [] : [[ref.sha, content(ref.sha)] as const])));
  return {
    base: { commit, tree: `tree of ${commit}` },
    tree: JSON.stringify([...after]),
    changes,
    blobs: bytes(changes.map((change) => change.after)),
    before: bytes(changes.map((change) => change.before)),
  };
}

function apply(tree: Tree, changes: readonly FileChange[]): Tree {
  const next = new Map(tree);
  for (const { path, before, after } of changes) {
    expect(next.get(path)).toEqual(before);
    if (after === undefined) next.delete(path);
    else next.set(path, after);
  }
  return next;
}

const sorted = (tree: Tree): [string, BlobRef][] => [...tree].sort(([a], [b]) => byBytes(a, b));
const sources = { pinned: (sha: string) => Promise.resolve(content(sha)), published: (sha: string) => Promise.resolve(content(sha)) };

describe("what comes after published work", () => {
  test("is what makes the whole of it, whatever was added, taken back, moved or given another mode", async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, tree, async (pinned, published, now) => {
        const first = difference(pinned, published);
        const whole = difference(pinned, now);
        const rest = await changesSince({ commit: "first", tree: first.tree, changes: first.changes }, whole, sources);
        expect(sorted(apply(apply(pinned, first.changes), rest.changes))).toEqual(sorted(now));
        expect(rest.changes).toEqual(difference(published, now).changes);
        expect(rest.base).toEqual({ commit: "first", tree: first.tree });
        expect(rest.tree).toBe(whole.tree);
        for (const { before, after } of rest.changes) {
          // All that is sent is at hand, and all that it is compared with.
          if (after !== undefined) expect(rest.blobs.get(after.sha)).toEqual(content(after.sha));
          if (before !== undefined) expect(rest.before.get(before.sha)).toEqual(content(before.sha));
        }
      }),
    );
  });

  test("is judged without old bytes that are no longer at hand, and never with those of another file", async () => {
    const one: BlobRef = { sha: "one", mode: "100644", size: 3 };
    const two: BlobRef = { sha: "two", mode: "100644", size: 3 };
    const published = { commit: "first", tree: "t", changes: [{ path: "a", after: one }] };
    const whole: ChangeSet = { ...difference(new Map(), new Map([["a", two]])) };
    const rest = await changesSince(published, whole, { ...sources, published: () => Promise.resolve(undefined) });
    expect(rest.changes).toEqual([{ path: "a", before: one, after: two }]);
    expect(rest.before.has("one")).toBe(false);
  });
});
