import { ApiError, emptyRepository } from "../api-error.ts";
import { requiredText } from "../fields.ts";
import { resolveCommit, typeOf } from "../git/objects.ts";
import { readReference } from "../git/references.ts";
import { gitLines, runGit, tryGit } from "../git/run-git.ts";
import { page } from "../paginate.ts";
import { created, NO_CONTENT, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { branches } from "../seed/repositories.ts";
import type { Repository, World } from "../state.ts";
import { apiUrl, nodeId } from "../urls.ts";
import { announcePush } from "../webhooks/announce.ts";

export const REFERENCE_ROUTES = [
  repositoryRoute("GET /git/ref/{+ref}", ["contents"], (call) => {
    mustHoldSomething(call);
    const name = `refs/${call.params["ref"]}`;
    return ok(referencePayload(call.world, call.repository, name, present(shaOf(call.repository, name))));
  }),
  repositoryRoute("GET /git/matching-refs/{+ref}", ["contents"], (call) => {
    mustHoldSomething(call);
    const prefix = `refs/${call.params["ref"]}`;
    const names = gitLines(call.repository.gitDirectory, ["for-each-ref", "--format=%(refname)", "refs"]);
    const matching = names.filter((name) => name.startsWith(prefix));
    return page(call, matching, (name) => referencePayload(call.world, call.repository, name, shaOf(call.repository, name) ?? ""));
  }),
  repositoryRoute("POST /git/refs", ["contents"], createReference),
  repositoryRoute("PATCH /git/refs/{+ref}", ["contents"], updateReference),
  repositoryRoute("DELETE /git/refs/{+ref}", ["contents"], (call) => {
    const name = `refs/${call.params["ref"]}`;
    if (shaOf(call.repository, name) === undefined) throw new ApiError(422, "Reference does not exist");
    mustBeUnprotected(call.repository, name);
    runGit(call.repository.gitDirectory, ["update-ref", "-d", name]);
    return NO_CONTENT;
  }),
];

function mustHoldSomething({ world, repository }: RepositoryCall): void {
  if (branches(world, repository).length === 0) throw emptyRepository();
}

function mustBeUnprotected(repository: Repository, name: string): void {
  if (!repository.protectedBranches.has(name.replace(/^refs\/heads\//, ""))) return;
  throw new ApiError(422, "Repository rule violations found\n\nChanges must be made through a pull request.\n\n");
}

function createReference(call: RepositoryCall): Answer {
  const { world, repository, body, login } = call;
  mustHoldSomething(call);
  const name = requiredText(body, "ref");
  const sha = requiredText(body, "sha");
  if (!/^refs\/[^/]+\/./.test(name)) throw new ApiError(422, "Reference name must start with 'refs/' and contain at least two slashes.");
  if (tryGit(repository.gitDirectory, ["check-ref-format", name]) === undefined) throw new ApiError(422, "Reference name is not valid");
  if (typeOf(repository.gitDirectory, sha) === undefined) throw new ApiError(422, "Object does not exist");
  if (shaOf(repository, name) !== undefined) throw new ApiError(422, "Reference already exists");
  mustBeUnprotected(repository, name);
  // A branch `a` forbids `a/b`, and the other way round: git says no, and so does GitHub.
  if (tryGit(repository.gitDirectory, ["update-ref", name, sha, "0".repeat(40)]) === undefined) {
    throw new ApiError(422, "Reference update failed");
  }
  announceBranch(world, repository, name, login);
  return created(referencePayload(world, repository, name, sha));
}

function updateReference({ world, repository, body, params, login }: RepositoryCall): Answer {
  const name = `refs/${params["ref"]}`;
  const sha = requiredText(body, "sha");
  const before = shaOf(repository, name);
  if (before === undefined) throw new ApiError(422, "Reference does not exist");
  if (resolveCommit(repository.gitDirectory, sha) === undefined) throw new ApiError(422, "Object does not exist");
  mustBeUnprotected(repository, name);
  const forwards = tryGit(repository.gitDirectory, ["merge-base", "--is-ancestor", before, sha]) !== undefined;
  if (!forwards && body["force"] !== true) throw new ApiError(422, "Update is not a fast forward");
  runGit(repository.gitDirectory, ["update-ref", name, sha, before]);
  announceBranch(world, repository, name, login);
  return ok(referencePayload(world, repository, name, sha));
}

function announceBranch(world: World, repository: Repository, name: string, login: string): void {
  if (name.startsWith("refs/heads/")) announcePush(world, repository, name.slice("refs/heads/".length), login);
}

/** What a reference points at; a tag may be an object of its own. */
function shaOf(repository: Repository, name: string): string | undefined {
  return readReference(repository.gitDirectory, name);
}

function referencePayload(world: World, repository: Repository, name: string, sha: string) {
  const type = typeOf(repository.gitDirectory, sha) ?? "commit";
  return {
    ref: name,
    node_id: nodeId("Ref", `${repository.fullName}#${name}`),
    url: apiUrl(world, repository, `/git/${name}`),
    object: { type, sha, url: apiUrl(world, repository, `/git/${type}s/${sha}`) },
  };
}
