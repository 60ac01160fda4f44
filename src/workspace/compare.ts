import type { Remote, Store } from "./store.ts";

export interface CompareRequest {
  readonly store: Store;
  readonly remote: Remote;
  /** 40 hex digits each. */
  readonly base: string;
  readonly head: string;
  readonly signal?: AbortSignal | undefined;
}

export interface EndsRequest extends Pick<CompareRequest, "store" | "remote" | "signal"> {
  /** 40 hex digits each. */
  readonly shas: readonly string[];
}

/** What two commits differ in, as git prints it: UTF-8 decoded. */
export interface Comparison {
  /** Where the head's branch left the base's; absent when they have no commit in common, and the base itself was compared. */
  readonly mergeBase?: string;
  /** `--raw -z`: one entry for each file that differs. */
  readonly raw: string;
  /** `-p`: their patches, in the same order. */
  readonly patch: string;
  /** There are more of them than are read: the last one is not whole. */
  readonly isCut: boolean;
}

/** Generations of both sides that are brought while no common commit is found; then all of the history. */
const DEEPENINGS = [25, 200, 2000, "all"] as const;
/** Bytes: patches are cut off there, of the list of files nothing can be missing. */
const LONGEST_PATCH = 64 * 1024 * 1024;
const LONGEST_LIST = 256 * 1024 * 1024;
const TIMEOUT_MS = 5 * 60_000;
/** No program of the repository's runs, its attributes rewrite nothing, renames are found whatever their number. */
const PLAIN = ["-r", "-M", "-l0", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index"] as const;

/**
 * What a pull request changes: its head against the commit at which it left its base. Read from the bare store, so there is no limit of
 * 300 files or 20 000 lines, and no request to the API. @throws {FetchError} when a commit cannot be had.
 */
export async function compareCommits({ store, remote, base, head, signal }: CompareRequest): Promise<Comparison> {
  const mergeBase = await fetchMergeBase({ store, remote, base, head, signal });
  const { git, gitDir } = store;
  const ask = (maxBytes: number, cut: boolean, ...args: readonly string[]): Promise<Buffer> =>
    git.run(["diff-tree", ...PLAIN, ...args, mergeBase ?? base, head], { gitDir, signal, timeoutMs: TIMEOUT_MS, maxBytes, cut });
  const raw = await ask(LONGEST_LIST, false, "--raw", "-z");
  const patch = await ask(LONGEST_PATCH, true, "-p");
  const common = mergeBase === undefined ? {} : { mergeBase };
  return { ...common, raw: raw.toString("utf8"), patch: patch.toString("utf8"), isCut: patch.length >= LONGEST_PATCH };
}

/**
 * Brings both commits, and as much of their history as tells where the head's branch left the base's; undefined when they have no commit in
 * common. @throws {FetchError} when a commit cannot be had.
 */
export async function fetchMergeBase({ store, remote, base, head, signal }: CompareRequest): Promise<string | undefined> {
  await fetchEnds({ store, remote, shas: [base, head], signal });
  return findMergeBase({ store, remote, base, head, signal });
}

/**
 * Brings commits of a pull request in one fetch, with so much history that mostly nothing has to be asked for a second time: branches leave
 * their base a few commits ago. @throws {FetchError} when one cannot be had.
 */
export async function fetchEnds({ store, remote, shas, signal }: EndsRequest): Promise<void> {
  await store.fetchCommits({ remote, shas, generations: DEEPENINGS[0] + 1, signal });
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
    await store.deepen({ remote, sha: head, beside: [base], more, signal });
  }
  return look();
}
