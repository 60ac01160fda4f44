import { closeSync, constants, fchmodSync, mkdirSync, openSync, symlinkSync, unlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { FileMode } from "../core/change-set.ts";
import { SallyportError } from "../core/errors.ts";
import type { SnapshotEntry } from "../core/journal.ts";
import { judgePath } from "../core/repository-path.ts";
import { openRoot } from "./folder.ts";
import { locate } from "./locate.ts";
import { objectId } from "./object-id.ts";
import { writeAll } from "./unpack.ts";

/** Entries after which others have their turn: thousands of files must not keep the process from saying that it lives. */
const AT_ONCE = 100;

/** Brings paths to what a snapshot says: deletions first, so that a file can stand where a folder was. */
export async function restoreEntries(
  directory: string,
  entries: readonly SnapshotEntry[],
  blob: (sha: string) => Promise<Uint8Array | undefined>,
  remove: (path: string) => void,
): Promise<void> {
  for (const [index, { path }] of entries.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const verdict = judgePath(path);
    if (!verdict.ok) throw new SallyportError(`The snapshot names a path that is refused: ${verdict.why}.`, { code: "bad-snapshot" });
    remove(path);
  }
  for (const [index, { path, mode, blob: sha }] of entries.entries()) {
    if (sha === undefined) continue;
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const bytes = mode === "160000" ? new Uint8Array() : await blob(sha);
    if (bytes === undefined || (mode !== "160000" && objectId("blob", bytes) !== sha)) {
      throw new SallyportError(`The bytes of ${JSON.stringify(path)} in the snapshot are gone or damaged.`, { code: "bad-snapshot" });
    }
    place(directory, path, mode ?? "100644", bytes);
  }
}

function place(directory: string, path: string, mode: FileMode, bytes: Uint8Array): void {
  using root = openRoot(directory);
  const found = locate(root, path, { create: true, exact: true });
  if (found.status !== "free") {
    if (found.status === "there") found.folder[Symbol.dispose]();
    throw new SallyportError(`${JSON.stringify(path)} of the snapshot cannot be placed.`, { code: "bad-snapshot" });
  }
  using folder = found.folder;
  const target = folder.at(found.name);
  if (mode === "160000") return mkdirSync(target);
  if (mode === "120000") return symlinkSync(Buffer.from(bytes), target);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const permissions = mode === "100755" ? 0o755 : 0o644;
  const descriptor = openSync(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, permissions);
  try {
    writeAll(descriptor, bytes);
    fchmodSync(descriptor, permissions);
  } catch (error) {
    unlinkSync(target);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return undefined;
}
