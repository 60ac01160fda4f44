import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Decision } from "../../../../src/core/result.ts";
import { withFolder } from "../../../../src/tools/extended/with-folder.ts";
import { temporaryFolder } from "../../workspace/git-host.ts";
import { type Opened, openTestWorkspace } from "../../workspace/opened.ts";

const folder = temporaryFolder();
let opened: Opened;
beforeAll(async () => {
  opened = await openTestWorkspace(folder.path, {
    "a.txt": "one\n",
    "b.txt": "two\n",
    "c/d.txt": "three\n",
    "e.txt": "four\n",
    ".gitignore": "out\n",
  });
});
afterEach(() => opened.workspace.restore([], () => Promise.resolve(undefined)));
afterAll(() => opened[Symbol.asyncDispose]());

const BLOCKED: Decision = { verdict: "block", findings: [] };
/** Work in the folder, behind a door that refuses whatever says "bad". */
async function working(work: (at: (path: string) => string) => void) {
  const { workspace } = opened;
  const asked: string[] = [];
  const write = async (path: string, bytes: Uint8Array | undefined): Promise<Decision> => {
    asked.push(path);
    if (bytes !== undefined && Buffer.from(bytes).toString().includes("bad")) return BLOCKED;
    if (bytes === undefined) await workspace.remove(path);
    else await workspace.write(path, bytes);
    return { verdict: "allow", findings: [] };
  };
  const { value, decisions } = await withFolder({ workspace, write })((directory) => {
    work((path) => join(directory, path));
    return "done";
  });
  expect(value).toBe("done");
  return { asked, verdicts: Object.fromEntries([...decisions].map(([path, { verdict }]) => [path, verdict])) };
}
async function contents(): Promise<Record<string, string | undefined>> {
  const { changes, blobs } = await opened.workspace.changeSet();
  return Object.fromEntries(
    changes.map(({ path, after }) => [path, after === undefined ? undefined : Buffer.from(blobs.get(after.sha) ?? []).toString()]),
  );
}

describe("work in the folder of the workspace", () => {
  it("is written again through the inner door, and what that refuses is as it was before", async () => {
    await opened.workspace.write("b.txt", Buffer.from("written before\n"));
    const { verdicts } = await working((at) => {
      writeFileSync(at("a.txt"), "a bad thing\n");
      writeFileSync(at("b.txt"), "another bad thing\n");
      writeFileSync(at("new.txt"), "new\n");
      writeFileSync(at("new-bad.txt"), "bad\n");
      rmSync(at("e.txt"));
    });
    expect(verdicts).toEqual({ "a.txt": "block", "b.txt": "block", "new.txt": "allow", "new-bad.txt": "block", "e.txt": "allow" });
    expect(await contents()).toEqual({ "b.txt": "written before\n", "new.txt": "new\n", "e.txt": undefined });
  });

  it("asks of nothing that it left as it was, and of what it made as it is pinned", async () => {
    await opened.workspace.write("a.txt", Buffer.from("changed before\n"));
    await opened.workspace.write("added.txt", Buffer.from("added before\n"));
    const { asked } = await working((at) => {
      writeFileSync(at("a.txt"), "one\n");
      rmSync(at("added.txt"));
      writeFileSync(at("b.txt"), "two\n");
    });
    expect(asked.toSorted()).toEqual(["a.txt", "added.txt"]);
    expect(await contents()).toEqual({});
  });

  it("may put a file where a folder was, and a copy of a file beside it", async () => {
    const { asked } = await working((at) => {
      renameSync(at("c/d.txt"), at("moved.txt"));
      rmSync(at("c"), { recursive: true });
      writeFileSync(at("c"), "a file\n");
      writeFileSync(at("copy.txt"), "two\n");
    });
    expect(asked[0]).toBe("c/d.txt");
    expect(await contents()).toEqual({ c: "a file\n", "c/d.txt": undefined, "moved.txt": "three\n", "copy.txt": "two\n" });
  });

  it("cannot leave a link, and what the repository ignores is let be", async () => {
    const { verdicts } = await working((at) => {
      symlinkSync("/etc/passwd", at("link"));
      mkdirSync(at("out"));
      writeFileSync(at("out/x"), "bad\n");
    });
    expect(verdicts).toEqual({ link: "block" });
    expect(await contents()).toEqual({});
  });

  it("leaves nothing when it throws", async () => {
    const throwing = working((at) => {
      writeFileSync(at("a.txt"), "half\n");
      throw new Error("kaput");
    });
    await expect(throwing).rejects.toThrow("kaput");
    expect(await contents()).toEqual({});
  });
});
