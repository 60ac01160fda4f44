import { ApiError, invalid, LONGEST_BODY, tooLong } from "../api-error.ts";
import { optionalText, optionalWord, requiredText } from "../fields.ts";
import { resolveCommit } from "../git/objects.ts";
import { gitLines, gitText, tryGit } from "../git/run-git.ts";
import { page } from "../paginate.ts";
import { commitPayload, diffEntryPayload } from "../payloads/commit.ts";
import { pullPayload, simplePullPayload } from "../payloads/pull.ts";
import { created, numberIn, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { openPull, pullFiles } from "../seed/pulls.ts";
import { timestamp, type Pull, type Repository, type World } from "../state.ts";
import { announce } from "../webhooks/announce.ts";
import { pullRequestEvent } from "../webhooks/events.ts";
import { setState } from "./issues.ts";

const MOST_LISTED_FILES = 3000;
const MOST_DIFFED_FILES = 300;

export const PULL_ROUTES = [
  repositoryRoute("GET /pulls", ["pull_requests"], (call) =>
    page(call, listed(call), (pull) => simplePullPayload(call.world, call.repository, pull)),
  ),
  repositoryRoute("POST /pulls", ["pull_requests"], createPull),
  repositoryRoute("GET /pulls/{pull_number}", ["pull_requests"], showPull),
  repositoryRoute("PATCH /pulls/{pull_number}", ["pull_requests"], editPull),
  repositoryRoute("GET /pulls/{pull_number}/files", ["pull_requests"], (call) => {
    const pull = pullIn(call);
    const files = pullFiles(call.repository, pull).slice(0, MOST_LISTED_FILES);
    return page(call, files, (file) => diffEntryPayload(call.world, call.repository, pull.headSha, file));
  }),
  repositoryRoute("GET /pulls/{pull_number}/commits", ["pull_requests"], (call) => {
    const pull = pullIn(call);
    const shas = gitLines(call.repository.gitDirectory, ["rev-list", "--reverse", `${pull.baseSha}..${pull.headSha}`]);
    return page(call, shas, (sha) => commitPayload(call.world, call.repository, sha));
  }),
];

export function pullIn(call: RepositoryCall): Pull {
  return present(call.repository.pulls.get(numberIn(call, "pull_number")));
}

function listed({ repository, query }: RepositoryCall): Pull[] {
  const { state = "open", head, base } = query;
  const pulls = [...repository.pulls.values()].filter(
    (pull) =>
      (state === "all" || pull.state === state) &&
      (head === undefined || !head.includes(":") || head === `${pull.headRepository.split("/")[0]}:${pull.headRef}`) &&
      (base === undefined || base === pull.baseRef),
  );
  return query["direction"] === "asc" ? pulls : pulls.reverse();
}

function showPull(call: RepositoryCall): Answer {
  const { world, repository, request } = call;
  const pull = pullIn(call);
  if (!/\bdiff\b/.test(request.accept)) return ok(pullPayload(world, repository, pull));
  if (pullFiles(repository, pull).length > MOST_DIFFED_FILES) {
    throw new ApiError(406, `Sorry, the diff exceeded the maximum number of files (${MOST_DIFFED_FILES}).`, {
      errors: [{ resource: "PullRequest", field: "diff", code: "too_large" }],
    });
  }
  return ok(`${gitText(repository.gitDirectory, ["diff", "-M", `${pull.baseSha}...${pull.headSha}`])}\n`);
}

function createPull({ world, repository, body, login }: RepositoryCall): Answer {
  const head = requiredText(body, "head");
  const base = requiredText(body, "base");
  const title = optionalText(body, "title") ?? "";
  const text = optionalText(body, "body") ?? null;
  const [owner = "", branch = ""] = head.includes(":") ? head.split(":") : [repository.owner, head];
  const source = sourceOf(world, repository, owner, optionalText(body, "head_repo"));
  const headSha = source && resolveCommit(source.gitDirectory, `refs/heads/${branch}`);
  const baseSha = resolveCommit(repository.gitDirectory, `refs/heads/${base}`);
  const resource = "PullRequest";
  if (title.trim() === "") throw invalid({ resource, field: "title", code: "missing_field" });
  if (!source || headSha === undefined) throw invalid({ resource, field: "head", code: "invalid" });
  if (baseSha === undefined) throw invalid({ resource, field: "base", code: "invalid" });
  if ((text ?? "").length > LONGEST_BODY) throw tooLong(resource);
  const same = [...repository.pulls.values()].find(
    (pull) => pull.state === "open" && pull.headRef === branch && pull.headRepository === source.fullName && pull.baseRef === base,
  );
  if (same) throw invalid({ resource, code: "custom", message: `A pull request already exists for ${owner}:${branch}.` });
  if (isAncestor(repository, headSha, baseSha)) {
    throw invalid({ resource, code: "custom", message: `No commits between ${base} and ${branch}` });
  }
  const options = { title, body: text, user: login, head: branch, headRepository: source.fullName, base, draft: body["draft"] === true };
  const pull = openPull(world, repository, options);
  announce(world, pullRequestEvent(world, repository, pull));
  return created(pullPayload(world, repository, pull));
}

function sourceOf(world: World, repository: Repository, owner: string, name: string | undefined): Repository | undefined {
  if (owner.toLowerCase() === repository.owner.toLowerCase()) return repository;
  return world.repositories.get(`${owner}/${name ?? repository.name}`.toLowerCase());
}

function isAncestor({ gitDirectory }: Repository, sha: string, of: string): boolean {
  return tryGit(gitDirectory, ["merge-base", "--is-ancestor", sha, of]) !== undefined;
}

function editPull(call: RepositoryCall): Answer {
  const { world, repository, body, login } = call;
  const pull = pullIn(call);
  const text = optionalText(body, "body");
  if ((text ?? "").length > LONGEST_BODY) throw tooLong("PullRequest");
  const state = optionalWord(body, "state", ["open", "closed"]) ?? pull.state;
  const changed = state !== pull.state;
  pull.title = optionalText(body, "title") ?? pull.title;
  pull.body = text ?? pull.body;
  pull.baseRef = optionalText(body, "base") ?? pull.baseRef;
  pull.updatedAt = timestamp();
  setState(pull, state);
  const action = changed ? (state === "closed" ? "closed" : "reopened") : "edited";
  announce(world, pullRequestEvent(world, repository, pull, { action, sender: login }));
  return ok(pullPayload(world, repository, pull));
}
