import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeOwnFolder, sweepOwnFolders } from "../../../../src/workspace/sandbox/own-folder.ts";

const base = mkdtempSync(join(tmpdir(), "own-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test("folders that a killed process left are removed at a later start; those of living ones, links and foreign names stay", async () => {
  await makeOwnFolder(base, "probe");
  mkdirSync(join(base, "sallyport-probe-4000001-abcdef", "deep"), { recursive: true });
  writeFileSync(join(base, "sallyport-probe-4000001-abcdef", "deep", "file"), "");
  mkdirSync(join(base, "sallyport-home-4000002-ABC123"));
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "kept"), "");
  symlinkSync(join(base, "outside"), join(base, "sallyport-home-4000003-abcdef"));
  mkdirSync(join(base, "sallyport-probe-4000001"));
  const removed = await sweepOwnFolders(base, (pid) => pid === process.pid);
  expect(removed.toSorted()).toEqual(["sallyport-home-4000002-ABC123", "sallyport-probe-4000001-abcdef"]);
  expect(readdirSync(base)).toHaveLength(4);
  expect(readdirSync(join(base, "outside"))).toEqual(["kept"]);
});
