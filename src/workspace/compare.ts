import type { Remote, Store } from "./store.ts";

export interface CompareRequest {
  readonly store: Store;
  readonly remote: Remote;
  /** 40 hex digits each. */
  readonly base: string;
  readonly head: string;
  readonly signal?: AbortSignal | undefined;
}

/** What two commits differ in, as git prints it: UTF-8 decoded. */
export interface Comparison {
  /** Where the head's branch left the base's; absent when they have no commit in common, and the base itself was compared. */
  readonly mergeBase?: string;
  /** `--raw -z`: one entry for each file that differs. */
  readonly raw: string;
  /** `-p`: their patches, in the same order; cut off after `LONGEST_PATCH` bytes. */
  readonly patch: string;
}

/** Generations of both sides that are brought while no common commit is found; then all of the history. */
const DEEPENINGS = [25, 200, 2000, "all"] as const;
const LONGEST_PATCH = 64 * 1024 * 1024;
/** No program of the repository's runs, its attributes rewrite nothing, renames are found whatever their number. */
const PLAIN = ["-r", "-M", "-l0", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"] as const;

/**
 * What a pull request changes: its head against the commit at which it left its base. Read from the bare store, so there is no limit of
 * 300 files or 20 000 lines, and no request to the API. @throws {FetchError} when a commit cannot be had.
 */
export async function compareCommits({ store, remote, base, head, signal }: CompareRequest): Promise<Comparison> {
  await store.fetchCommit({ remote, sha: base, signal });
  await store.fetchCommit({ remote, sha: head, signal });
  const mergeBase = await findMergeBase({ store, remote, base, head, signal });
  const { git, gitDir } = store;
  const ask = async (...args: readonly string[]): Promise<string> => {
    const call = { gitDir, signal, maxBytes: LONGEST_PATCH, cut: true };
    return (await git.run(["diff-tree", ...PLAIN, ...args, mergeBase ?? base, head], call)).toString("utf8");
  };
  const raw = await ask("--raw", "-z");
  const patch = await ask("-p");
  return { ...(mergeBase === undefined ? {} : { mergeBase }), raw, patch };
}

async function findMergeBase({ store, remote, base, head, signal }: CompareRequest): Promise<string | undefined> {
  const { git, gitDir } = store;
  const look = async (): Promise<string | undefined> => {
    const found = (await git.text(["merge-base", base, head], { gitDir, exitCodes: [0, 1], signal })).trim();
    return found === "" ? undefined : found;
  };
  for (const more of DEEPENINGS) {
    const found = await look();
    if (found !== undefined) return found;
    if ((await git.text(["rev-parse", "--is-shallow-repository"], { gitDir })).trim() !== "true") return undefined;
    await store.deepen({ remote, sha: head, more, signal });
    // Deepening all of one side brings all of the other as well.
    if (more !== "all") await store.deepen({ remote, sha: base, more, signal });
  }
  return look();
}
