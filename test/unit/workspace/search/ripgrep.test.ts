import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { locateRipgrep } from "../../../../src/workspace/search/locate-ripgrep.ts";
import { ripgrepSearch } from "../../../../src/workspace/search/ripgrep.ts";
import { folder } from "./folder.ts";

const binary = (await locateRipgrep("")) ?? "ripgrep is not installed";
const signal = new AbortController().signal;
const directory = folder({ "a.txt": "alpha\n" });

it("takes linear time for a pattern that defeats backtracking", async () => {
  const at = folder({ "long.txt": `${"a".repeat(1_000_000)}!\n` });
  onTestFinished(() => rmSync(dirname(at), { recursive: true, force: true }));
  expect(await ripgrepSearch({ binary }).grep({ directory: at, signal, pattern: "(a+)+$", limit: 1 })).toMatchObject({
    ok: true,
    matches: 0,
  });
});

it("says what is wrong with too much repetition", async () => {
  const found = await ripgrepSearch({ binary }).grep({ directory, signal, pattern: "(a{1000}){1000}{1000}", limit: 1 });
  expect(found).toEqual({ ok: false, why: expect.stringMatching(/size limit/) });
});

it("ends the process at its deadline and says so", async () => {
  const hurried = ripgrepSearch({ binary: slowBinary(), timeoutMs: 50 });
  expect(await hurried.grep({ directory, signal, pattern: "x", limit: 1 })).toMatchObject({
    ok: true,
    note: expect.stringMatching(/too long/),
  });
});

it("ends the process when the run is stopped, and throws the reason", async () => {
  const stop = new AbortController();
  const waiting = ripgrepSearch({ binary: slowBinary() }).grep({ directory, signal: stop.signal, pattern: "x", limit: 1 });
  stop.abort(new Error("stopped by a person"));
  await expect(waiting).rejects.toThrow("stopped by a person");
});

it("throws when there is no such binary", async () => {
  await expect(ripgrepSearch({ binary: join(directory, "nothing") }).files({ directory, signal })).rejects.toThrow("ENOENT");
});

/** Something that never ends by itself. */
function slowBinary(): string {
  const at = mkdtempSync(join(tmpdir(), "slow-"));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  writeFileSync(join(at, "rg"), "#!/bin/sh\nexec /bin/sleep 60\n", { mode: 0o755 });
  return join(at, "rg");
}
