import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import type { ChangeSet } from "../../src/core/change-set.ts";
import { blobId } from "../../src/gate/git-blob.ts";
import { filesOf } from "../../src/gate/contents.ts";
import type { GateRule } from "../../src/gate/rule.ts";
import { UnpublishableError } from "../../src/workspace/change-set.ts";
import { GitError } from "../../src/workspace/git-error.ts";
import { commit, gateWith, run } from "../unit/gate/fixtures.ts";
import { temporaryFolder } from "../unit/workspace/git-host.ts";
import { openTestWorkspace } from "../unit/workspace/opened.ts";

const temporary = temporaryFolder();
afterAll(() => temporary.remove());

/** Looks at files that are being swapped: each is taken, or refused for what stands there. */
const ROUNDS = 5000;
const SECRET = "the-secret-that-stands-outside-the-workspace";

it(`takes ${ROUNDS} files that are swapped while they are taken: nothing from outside, and what is scanned is what would be sent`, async () => {
  await using opened = await openTestWorkspace(temporary.path, { "README.md": "x\n" });
  const outside = mkdtempSync(join(temporary.path, "outside-"));
  writeFileSync(join(outside, "secret"), `${SECRET}\n`);
  const swapper = spawn(
    process.execPath,
    [fileURLToPath(new URL("swap/swapper.ts", import.meta.url)), opened.workspace.directory, outside],
    {
      stdio: "ignore",
    },
  );
  const seen = { looks: 0, refused: 0, leaks: 0, judged: 0 };
  try {
    while (seen.looks < ROUNDS) {
      const set = await opened.workspace.changeSet().catch((error: unknown) => {
        // Git refuses to look behind a link that stands in a folder's place: nothing is taken at all.
        if (error instanceof GitError) return undefined;
        if (!(error instanceof UnpublishableError)) throw error;
        seen.refused += error.findings.length;
        seen.looks += error.findings.length;
        return error.comparable;
      });
      if (set === undefined) {
        seen.refused++;
        continue;
      }
      seen.looks += set.changes.length;
      for (const [id, bytes] of set.blobs) {
        if (Buffer.from(bytes).includes(SECRET)) seen.leaks++;
        expect(blobId(bytes)).toBe(id);
      }
      if (set.changes.some(({ after }) => after !== undefined)) seen.judged += await judgedAsSent(set);
    }
  } finally {
    swapper.kill("SIGKILL");
  }
  expect(seen.leaks).toBe(0);
  // The race was one: things were found in the wrong state, and things were taken.
  expect(seen.refused).toBeGreaterThan(100);
  expect(seen.judged).toBeGreaterThan(100);
});

/** Judges a change set while its bytes are changed under the gate; answers 1 when each file was scanned exactly as it would be sent. */
async function judgedAsSent(set: ChangeSet): Promise<number> {
  const scanned = new Map<string, string>();
  const recorder: GateRule = {
    name: "recorder",
    applies: ["commit"],
    check: (judged) => {
      for (const { path, after } of filesOf(judged)) if (after?.bytes !== undefined) scanned.set(path, digest(after.bytes));
      return [];
    },
  };
  const judging = gateWith({ rules: [recorder] }).judge(commit(undefined, { changes: set }), run);
  for (const bytes of set.blobs.values()) bytes.fill(0x21);
  const judgement = await judging;
  if (!("operation" in judgement) || judgement.operation.kind !== "commit") throw new TypeError(JSON.stringify(judgement));
  const { changes, blobs } = judgement.operation.changes;
  for (const { path, after } of changes) {
    const bytes = after && blobs.get(after.sha);
    if (bytes === undefined) continue;
    expect(scanned.get(path)).toBe(digest(bytes));
    expect(blobId(bytes)).toBe(after?.sha);
  }
  return 1;
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
