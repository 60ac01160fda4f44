import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "./git-host.ts";
import { openTestWorkspace } from "./opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());
const SHA = "1".repeat(40);

test("a submodule is an empty folder, and whoever asks for what is in it is told why", async () => {
  await using opened = await openTestWorkspace(temporary.path, { "vendor/lib": { submodule: SHA }, "vendor/own.txt": "own\n" });
  const { workspace } = opened;
  const what = `a submodule: another repository at its commit ${SHA.slice(0, 10)}, whose files are not here`;
  expect(await workspace.read("vendor/lib")).toEqual({ status: "refused", why: `"vendor/lib" is ${what}` });
  const inside = `"vendor/lib/src/a.c" lies in "vendor/lib", ${what}`;
  expect(await workspace.read("vendor/lib/src/a.c")).toEqual({ status: "refused", why: inside });
  await expect(workspace.list("vendor/lib", 1)).rejects.toMatchObject({ code: "submodule" });
  expect(await workspace.list("vendor", 1)).toMatchObject([{ path: "vendor/lib", kind: "folder" }, { path: "vendor/own.txt" }]);
  const writes = [
    workspace.write("vendor/lib/src/a.c", Buffer.from("x")),
    workspace.move("vendor/own.txt", "vendor/lib/own.txt"),
    workspace.remove("vendor/lib"),
  ];
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: "submodule" });
  expect(await workspace.read("vendor/own.txt")).toMatchObject({ status: "file" });
  expect((await workspace.changeSet()).changes).toEqual([]);
});
