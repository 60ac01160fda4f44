import type { SnapshotEntry } from "../core/journal.ts";
import { UnpublishableError } from "../workspace/change-set.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { lastEntry, type RunContext } from "./run-context.ts";
import { contentOf, type Content } from "../workspace/content.ts";

/** Bytes of one file, and of all that one run stores, that the journal takes: the gate lets far less be published. */
const LARGEST_FILE = 16 * 1024 * 1024;
const ALL_FILES = 128 * 1024 * 1024;

/**
 * Stores the workspace after a turn, for whoever takes the run over or goes on after an approval; answers false, and stores nothing, when it is
 * as it was stored last. Bytes that are stored already are not sent again, and what is too large is named in the row instead.
 */
export async function takeSnapshot(
  { journal, log }: Pick<RunContext, "journal" | "log">,
  workspace: Pick<Workspace, "changeSet">,
  turn: number,
): Promise<boolean> {
  const content = await storableContent(workspace, (why) => log.warn({ turn, why }, "a part of the workspace cannot be stored"));
  const stored = storedSizes({ journal });
  const kept: SnapshotEntry[] = [];
  const tooLarge: string[] = [];
  const fresh = new Map<string, Uint8Array>();
  let total = [...stored.values()].reduce((sum, size) => sum + size, 0);
  for (const entry of content.entries) {
    const bytes = entry.blob === undefined || stored.has(entry.blob) || fresh.has(entry.blob) ? undefined : content.blobs.get(entry.blob);
    const size = bytes?.length ?? 0;
    if (size > LARGEST_FILE || total + size > ALL_FILES) {
      tooLarge.push(entry.path);
      continue;
    }
    total += size;
    if (entry.blob !== undefined && bytes !== undefined) fresh.set(entry.blob, bytes);
    kept.push(entry);
  }
  const last = lastEntry(journal, "snapshot");
  if (JSON.stringify([kept, tooLarge]) === JSON.stringify([last?.entries ?? [], last?.tooLarge ?? []])) return false;
  if (tooLarge.length > 0) log.warn({ turn, files: tooLarge.length }, "files of the workspace are too large to be stored with the run");
  const sizes = Object.fromEntries([...fresh].map(([sha, { length }]) => [sha, length]));
  await journal.append(
    {
      kind: "snapshot",
      turn,
      entries: kept,
      ...(fresh.size === 0 ? {} : { sizes }),
      ...(tooLarge.length === 0 ? {} : { tooLarge }),
    },
    fresh,
  );
  return true;
}

/** The bytes of each blob that earlier snapshots of the run have stored. */
function storedSizes({ journal }: Pick<RunContext, "journal">): ReadonlyMap<string, number> {
  return new Map(journal.entries.flatMap((entry) => (entry.kind === "snapshot" ? Object.entries(entry.sizes ?? {}) : [])));
}

/** What no commit can hold (a pipe that a command left, say) is told when it is to be published; the rest of the work is kept all the same. */
async function storableContent(workspace: Pick<Workspace, "changeSet">, onRest: (why: string) => void): Promise<Content> {
  try {
    return await contentOf(workspace);
  } catch (error) {
    if (!(error instanceof UnpublishableError)) throw error;
    onRest(error.message);
    return contentOf({ changeSet: () => Promise.resolve(error.comparable) });
  }
}
