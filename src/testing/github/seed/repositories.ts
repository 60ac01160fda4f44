import { join } from "node:path";
import { commitFiles, initBare, listTree, resolveCommit, type PushedFile, type Signature } from "../git/objects.ts";
import { listBranches } from "../git/references.ts";
import { runGit, tryGit } from "../git/run-git.ts";
import { repositoryOf, takeId, timestamp, type Repository, type Role, type World } from "../state.ts";
import { addUser } from "./accounts.ts";
import { followPush } from "./pulls.ts";

export type Files = Readonly<Record<string, PushedFile>>;

export interface RepositoryOptions {
  /** The first commit; without any the repository is empty. */
  readonly files?: Files;
  /** Login to role. Who is not named may read a public repository; the owner is admin. */
  readonly permissions?: Readonly<Record<string, Role>>;
  readonly isPrivate?: boolean;
  readonly defaultBranch?: string;
  readonly archived?: boolean;
  readonly ownerType?: "User" | "Organization";
  /** Whether the App is installed here; it is, when absent. */
  readonly installed?: boolean;
  readonly labels?: readonly string[];
  /** Whether code scanning is on; as on github.com, it is where the repository is public. */
  readonly codeScanning?: boolean;
}

/** Makes a repository with a real bare git repository under it. `fullName` is `owner/name`. */
export function addRepository(world: World, fullName: string, options: RepositoryOptions = {}): Repository {
  const { defaultBranch = "main", isPrivate = false, archived = false, installed = true } = options;
  const { codeScanning = !isPrivate } = options;
  const [owner, name, ...rest] = fullName.split("/");
  if (!owner || !name || rest.length > 0) throw new Error(`A repository's full name is owner/name, not ${JSON.stringify(fullName)}.`);
  if (world.repositories.has(fullName.toLowerCase())) throw new Error(`There is a repository ${fullName} already.`);
  addUser(world, owner, options.ownerType ?? "Organization");
  const roles = Object.entries(options.permissions ?? {});
  for (const [login] of roles) addUser(world, login);
  const repository: Repository = {
    id: takeId(world),
    owner,
    name,
    fullName,
    defaultBranch,
    isPrivate,
    archived,
    installed,
    createdAt: timestamp(),
    gitDirectory: join(world.directory, owner, `${name}.git`),
    permissions: new Map(roles.map(([login, role]) => [login.toLowerCase(), role])),
    protectedBranches: new Set<string>(),
    labels: new Map(),
    resolvedThreads: new Set(),
    reactions: [],
    diffs: new Map(),
    issues: new Map(),
    pulls: new Map(),
    comments: new Map(),
    reviewComments: new Map(),
    reviews: new Map(),
    checkRuns: new Map(),
    codeScanning,
    sarifUploads: [],
    workflowRuns: new Map(),
    workflowJobs: new Map(),
  };
  initBare(repository.gitDirectory, defaultBranch);
  for (const label of options.labels ?? []) addLabel(world, repository, label);
  if (options.files) {
    const sha = commitFiles(repository.gitDirectory, undefined, options.files, { message: "Initial commit" });
    runGit(repository.gitDirectory, ["update-ref", `refs/heads/${defaultBranch}`, sha]);
  }
  world.repositories.set(fullName.toLowerCase(), repository);
  return repository;
}

export function addLabel(world: World, named: string | Repository, name: string): void {
  repositoryOf(world, named).labels.set(name.toLowerCase(), { id: takeId(world), name, color: "ededed", description: "" });
}

export interface PushOptions {
  /** Where a new branch starts; the default branch when absent. */
  readonly from?: string;
  readonly message?: string;
  readonly author?: Signature;
}

/**
 * Commits files on a branch, as somebody's push would, and answers the commit's id. A path set to null is deleted;
 * `{content, mode}` sets the mode. Open pull requests of that branch follow. No webhook is sent.
 */
export function push(world: World, named: string | Repository, branch: string, files: Files, options: PushOptions = {}): string {
  const repository = repositoryOf(world, named);
  const { gitDirectory } = repository;
  const parent =
    resolveCommit(gitDirectory, `refs/heads/${branch}`) ?? resolveCommit(gitDirectory, options.from ?? repository.defaultBranch);
  const { message = "Change files", author } = options;
  const sha = commitFiles(gitDirectory, parent, files, { message, ...(author ? { author } : {}) });
  moveBranch(world, repository, branch, sha);
  return sha;
}

/** Points a branch at a commit, whatever it held: a forced push. */
export function moveBranch(world: World, named: string | Repository, branch: string, sha: string): void {
  const repository = repositoryOf(world, named);
  runGit(repository.gitDirectory, ["update-ref", `refs/heads/${branch}`, sha]);
  followPush(world, repository, branch);
}

/** Makes a tag on a branch's tip or another commit: a light one, or an object with a message. */
export function addTag(world: World, named: string | Repository, name: string, at?: string, message?: string): void {
  const repository = repositoryOf(world, named);
  const sha = resolveCommit(repository.gitDirectory, at ?? repository.defaultBranch);
  if (sha === undefined) throw new Error(`${repository.fullName} has no commit ${at ?? repository.defaultBranch}.`);
  runGit(repository.gitDirectory, ["tag", ...(message === undefined ? [] : ["-a", "-m", message]), name, sha]);
}

export function deleteBranch(world: World, named: string | Repository, branch: string): void {
  runGit(repositoryOf(world, named).gitDirectory, ["update-ref", "-d", `refs/heads/${branch}`]);
}

/** Protects a branch: nobody updates it but through `push` of this module, which stands for a merge. */
export function protect(world: World, named: string | Repository, branch: string): void {
  const repository = repositoryOf(world, named);
  repository.protectedBranches.add(branch);
  runGit(repository.gitDirectory, ["config", "--add", "receive.hideRefs", `refs/heads/${branch}`]);
}

/** The commit that a branch points at. */
export function tip(world: World, named: string | Repository, branch: string): string | undefined {
  return resolveCommit(repositoryOf(world, named).gitDirectory, `refs/heads/${branch}`);
}

export function branches(world: World, named: string | Repository): string[] {
  return listBranches(repositoryOf(world, named).gitDirectory);
}

/** The bytes of a file at a branch, tag or commit. */
export function bytesAt(world: World, named: string | Repository, ref: string, path: string): Buffer | undefined {
  return tryGit(repositoryOf(world, named).gitDirectory, ["cat-file", "blob", `${ref}:${path}`]);
}

/** As `bytesAt`, as UTF-8 text. */
export function fileAt(world: World, named: string | Repository, ref: string, path: string): string | undefined {
  return bytesAt(world, named, ref, path)?.toString();
}

/** A path's mode in git's octal writing, `100755`. */
export function modeAt(world: World, named: string | Repository, ref: string, path: string): string | undefined {
  return listTree(repositoryOf(world, named).gitDirectory, ref, true)?.find((entry) => entry.path === path)?.mode;
}

/** Gives a repository another name, and its old one to whoever takes it: the old address answers 404, without GitHub's redirect. */
export function renameRepository(world: World, named: string | Repository, fullName: string): Repository {
  const repository = repositoryOf(world, named);
  const [owner = "", name = ""] = fullName.split("/");
  world.repositories.delete(repository.fullName.toLowerCase());
  const renamed = Object.assign(repository, { owner, name, fullName });
  world.repositories.set(fullName.toLowerCase(), renamed);
  return renamed;
}
