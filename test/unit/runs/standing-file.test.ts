import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/journal.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { RunView } from "../../../src/core/run.ts";
import { standingFile } from "../../../src/runs/published.ts";
import { createScopes } from "../../../src/runs/scopes.ts";

const ref = (sha: string) => ({ sha, mode: "100644", size: 1 }) as const;
const published: JournalEntry = {
  kind: "published",
  branch: "sallyport/1",
  commit: "c".repeat(40),
  tree: "t".repeat(40),
  changes: [
    { path: "changed", before: ref("old"), after: ref("new") },
    { path: "deleted", before: ref("old") },
  ],
};
const pinned = { baseFile: (path: string) => Promise.resolve(Buffer.from(`pinned ${path}`)) };
const textOf = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString());

describe("a file as a run's next change finds it", () => {
  test("is the pinned one until the run has published another", async () => {
    expect(textOf(await standingFile(memoryJournal(), pinned, "changed"))).toBe("pinned changed");
    const journal = memoryJournal();
    await journal.append(published, new Map([["new", Buffer.from("published")]]));
    const read = async (path: string) => textOf(await standingFile(journal, pinned, path));
    expect([await read("changed"), await read("deleted"), await read("other")]).toEqual(["published", undefined, "pinned other"]);
  });

  test("is known only while the run is at work here", async () => {
    const scopes = createScopes();
    const run: RunView = { id: "run-1", repository: { owner: "acme", name: "app" }, trigger: "mention" };
    const advisories = { affecting: () => Promise.resolve({ status: "known", advisories: [] } as const) };
    {
      using _base = scopes.registerBase("run-1", { paths: () => ["a"], file: (path) => pinned.baseFile(path), advisories });
      expect(textOf(await scopes.baseFile(run, "a"))).toBe("pinned a");
      expect([scopes.basePaths(run), scopes.advisories(run)]).toEqual([["a"], advisories]);
      expect(scopes.advisories({ ...run, id: "run-2" })).toBeUndefined();
    }
    expect([scopes.basePaths(run), await scopes.baseFile(run, "a"), scopes.advisories(run)]).toEqual([undefined, undefined, undefined]);
  });
});
