import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import { objectId } from "../../../src/workspace/object-id.ts";
import type { WorkspaceSource } from "../../../src/workspace/workspace.ts";
import { temporaryFolder } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

const texts = async (sources: readonly WorkspaceSource[]) =>
  Object.fromEntries(await Promise.all(sources.map(async ({ path, bytes }) => [path, Buffer.from(await bytes()).toString()] as const)));

test("the files of a workspace are named with the hashes of their bytes, as they stand and as they are pinned", async () => {
  await using opened = await openTestWorkspace(temporary.path, {
    "a.ts": "a\n",
    "gone.ts": "gone\n",
    "changed.ts": "before\n",
    link: { mode: "120000", bytes: "a.ts" },
  });
  const { workspace } = opened;
  await workspace.write("changed.ts", Buffer.from("after\n"));
  await workspace.write("new.ts", Buffer.from("new\n"));
  await workspace.remove("gone.ts");
  const now = await workspace.sources("now");
  const base = await workspace.sources("base");
  expect(await texts(now)).toEqual({ "a.ts": "a\n", "changed.ts": "after\n", "new.ts": "new\n" });
  expect(await texts(base)).toEqual({ "a.ts": "a\n", "changed.ts": "before\n", "gone.ts": "gone\n" });
  for (const { blob, size, bytes } of [...now, ...base]) {
    const read = await bytes();
    expect([blob, size]).toEqual([objectId("blob", read), read.length]);
  }
});

test("bytes are those of the blob whatever has been written since, and what no commit can hold is left out", async () => {
  await using opened = await openTestWorkspace(temporary.path, { "a.ts": "a\n" });
  const { workspace } = opened;
  const now = await workspace.sources("now");
  writeFileSync(join(workspace.directory, "a.ts"), "b\n");
  expect(await texts(now)).toEqual({ "a.ts": "a\n" });
  execFileSync("mkfifo", [join(workspace.directory, "pipe.ts")]);
  expect(await texts(await workspace.sources("now"))).toEqual({ "a.ts": "b\n" });
});
