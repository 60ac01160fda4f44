import { join } from "node:path";
import type { Journal } from "../src/core/journal.ts";
import { phaseResult } from "../src/runs/phase-results.ts";
import type { Store } from "../src/workspace/store.ts";

export interface PatchOptions {
  readonly journal: Journal;
  readonly store: Store;
  /** A folder of this process's own. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Bytes: more is no reading for people. */
const LONGEST_PATCH = 300_000;

/**
 * The work that GitHub did not take, as a patch against the commit that it began from; undefined where there is none. What the gate held back
 * is none: it is shown nowhere.
 */
export async function unpublishedPatch({ journal, store, folder, signal }: PatchOptions): Promise<string | undefined> {
  const pin = phaseResult(journal, "authorize")?.pin;
  const snapshot = journal.entries.findLast((entry) => entry.kind === "snapshot");
  const judged = journal.entries.findLast(
    (entry) => entry.kind === "decision" && (entry.operation === "open-pull-request" || entry.operation === "commit"),
  );
  const wasRefused = phaseResult(journal, "publish")?.status === "failed";
  if (!wasRefused || pin === undefined || snapshot?.kind !== "snapshot") return undefined;
  if (judged?.kind !== "decision" || judged.decision.verdict !== "allow") return undefined;
  const { git, gitDir } = store;
  const call = { gitDir, signal, env: { GIT_INDEX_FILE: join(folder, "patch-index") } };
  await git.run(["read-tree", pin.commit], call);
  const lines: string[] = [];
  for (const { path, mode, blob } of snapshot.entries) {
    const bytes = blob === undefined ? undefined : await journal.blob(blob);
    if (bytes === undefined) lines.push(`0 ${"0".repeat(40)}\t${path}`);
    else {
      const sha = await git.text(["hash-object", "-w", "--no-filters", "--stdin"], { ...call, input: Buffer.from(bytes) });
      lines.push(`${mode ?? "100644"} ${sha.trim()}\t${path}`);
    }
  }
  await git.run(["update-index", "-z", "--index-info"], { ...call, input: Buffer.from(`${lines.join("\0")}\0`) });
  const tree = (await git.text(["write-tree"], call)).trim();
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];
  const patch = await git.run(["diff-tree", "-p", ...plain, pin.commit, tree], { ...call, maxBytes: LONGEST_PATCH, cut: true });
  return patch.toString("utf8").toWellFormed();
}
