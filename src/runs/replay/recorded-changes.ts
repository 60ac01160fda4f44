import type { ChangeSet } from "../../core/change-set.ts";
import type { JournalEntry } from "../../core/journal.ts";
import type { Decision } from "../../core/result.ts";
import { changeSetOf } from "../../workspace/change-set.ts";
import type { KeptBase } from "../../workspace/kept-bases.ts";
import { rawOf, resultingTree, type TreeFile } from "../../workspace/tree.ts";
import { changesSince } from "../changes-since.ts";

/** A change that the gate has judged, as it was then. */
export interface RecordedChange {
  readonly key: string;
  readonly operation: "commit" | "open-pull-request";
  readonly was: Decision;
  /** People let it through afterwards. */
  readonly approved: boolean;
  readonly changes: ChangeSet;
}
/** One that cannot be put together again, and why. */
export interface LostChange {
  readonly key: string;
  readonly was: Decision;
  readonly why: string;
}

type Entry<K extends JournalEntry["kind"]> = Extract<JournalEntry, { kind: K }>;
type Blobs = (shas: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

const KEY = /^publish-(\d+)-([0-9a-f]{12})$/;

/**
 * The changes of a run that the gate has judged, each put together from the snapshot that has the tree which its submission names, against the base
 * as it is kept. `blobs` are those of the run's journal.
 */
export async function recordedChanges(
  entries: readonly JournalEntry[],
  base: KeptBase,
  blobs: Blobs,
): Promise<readonly (RecordedChange | LostChange)[]> {
  const found: (RecordedChange | LostChange)[] = [];
  for (const { key, was, approved, operation } of submissions(entries)) {
    const lost = (why: string): void => void found.push({ key, was, why });
    const [, times, tree] = KEY.exec(key) ?? [];
    if (times === undefined || tree === undefined) lost("it was judged under a key of an older release");
    else if (entries.some((entry) => entry.kind === "replayed" && entry.key === key)) {
      lost("it was replayed on a commit of which nothing is kept");
    } else {
      const changes = await changeOf(entries, { base, blobs, times: Number(times), tree });
      if (typeof changes === "string") lost(changes);
      else found.push({ key, operation, was, approved, changes });
    }
  }
  return found;
}

/** What was submitted, once each, with the first verdict: a second one comes of people's answer. */
export function submissions(entries: readonly JournalEntry[]) {
  const all = new Map<string, { key: string; operation: RecordedChange["operation"]; was: Decision; approved: boolean }>();
  for (const entry of entries) {
    if (entry.kind !== "decision" || (entry.operation !== "commit" && entry.operation !== "open-pull-request")) continue;
    const earlier = all.get(entry.key);
    if (earlier === undefined) all.set(entry.key, { key: entry.key, operation: entry.operation, was: entry.decision, approved: false });
    else if (entry.decision.verdict === "allow" && earlier.was.verdict === "ask") earlier.approved = true;
  }
  return [...all.values()];
}

async function changeOf(
  entries: readonly JournalEntry[],
  { base, blobs, times, tree }: { readonly base: KeptBase; readonly blobs: Blobs; readonly times: number; readonly tree: string },
): Promise<ChangeSet | string> {
  const snapshots = entries.filter((entry): entry is Entry<"snapshot"> => entry.kind === "snapshot");
  const sizes = new Map(snapshots.flatMap((snapshot) => Object.entries(snapshot.sizes ?? {})));
  const inBase = new Map([...base.tree.files.values()].map(({ sha, size }) => [sha, size]));
  const sizeOf = (sha: string): number => sizes.get(sha) ?? inBase.get(sha) ?? 0;
  const after = snapshots
    .toReversed()
    .map((snapshot) => afterOf(snapshot, sizeOf))
    .find((one) => resultingTree(base.tree, one).startsWith(tree));
  if (after === undefined) {
    const large = snapshots.some(({ tooLarge = [] }) => tooLarge.length > 0);
    return large ? "some of its files were too large to be recorded" : "no recorded state of the workspace has its tree";
  }
  const wanted = [...after.values()].flatMap((file) => (file === undefined || file.mode === "160000" ? [] : [file.sha]));
  const recorded = await blobs(wanted);
  const rest = await base.blobs(wanted.filter((sha) => !recorded.has(sha) && inBase.has(sha)));
  if (wanted.some((sha) => !recorded.has(sha) && !rest.has(sha))) return "the bytes of some of its files are not kept";
  const { git, gitDir, commit } = base;
  const at = { git, gitDir, commit, tree: base.tree, oldBlobs: base.blobs };
  const { changes } = await changeSetOf(at, after, new Map([...recorded, ...rest]));
  const earlier = entries.filter((entry): entry is Entry<"published"> => entry.kind === "published")[times - 1];
  if (earlier === undefined) return times === 0 ? changes : "what it builds on is not recorded";
  const pinned = async (sha: string): Promise<Uint8Array> => (await base.blobs([sha])).get(sha) ?? new Uint8Array();
  return changesSince(earlier, changes, { pinned, published: async (sha) => (await blobs([sha])).get(sha) });
}

function afterOf({ entries }: Entry<"snapshot">, sizeOf: (sha: string) => number): ReadonlyMap<string, TreeFile | undefined> {
  return new Map(
    entries.map(({ path, mode, blob }): [string, TreeFile | undefined] => [
      rawOf(path),
      mode === undefined || blob === undefined ? undefined : { mode, sha: blob, size: sizeOf(blob) },
    ]),
  );
}
