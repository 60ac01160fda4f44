import { notFound } from "../api-error.ts";
import { listTree, type ListedEntry } from "../git/objects.ts";
import { runGit } from "../git/run-git.ts";
import { ok, repositoryRoute, type Answer, type RepositoryCall } from "../route.ts";
import { branches } from "../seed/repositories.ts";
import type { Repository, World } from "../state.ts";
import { apiUrl, webUrl } from "../urls.ts";
import { commitAt } from "./commits.ts";

/** Larger files come without their content, in bytes. */
const LARGEST_INLINE = 1_000_000;

export const CONTENT_ROUTES = [
  repositoryRoute("GET /contents", ["contents"], showContents),
  repositoryRoute("GET /contents/{+path}", ["contents"], showContents),
];

function showContents(call: RepositoryCall): Answer {
  const { world, repository, request } = call;
  if (branches(world, repository).length === 0) throw notFound("This repository is empty.");
  const ref = call.query["ref"] ?? repository.defaultBranch;
  const commit = commitAt(call, ref);
  const path = (call.params["path"] ?? "").replace(/^\/+|\/+$/g, "");
  const here = path === "" ? undefined : listTree(repository.gitDirectory, commit, true)?.find((entry) => entry.path === path);
  if (path !== "" && !here) throw notFound();
  if (!here || here.type === "tree") {
    const entries = listTree(repository.gitDirectory, here?.sha ?? commit) ?? [];
    return ok(
      entries.map((entry) => entryPayload(world, repository, ref, { ...entry, path: path ? `${path}/${entry.path}` : entry.path })),
    );
  }
  if (here.type === "commit") return ok({ ...entryPayload(world, repository, ref, here), type: "submodule", submodule_git_url: null });
  const content = runGit(repository.gitDirectory, ["cat-file", "blob", here.sha]);
  if (/\braw\b/.test(request.accept)) return ok(content);
  if (here.mode === "120000") return ok({ ...entryPayload(world, repository, ref, here), type: "symlink", target: content.toString() });
  const inline = content.length <= LARGEST_INLINE;
  return ok({
    ...entryPayload(world, repository, ref, here),
    encoding: inline ? "base64" : "none",
    content: inline ? content.toString("base64").replace(/.{60}/g, "$&\n") : "",
  });
}

function entryPayload(world: World, repository: Repository, ref: string, entry: ListedEntry) {
  const encoded = entry.path.split("/").map(encodeURIComponent).join("/");
  const url = apiUrl(world, repository, `/contents/${encoded}?ref=${encodeURIComponent(ref)}`);
  const isTree = entry.type === "tree";
  const html = webUrl(world, repository, `/${isTree ? "tree" : "blob"}/${ref}/${encoded}`);
  const git = apiUrl(world, repository, `/git/${isTree ? "trees" : "blobs"}/${entry.sha}`);
  return {
    type: isTree ? "dir" : entry.mode === "120000" ? "symlink" : "file",
    name: entry.path.split("/").at(-1) ?? entry.path,
    path: entry.path,
    sha: entry.sha,
    size: entry.size ?? 0,
    url,
    html_url: html,
    git_url: git,
    download_url: isTree ? null : webUrl(world, repository, `/raw/${ref}/${encoded}`),
    _links: { self: url, git, html },
  };
}
