import { gitText } from "../git/run-git.ts";
import { pullFiles } from "../seed/pulls.ts";
import { repositoryOf, type Pull, type Repository, type World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { userPayload } from "./account.ts";
import { issuePayload } from "./issue.ts";
import { repositoryPayload } from "./repository.ts";

/** A `pull-request-simple`, as lists hold it. */
export function simplePullPayload(world: World, repository: Repository, pull: Pull) {
  const { number } = pull;
  const api = apiUrl(world, repository, `/pulls/${number}`);
  const web = webUrl(world, repository, `/pull/${number}`);
  const issue = issuePayload(world, repository, pull);
  const issueUrl = apiUrl(world, repository, `/issues/${number}`);
  const statuses = apiUrl(world, repository, `/statuses/${pull.headSha}`);
  const addresses = { self: api, html: web, issue: issueUrl, comments: `${issueUrl}/comments`, commits: `${api}/commits`, statuses };
  const reviewComments = { review_comments: `${api}/comments`, review_comment: apiUrl(world, repository, "/pulls/comments{/number}") };
  return {
    number,
    title: pull.title,
    body: pull.body,
    user: issue.user,
    labels: issue.labels,
    state: pull.state,
    locked: pull.locked,
    active_lock_reason: null,
    assignee: issue.assignee,
    assignees: issue.assignees,
    milestone: null,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    author_association: issue.author_association,
    id: pull.pullId,
    node_id: nodeId("PullRequest", pull.pullId),
    url: api,
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    issue_url: issueUrl,
    commits_url: addresses.commits,
    comments_url: addresses.comments,
    review_comments_url: reviewComments.review_comments,
    review_comment_url: reviewComments.review_comment,
    statuses_url: statuses,
    draft: pull.draft,
    merge_commit_sha: null,
    merged_at: null,
    auto_merge: null,
    requested_reviewers: [],
    requested_teams: [],
    head: endPayload(world, pull.headRepository, pull.headRef, pull.headSha),
    base: endPayload(world, repository.fullName, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries({ ...addresses, ...reviewComments }).map(([name, href]) => [name, { href }])),
  };
}

/** A `pull-request`, with what takes a look at the difference. */
export function pullPayload(world: World, repository: Repository, pull: Pull) {
  const files = pullFiles(repository, pull);
  const { number } = pull;
  return {
    ...simplePullPayload(world, repository, pull),
    merged: pull.merged,
    mergeable: true,
    rebaseable: true,
    mergeable_state: "clean",
    merged_by: null,
    maintainer_can_modify: false,
    comments: [...repository.comments.values()].filter((comment) => comment.number === number).length,
    review_comments: [...repository.reviewComments.values()].filter((comment) => comment.number === number).length,
    commits: Number(gitText(repository.gitDirectory, ["rev-list", "--count", `${pull.baseSha}..${pull.headSha}`])),
    changed_files: files.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

function endPayload(world: World, fullName: string, ref: string, sha: string) {
  const owner = fullName.split("/")[0] ?? "";
  const repo = world.repositories.has(fullName.toLowerCase()) ? repositoryPayload(world, repositoryOf(world, fullName)) : null;
  return { label: `${owner}:${ref}`, ref, sha, user: userPayload(world, owner), repo };
}

/** A `pull-request-minimal`, as check runs name their pull requests. */
export function minimalPullPayload(world: World, repository: Repository, pull: Pull) {
  const repo = { id: repository.id, name: repository.name, url: apiUrl(world, repository) };
  return {
    id: pull.pullId,
    number: pull.number,
    url: apiUrl(world, repository, `/pulls/${pull.number}`),
    head: { ref: pull.headRef, sha: pull.headSha, repo },
    base: { ref: pull.baseRef, sha: pull.baseSha, repo },
  };
}
