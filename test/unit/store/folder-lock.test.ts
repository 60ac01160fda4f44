import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigurationError } from "../../../src/core/errors.ts";
import { lockFolder } from "../../../src/store/folder-lock.ts";

const MODULE = new URL("../../../src/store/folder-lock.ts", import.meta.url).href;
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sallyport-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that takes the folder and keeps it. */
async function holder(path: string) {
  const script = `const { lockFolder } = await import(${JSON.stringify(MODULE)}); await lockFolder(${JSON.stringify(path)}); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("the lock on a data folder", () => {
  test("a second taker is told which folder and what to do", async () => {
    await using held = { release: await lockFolder(folder), [Symbol.asyncDispose]: () => held.release() };
    const error = await lockFolder(folder).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      code: "data-folder-in-use",
      message: expect.stringContaining(folder),
      hint: expect.stringContaining("SALLYPORT_DATA_DIR"),
    });
  });

  test("is free again after its release", async () => {
    await (
      await lockFolder(folder)
    )();
    await (
      await lockFolder(folder)
    )();
  });

  test("is one for all spellings of a folder", async () => {
    const other = `${folder}-link`;
    await symlink(folder, other);
    const release = await lockFolder(other);
    await expect(lockFolder(folder)).rejects.toThrow("in use");
    await release();
    await rm(other);
  });

  test("holds on a folder whose path is longer than a socket's may be", async () => {
    const deep = join(folder, "d".repeat(120), "e".repeat(60));
    await mkdir(deep, { recursive: true });
    const release = await lockFolder(deep);
    await expect(lockFolder(deep)).rejects.toThrow("in use");
    await release();
    await (
      await lockFolder(deep)
    )();
  });

  test("is refused while another process lives, and free once that was killed", async () => {
    const process = await holder(folder);
    await expect(lockFolder(folder)).rejects.toThrow("in use");
    await process.kill();
    await (
      await lockFolder(folder)
    )();
  });

  test("goes to exactly one of many who find a dead process's socket", async () => {
    await (await holder(folder)).kill();
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
    const winners = results.filter((result) => result.status === "fulfilled");
    expect(winners).toHaveLength(1);
    for (const { value: release } of winners) await release();
  });

  test("a folder that is not there is an error of its own", async () => {
    await expect(lockFolder(join(folder, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
