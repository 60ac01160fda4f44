import { diffFiles, type DiffFile } from "../git/diff.ts";
import { resolveCommit } from "../git/objects.ts";
import { runGit } from "../git/run-git.ts";
import { repositoryOf, takeId, timestamp, type Pull, type Repository, type World } from "../state.ts";
import { newIssue, type IssueOptions } from "./threads.ts";

export interface PullOptions extends IssueOptions {
  /** The branch that holds the change. */
  readonly head: string;
  /** Full name of the repository that holds it, when it is a fork. */
  readonly headRepository?: string;
  /** The default branch when absent. */
  readonly base?: string;
  readonly draft?: boolean;
}

/** Opens a pull request. No webhook is sent. */
export function openPull(world: World, named: string | Repository, options: PullOptions): Pull {
  const repository = repositoryOf(world, named);
  const source = options.headRepository === undefined ? repository : repositoryOf(world, options.headRepository);
  const base = options.base ?? repository.defaultBranch;
  const pull: Pull = {
    ...newIssue(world, repository, options),
    pullId: takeId(world),
    headRepository: source.fullName,
    headRef: options.head,
    headSha: commitAt(source, options.head),
    baseRef: base,
    baseSha: commitAt(repository, base),
    draft: options.draft ?? false,
    merged: false,
  };
  repository.issues.set(pull.number, pull);
  repository.pulls.set(pull.number, pull);
  keepHead(world, repository, pull);
  return pull;
}

/** Brings the open pull requests of a branch to its new tip; answers those that moved, with their repositories. */
export function followPush(world: World, source: Repository, branch: string): { repository: Repository; pull: Pull; before: string }[] {
  const moved: { repository: Repository; pull: Pull; before: string }[] = [];
  const sha = resolveCommit(source.gitDirectory, `refs/heads/${branch}`);
  if (sha === undefined) return moved;
  for (const repository of world.repositories.values()) {
    for (const pull of repository.pulls.values()) {
      if (pull.state !== "open" || pull.headRepository !== source.fullName || pull.headRef !== branch || pull.headSha === sha) continue;
      moved.push({ repository, pull, before: pull.headSha });
      pull.headSha = sha;
      pull.updatedAt = timestamp();
      keepHead(world, repository, pull);
    }
  }
  return moved;
}

/** The files that a pull request changes, as GitHub lists them. */
export function pullFiles(repository: Repository, pull: Pull): DiffFile[] {
  return cachedDiff(repository, pull.baseSha, pull.headSha);
}

export function cachedDiff(repository: Repository, base: string, head: string): DiffFile[] {
  const key = `${base}...${head}`;
  const known = repository.diffs.get(key);
  if (known) return known;
  const files = diffFiles(repository.gitDirectory, base, head);
  repository.diffs.set(key, files);
  return files;
}

/** GitHub keeps a pull request's head under `refs/pull/<number>/head`, also when it comes from a fork. */
function keepHead(world: World, repository: Repository, pull: Pull): void {
  const source = repositoryOf(world, pull.headRepository);
  const reference = `refs/pull/${pull.number}/head`;
  if (source === repository) runGit(repository.gitDirectory, ["update-ref", reference, pull.headSha]);
  else runGit(repository.gitDirectory, ["fetch", "-q", source.gitDirectory, `+${pull.headSha}:${reference}`]);
}

function commitAt(repository: Repository, branch: string): string {
  const sha = resolveCommit(repository.gitDirectory, `refs/heads/${branch}`);
  if (sha === undefined) throw new Error(`${repository.fullName} has no branch ${branch}.`);
  return sha;
}
