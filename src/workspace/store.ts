import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SallyportError } from "../core/errors.ts";
import { fetchError } from "./fetch-error.ts";
import { findProgram } from "./find-program.ts";
import { GitError } from "./git-error.ts";
import type { Git, GitCall } from "./git.ts";
import { isObjectId } from "./object-id.ts";
import { openStoreLock, type StoreLock } from "./store-lock.ts";
import { removeStore, tendStores, touch, type StoreLimits, type Tended, type Upkeep } from "./store-upkeep.ts";

/** Where a store's commits come from. The token is asked for at each fetch, since it lives an hour and a run may live longer. */
export interface Remote {
  /** `https:` (or `http:`), without user, query and fragment. */
  readonly url: string;
  /** Undefined where the remote asks for none. */
  readonly token: () => Promise<string | undefined>;
}

/** A commit that is whole in the store: its tree and all blobs are there. */
export interface StoredCommit {
  readonly commit: string;
  readonly tree: string;
}

export interface FetchRequest {
  readonly remote: Remote;
  /** 40 hex digits. */
  readonly sha: string;
  readonly signal?: AbortSignal | undefined;
}

/** The bare store of one repository. */
export interface Store {
  readonly git: Git;
  /** Absolute path. Its configuration, references and objects hold no secret. */
  readonly gitDir: string;
  /**
   * Brings one commit, without history, and pins it as `refs/runs/<sha>`. What is already there is not asked for again.
   * @throws {FetchError} with a code that tells a missing commit, a missing repository, refused credentials and an unreachable host apart.
   */
  fetchCommit(request: FetchRequest): Promise<StoredCommit>;
  /**
   * Brings several commits in one fetch, each with so many generations of history, and pins them. What is already there is not asked for again,
   * with however little history it stands. @throws {FetchError} as `fetchCommit` does.
   */
  fetchCommits(request: Omit<FetchRequest, "sha"> & { readonly shas: readonly string[]; readonly generations: number }): Promise<void>;
  /** Brings `more` further generations of the history of a pinned commit, and of others in the same fetch, or all of it. @throws {FetchError} */
  deepen(request: FetchRequest & { readonly more: number | "all"; readonly beside?: readonly string[] }): Promise<void>;
  /** Absent where the store is somebody else's. */
  readonly keeping?: StoreKeeping;
}

/** What may be done with a store that is the product's own. */
export interface StoreKeeping {
  /** Keeps a commit, and with it the store, until it is disposed. */
  hold(sha: string): Disposable;
  /** Sets everything aside, since something in it is broken, and begins anew: the next fetch brings what it needs. */
  renew(): Promise<void>;
}

export interface Stores {
  /** The store of a repository by its numeric id (names change); made when it is not there. */
  open(repositoryId: number): Promise<Store>;
  /** Deletes a repository's store, whoever uses it. */
  remove(repositoryId: number): Promise<void>;
  /** Makes room: see {@link tendStores}. To be called at the start and every hour. */
  tend(limits?: StoreLimits): Promise<Upkeep>;
}

const FETCH_TIMEOUT_MS = 10 * 60_000;

/** Everything by which git would change a file's bytes, or leave it out, on its way from a tree. */
const ATTRIBUTES = "* -text -eol -ident -filter -export-subst -export-ignore -working-tree-encoding\n";

/** Flaws of old history that hosts accept and that harm nobody; with them refused, many repositories could not be fetched at all. */
const HARMLESS = ["zeroPaddedFilemode", "missingSpaceBeforeDate", "badTimezone", "missingNameBeforeEmail", "missingEmail"] as const;

/** All stores below one data folder. */
export function openStores({ git, folder, path }: { readonly git: Git; readonly folder: string; readonly path: string }): Stores {
  const open = new Map<number, Promise<OpenStore>>();
  const gitDirOf = (repositoryId: number): string => {
    if (!Number.isSafeInteger(repositoryId) || repositoryId < 0) {
      throw new SallyportError(`${repositoryId} is no repository id.`, { code: "bad-repository-id" });
    }
    return join(folder, `${repositoryId}.git`);
  };
  return {
    open(repositoryId) {
      const known = open.get(repositoryId);
      if (known !== undefined) return known;
      const opened = openStore(git, gitDirOf(repositoryId), path);
      open.set(repositoryId, opened);
      // A failure (a full disk) must not be remembered for ever.
      opened.catch(() => open.delete(repositoryId));
      return opened;
    },
    async remove(repositoryId) {
      open.delete(repositoryId);
      const gitDir = gitDirOf(repositoryId);
      await removeStore(gitDir, await lockOf(gitDir, path), "evicted-");
      await rm(`${gitDir}.lock`, { force: true });
    },
    tend: (limits = {}) => {
      const tended = async (id: number): Promise<Tended> => {
        const gitDir = gitDirOf(id);
        const store = await open.get(id)?.catch(() => undefined);
        return { id, gitDir, lock: store?.lock ?? (await lockOf(gitDir, path)), held: new Set(store?.held.keys()) };
      };
      return tendStores(git, folder, tended, limits);
    },
  };
}

async function lockOf(gitDir: string, path: string): Promise<StoreLock> {
  return openStoreLock({ gitDir, flock: await findProgram("flock", path) });
}

/** A store with what its upkeep must know. */
interface OpenStore extends Store {
  readonly lock: StoreLock;
  /** How many hold each commit. */
  readonly held: ReadonlyMap<string, number>;
}

async function openStore(git: Git, gitDir: string, path: string): Promise<OpenStore> {
  await create(git, gitDir);
  const lock = await lockOf(gitDir, path);
  const held = new Map<string, number>();

  const known = async (rev: string, signal?: AbortSignal): Promise<string | undefined> => {
    const args = ["rev-parse", "--quiet", "--verify", rev];
    const out = (await git.text(args, { gitDir, exitCodes: [0, 1, 128], signal })).trim();
    return isObjectId(out) ? out : undefined;
  };

  const fetch = async ({ remote, sha, signal }: FetchRequest, depth: string, beside: readonly string[] = []): Promise<void> => {
    const call: GitCall = { gitDir, timeoutMs: FETCH_TIMEOUT_MS, under: lock.under, signal, ...(await wire(remote)) };
    const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance"];
    const args = ["fetch", ...quiet, depth, "--", remote.url, ...[sha, ...beside].map((one) => `+${one}:${pinOf(one)}`)];
    try {
      await git.run(args, call).catch(async (error: unknown) => {
        if (!isLockLeftover(error) || !(await lock.clearStale())) throw error;
        return git.run(args, call);
      });
    } catch (error) {
      throw error instanceof GitError ? fetchError(error, remote.url, sha) : error;
    }
  };

  /** Those of the commits that are not pinned, and whether they are there all the same: one git answers for all. */
  const unpinned = async (shas: readonly string[], signal?: AbortSignal) => {
    const strange = shas.find((sha) => !isObjectId(sha));
    if (strange !== undefined) throw new SallyportError(`${JSON.stringify(strange)} is no full commit id.`, { code: "bad-commit-id" });
    const input = Buffer.from([...new Set(shas)].map((sha) => `${pinOf(sha)}^{tree}\n${sha}^{commit}\n`).join(""));
    const lines = (await git.text(["cat-file", "--batch-check"], { gitDir, input, signal })).split("\n");
    return [...new Set(shas)].flatMap((sha, at) =>
      / tree \d+$/.test(lines[2 * at] ?? "") ? [] : [{ sha, isThere: / commit \d+$/.test(lines[2 * at + 1] ?? "") }],
    );
  };

  /** An object can be there without its parts only when a fetch lied; it is looked through before it is trusted. */
  const pinHeld = async (sha: string, signal?: AbortSignal): Promise<boolean> => {
    if ((await known(`${sha}^{commit}`, signal)) !== sha) return false;
    const whole = await git.run(["rev-list", "--objects", "--max-count=1", "--quiet", sha], { gitDir, signal }).then(
      () => true,
      () => false,
    );
    if (whole) await git.run(["update-ref", pinOf(sha), sha], { gitDir, signal });
    return whole;
  };

  return {
    git,
    gitDir,
    lock,
    held,
    keeping: {
      hold(sha) {
        held.set(sha, (held.get(sha) ?? 0) + 1);
        return {
          [Symbol.dispose]() {
            const left = (held.get(sha) ?? 1) - 1;
            if (left > 0) held.set(sha, left);
            else held.delete(sha);
          },
        };
      },
      renew: () =>
        lock.inTurn(async () => {
          await removeStore(gitDir, lock, "broken-");
          await create(git, gitDir);
        }),
    },
    async fetchCommit(request) {
      const { sha, signal } = request;
      if (!isObjectId(sha)) throw new SallyportError(`${JSON.stringify(sha)} is no full commit id.`, { code: "bad-commit-id" });
      const pinned = `${pinOf(sha)}^{tree}`;
      // Another process may have evicted it since it was opened.
      await create(git, gitDir);
      await touch(gitDir, sha);
      const there = await known(pinned, signal);
      if (there !== undefined) return { commit: sha, tree: there };
      return lock.inTurn(async () => {
        // Another run may have brought it while this one waited.
        const held = (await known(pinned, signal)) !== undefined || (await pinHeld(sha, signal));
        if (!held) await fetch(request, "--depth=1");
        const tree = await known(pinned, signal);
        if (tree === undefined) throw new SallyportError(`${sha} is not a commit.`, { code: "commit-missing" });
        return { commit: sha, tree };
      });
    },
    async fetchCommits({ shas, generations, ...request }) {
      await create(git, gitDir);
      for (const sha of shas) await touch(gitDir, sha);
      if ((await unpinned(shas, request.signal)).length === 0) return;
      await lock.inTurn(async () => {
        const wanted: string[] = [];
        for (const { sha, isThere } of await unpinned(shas, request.signal))
          if (!isThere || !(await pinHeld(sha, request.signal))) wanted.push(sha);
        const [first, ...beside] = wanted;
        if (first === undefined) return;
        const depth = `--depth=${generations}`;
        await fetch({ ...request, sha: first }, depth, beside).catch(async (error: unknown) => {
          if (beside.length === 0) throw error;
          // One by one it is told which of them cannot be had.
          for (const sha of wanted) await fetch({ ...request, sha }, depth);
        });
      });
    },
    deepen: (request) =>
      lock.inTurn(() => fetch(request, request.more === "all" ? "--unshallow" : `--deepen=${request.more}`, request.beside)),
  };
}

const pinOf = (sha: string): string => `refs/runs/${sha}`;

function isLockLeftover(error: unknown): boolean {
  return error instanceof GitError && /Unable to create '.*\.lock': File exists|cannot lock ref/i.test(error.stderr);
}

/** How one fetch speaks: one protocol, no redirects, and the token as a header for this origin alone, in the environment of this one git. */
async function wire(remote: Remote): Promise<Pick<GitCall, "config" | "protocol" | "secrets">> {
  const url = URL.parse(remote.url);
  const plain = url !== null && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!plain || (url.protocol !== "https:" && url.protocol !== "http:")) {
    const hint = "Use an https address without user, query and fragment; tokens are sent in a header.";
    throw new SallyportError("The remote's address cannot be used for a fetch.", { code: "bad-remote", hint });
  }
  const token = await remote.token();
  const basic = token === undefined ? undefined : Buffer.from(`x-access-token:${token}`).toString("base64");
  return {
    protocol: url.protocol === "https:" ? "https" : "http",
    secrets: token === undefined || basic === undefined ? [] : [token, basic],
    config: [
      ["http.followRedirects", "false"],
      ["http.lowSpeedLimit", "1000"],
      ["http.lowSpeedTime", "30"],
      ["transfer.fsckObjects", "true"],
      ["fetch.fsckObjects", "true"],
      ...HARMLESS.map((flaw) => [`fetch.fsck.${flaw}`, "ignore"] as const),
      // Whole packs only: a killed fetch must not leave a commit without its tree.
      ["fetch.unpackLimit", "1"],
      ["transfer.unpackLimit", "1"],
      ...(basic === undefined ? [] : [[`http.${url.origin}/.extraHeader`, `Authorization: Basic ${basic}`] as const]),
    ],
  };
}

async function create(git: Git, gitDir: string): Promise<void> {
  const exists = await stat(join(gitDir, "HEAD")).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const parent = join(gitDir, "..");
  await mkdir(parent, { recursive: true, mode: 0o700 });
  // Made aside and renamed, so that a half-made store is never found.
  const aside = await mkdtemp(join(parent, "new-store-"));
  try {
    await git.run(["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=none", aside]);
    await mkdir(join(aside, "info"), { recursive: true });
    await writeFile(join(aside, "info", "attributes"), ATTRIBUTES);
    await rename(aside, gitDir);
  } catch (error) {
    const made = await stat(join(gitDir, "HEAD")).then(
      () => true,
      () => false,
    );
    if (!made) throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
