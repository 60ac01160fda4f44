import { ApiError, emptyRepository } from "../api-error.ts";
import { optionalObject, optionalObjects, optionalText, optionalTexts, optionalWord, requiredText, type Fields } from "../fields.ts";
import { listTree, resolveCommit, typeOf, writeBlob, writeCommit, writeTree, type Signature, type TreeEntry } from "../git/objects.ts";
import { gitText, tryGit } from "../git/run-git.ts";
import { gitCommitPayload, WEB_FLOW } from "../payloads/commit.ts";
import { created, ok, present, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { branches } from "../seed/repositories.ts";
import type { Repository, World } from "../state.ts";
import { apiUrl, nodeId } from "../urls.ts";

const MODES = ["100644", "100755", "040000", "160000", "120000"] as const;

export const GIT_OBJECT_ROUTES = [
  repositoryRoute("POST /git/blobs", ["contents"], (call) => {
    mustHoldSomething(call);
    const encoding = optionalWord(call.body, "encoding", ["utf-8", "base64"]) ?? "utf-8";
    const content = Buffer.from(requiredText(call.body, "content"), encoding === "base64" ? "base64" : "utf8");
    const sha = writeBlob(call.repository.gitDirectory, content);
    return created({ sha, url: apiUrl(call.world, call.repository, `/git/blobs/${sha}`) });
  }),
  repositoryRoute("GET /git/blobs/{file_sha}", ["contents"], ({ world, repository, params, request }) => {
    const sha = params["file_sha"] ?? "";
    const content = present(tryGit(repository.gitDirectory, ["cat-file", "blob", sha]));
    if (/\braw\b/.test(request.accept)) return ok(content);
    const url = apiUrl(world, repository, `/git/blobs/${sha}`);
    return ok({ sha, node_id: nodeId("Blob", sha), size: content.length, url, content: content.toString("base64"), encoding: "base64" });
  }),
  repositoryRoute("POST /git/trees", ["contents"], createTree),
  repositoryRoute("GET /git/trees/{+tree_sha}", ["contents"], ({ world, repository, params, query }) => {
    const sha = tryGit(repository.gitDirectory, ["rev-parse", "--verify", "-q", "--end-of-options", `${params["tree_sha"]}^{tree}`]);
    return ok(treePayload(world, repository, present(sha).toString().trim(), query["recursive"] !== undefined));
  }),
  repositoryRoute("POST /git/commits", ["contents"], createCommit),
  repositoryRoute("GET /git/commits/{commit_sha}", ["contents"], ({ world, repository, params }) => {
    const sha = present(resolveCommit(repository.gitDirectory, params["commit_sha"] ?? ""));
    return ok(gitCommitPayload(world, repository, sha));
  }),
];

function mustHoldSomething({ world, repository }: RepositoryCall): void {
  if (branches(world, repository).length === 0) throw emptyRepository();
}

function createTree(call: RepositoryCall): Answer {
  mustHoldSomething(call);
  const { world, repository, body } = call;
  const base = optionalText(body, "base_tree");
  if (base !== undefined && tryGit(repository.gitDirectory, ["rev-parse", "--verify", "-q", `${base}^{tree}`]) === undefined) {
    throw new ApiError(422, "base_tree is not a valid tree");
  }
  const items = optionalObjects(body, "tree");
  if (!items) throw new ApiError(422, 'Invalid request.\n\n"tree" wasn\'t supplied.');
  const entries = items.map((item) => treeEntry(repository, item));
  try {
    const baseTree = base === undefined ? undefined : gitText(repository.gitDirectory, ["rev-parse", `${base}^{tree}`]);
    const sha = writeTree(repository.gitDirectory, baseTree, entries);
    return created(treePayload(world, repository, sha, false));
  } catch {
    throw new ApiError(422, "tree.path contains a malformed path component");
  }
}

function treeEntry(repository: Repository, item: Fields): TreeEntry {
  const path = requiredText(item, "path");
  const mode = optionalWord(item, "mode", MODES) ?? "100644";
  if (item["sha"] === null) return { path, mode, sha: null };
  const sha = optionalText(item, "sha");
  const content = optionalText(item, "content");
  if (sha !== undefined && content !== undefined) throw new ApiError(422, "tree.sha and tree.content cannot both be set");
  if (sha === undefined) return { path, mode, sha: writeBlob(repository.gitDirectory, content ?? "") };
  if (mode !== "160000" && typeOf(repository.gitDirectory, sha) === undefined) {
    throw new ApiError(422, `tree.sha ${sha} is not a valid ${mode === "040000" ? "tree" : "blob"}`);
  }
  return { path, mode, sha };
}

function treePayload(world: World, repository: Repository, sha: string, recursive: boolean) {
  const tree = (listTree(repository.gitDirectory, sha, recursive) ?? []).map((entry) => ({
    ...entry,
    ...(entry.type === "commit" ? {} : { url: apiUrl(world, repository, `/git/${entry.type}s/${entry.sha}`) }),
  }));
  return { sha, url: apiUrl(world, repository, `/git/trees/${sha}`), tree, truncated: false };
}

/** Without an author the commit is the App's own, and GitHub signs it. */
function createCommit({ world, repository, body, login }: RepositoryCall): Answer {
  const tree = requiredText(body, "tree");
  const parents = optionalTexts(body, "parents") ?? [];
  if (typeOf(repository.gitDirectory, tree) !== "tree") throw new ApiError(422, "Tree SHA does not exist");
  for (const parent of parents) {
    if (typeOf(repository.gitDirectory, parent) !== "commit")
      throw new ApiError(422, "Parent SHA does not exist or is not a commit object");
  }
  const author = signatureIn(optionalObject(body, "author"));
  const own = { name: login, email: `${login}@users.noreply.github.com` };
  const sha = writeCommit(repository.gitDirectory, {
    tree,
    parents,
    message: requiredText(body, "message"),
    author: author ?? own,
    committer: signatureIn(optionalObject(body, "committer")) ?? author ?? WEB_FLOW,
  });
  return created(gitCommitPayload(world, repository, sha));
}

function signatureIn(fields: Fields | undefined): Signature | undefined {
  if (!fields) return undefined;
  const date = optionalText(fields, "date");
  return { name: requiredText(fields, "name"), email: requiredText(fields, "email"), ...(date === undefined ? {} : { date }) };
}
