import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { silent } from "../../../src/core/log.ts";
import { memoryJournal } from "../../../src/core/memory-journal.ts";
import type { Journal } from "../../../src/core/journal.ts";
import { takeSnapshot } from "../../../src/runs/snapshot.ts";
import { lastEntry } from "../../../src/runs/run-context.ts";
import { checkOut } from "../../../src/workspace/check-out.ts";
import { openGit } from "../../../src/workspace/git.ts";
import { openStores } from "../../../src/workspace/store.ts";
import { temporaryFolder } from "../workspace/git-host.ts";
import { openTestWorkspace } from "../workspace/opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const BASE = { "a.txt": "alpha\n", "b.txt": "beta\n", "run.sh": { mode: "100755", bytes: "#!/bin/sh\n" } } as const;

/** A journal that tells which bytes were handed to it. */
function counting(): Journal & { readonly sent: string[][] } {
  const journal = memoryJournal();
  const sent: string[][] = [];
  return {
    ...journal,
    get entries() {
      return journal.entries;
    },
    sent,
    append(entry, blobs) {
      sent.push([...(blobs?.values() ?? [])].map((bytes) => Buffer.from(bytes).toString().slice(0, 20)));
      return journal.append(entry, blobs);
    },
  };
}

test("a snapshot is taken up on another machine, with another data folder", async () => {
  await using opened = await openTestWorkspace(temporary.path, BASE);
  const { workspace, remote, commit } = opened;
  const journal = counting();
  await workspace.write("a.txt", Buffer.from("ours\n"));
  await workspace.write("new/ü.txt", Buffer.from("new\n"));
  await workspace.remove("b.txt");
  await workspace.move("run.sh", "bin/run.sh");
  expect(await takeSnapshot({ journal, log: silent }, workspace, 1)).toBe(true);
  const taken = await workspace.changeSet();
  await workspace.dispose();

  const path = process.env["PATH"] ?? "";
  const elsewhere = mkdtempSync(join(temporary.path, "elsewhere-"));
  const store = await openStores({ git: openGit({ path }), folder: join(elsewhere, "stores"), path }).open(1);
  const other = await checkOut({ store, remote, commit, directory: join(elsewhere, "workspace") });
  await other.restore(lastEntry(journal, "snapshot")?.entries ?? [], (sha) => journal.blob(sha));
  expect(await other.changeSet()).toEqual(taken);
  expect(await takeSnapshot({ journal, log: silent }, other, 2)).toBe(false);
  await other.dispose();
});

test("bytes that are stored already are not sent again, whatever name they have by then", async () => {
  await using opened = await openTestWorkspace(temporary.path, BASE);
  const { workspace } = opened;
  const journal = counting();
  const take = (turn: number) => takeSnapshot({ journal, log: silent }, workspace, turn);
  await workspace.write("one.txt", Buffer.from("one\n"));
  await take(1);
  await workspace.write("two.txt", Buffer.from("two\n"));
  await workspace.write("copy.txt", Buffer.from("one\n"));
  await take(2);
  await workspace.remove("one.txt");
  await take(3);
  expect(journal.sent).toEqual([["one\n"], ["two\n"], []]);
  for (const { blob } of lastEntry(journal, "snapshot")?.entries ?? []) expect(await journal.blob(blob ?? "")).toBeDefined();
});

test("what is too large is named and not stored, and the rest is", async () => {
  await using opened = await openTestWorkspace(temporary.path, BASE);
  const { workspace } = opened;
  const journal = counting();
  await workspace.write("huge.bin", Buffer.alloc(17 * 1024 * 1024));
  await workspace.write("small.txt", Buffer.from("small\n"));
  await takeSnapshot({ journal, log: silent }, workspace, 1);
  expect(lastEntry(journal, "snapshot")).toMatchObject({ entries: [{ path: "small.txt" }], tooLarge: ["huge.bin"] });
  expect(journal.sent).toEqual([["small\n"]]);
  expect(await takeSnapshot({ journal, log: silent }, workspace, 2)).toBe(false);
});
