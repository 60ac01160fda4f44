import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

test("a file of the pinned tree is read as it was, whatever the workspace made of it; a link or a folder is none", async () => {
  // Trees of these tests are written in raw names.
  const raw = Buffer.from("a/ü.txt").toString("latin1");
  const tree = { [raw]: "pinned\n", run: { mode: "100755", bytes: "#!/bin/sh\n" }, link: { mode: "120000", bytes: "run" } } as const;
  await using opened = await openTestWorkspace(temporary.path, tree);
  const { workspace } = opened;
  await workspace.write("a/ü.txt", Buffer.from("changed\n"));
  await workspace.write("new", Buffer.from("new\n"));
  const read = async (path: string) => {
    const bytes = await workspace.baseFile(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  expect(await Promise.all(["a/ü.txt", "run", "link", "a", "new", "__proto__"].map(read))).toEqual([
    "pinned\n",
    "#!/bin/sh\n",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
