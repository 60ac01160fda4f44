import { ApiError, emptyRepository, notFound } from "../api-error.ts";
import { resolveCommit } from "../git/objects.ts";
import { gitLines, gitText, tryGit } from "../git/run-git.ts";
import { page } from "../paginate.ts";
import { commitPayload, diffEntryPayload } from "../payloads/commit.ts";
import { simplePullPayload } from "../payloads/pull.ts";
import { ok, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { cachedDiff } from "../seed/pulls.ts";
import { branches } from "../seed/repositories.ts";
import { apiUrl, webUrl } from "../urls.ts";

const MOST_COMPARED_FILES = 300;
const MOST_COMPARED_COMMITS = 250;

export const COMMIT_ROUTES = [
  repositoryRoute("GET /commits", ["contents"], (call) => {
    const { world, repository, query } = call;
    const start = commitAt(call, query["sha"] ?? repository.defaultBranch);
    const limits = [...(query["since"] ? [`--since=${query["since"]}`] : []), ...(query["until"] ? [`--until=${query["until"]}`] : [])];
    const shas = gitLines(repository.gitDirectory, ["rev-list", ...limits, start, ...(query["path"] ? ["--", query["path"]] : [])]);
    return page(call, shas, (sha) => commitPayload(world, repository, sha));
  }),
  repositoryRoute("GET /commits/{commit_sha}/pulls", ["pull_requests"], (call) => {
    const { world, repository } = call;
    const sha = commitAt(call, call.params["commit_sha"] ?? "");
    const holding = [...repository.pulls.values()].filter((pull) =>
      gitLines(repository.gitDirectory, ["rev-list", `${pull.baseSha}..${pull.headSha}`]).includes(sha),
    );
    return page(call, holding, (pull) => simplePullPayload(world, repository, pull));
  }),
  repositoryRoute("GET /commits/{+ref}", ["contents"], showCommit),
  repositoryRoute("GET /compare/{+basehead}", ["contents"], compare),
];

/** The commit that a branch, tag or id names; 409 in an empty repository, 422 when there is none. */
export function commitAt({ world, repository }: RepositoryCall, ref: string): string {
  if (branches(world, repository).length === 0) throw emptyRepository();
  const sha = resolveCommit(repository.gitDirectory, `refs/heads/${ref}`) ?? resolveCommit(repository.gitDirectory, ref);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${ref}`);
  return sha;
}

function showCommit(call: RepositoryCall): Answer {
  const { world, repository, request } = call;
  const sha = commitAt(call, call.params["ref"] ?? "");
  if (/\bdiff\b/.test(request.accept)) return ok(gitText(repository.gitDirectory, ["show", "--format=", sha]));
  if (/\bsha\b/.test(request.accept)) return ok(sha);
  const parent = resolveCommit(repository.gitDirectory, `${sha}^`);
  const files = parent === undefined ? [] : cachedDiff(repository, parent, sha);
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return ok({
    ...commitPayload(world, repository, sha),
    stats: { additions, deletions, total: additions + deletions },
    files: files.map((file) => diffEntryPayload(world, repository, sha, file)),
  });
}

function compare(call: RepositoryCall): Answer {
  const { world, repository, request } = call;
  const [from, to] = (call.params["basehead"] ?? "").split("...");
  if (!from || !to) throw notFound();
  const base = commitAt(call, from);
  const head = commitAt(call, to);
  if (/\bdiff\b/.test(request.accept)) return ok(`${gitText(repository.gitDirectory, ["diff", "-M", `${base}...${head}`])}\n`);
  const merged = tryGit(repository.gitDirectory, ["merge-base", base, head])?.toString().trim();
  if (merged === undefined) throw new ApiError(404, `No common ancestor between ${from} and ${to}.`);
  const ahead = gitLines(repository.gitDirectory, ["rev-list", "--reverse", `${base}..${head}`]);
  const behind = gitLines(repository.gitDirectory, ["rev-list", `${head}..${base}`]).length;
  const web = webUrl(world, repository, `/compare/${from}...${to}`);
  return ok({
    url: apiUrl(world, repository, `/compare/${from}...${to}`),
    html_url: web,
    permalink_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: commitPayload(world, repository, base),
    merge_base_commit: commitPayload(world, repository, merged),
    status: statusOf(ahead.length, behind),
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: ahead.slice(0, MOST_COMPARED_COMMITS).map((sha) => commitPayload(world, repository, sha)),
    files: cachedDiff(repository, base, head)
      .slice(0, MOST_COMPARED_FILES)
      .map((file) => diffEntryPayload(world, repository, head, file)),
  });
}

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return "diverged";
  if (ahead > 0) return "ahead";
  return behind > 0 ? "behind" : "identical";
}
