import { gitText } from "../git/run-git.ts";
import type { DiffFile } from "../git/diff.ts";
import type { Repository, World } from "../state.ts";
import { apiUrl, nodeId, webUrl } from "../urls.ts";
import { userPayload } from "./account.ts";

/** The committer of what is made through the API; such commits are signed by GitHub. */
export const WEB_FLOW = { name: "GitHub", email: "noreply@github.com" };

const FORMAT = ["%T", "%P", "%an", "%ae", "%aI", "%cn", "%ce", "%cI", "%B"].join("%x00");

interface CommitFields {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string; readonly date: string };
  readonly committer: { readonly name: string; readonly email: string; readonly date: string };
  readonly message: string;
}

function readCommit(repository: Repository, sha: string): CommitFields {
  const out = gitText(repository.gitDirectory, ["log", "-1", `--format=${FORMAT}`, sha]).split("\0");
  const [tree = "", parents = "", name = "", email = "", date = "", committerName = "", committerEmail = "", committed = ""] = out;
  return {
    tree,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    author: { name, email, date },
    committer: { name: committerName, email: committerEmail, date: committed },
    message: (out[8] ?? "").replace(/\n$/, ""),
  };
}

/** What the git data API answers, a `git-commit`. */
export function gitCommitPayload(world: World, repository: Repository, sha: string) {
  const { tree, parents, author, committer, message } = readCommit(repository, sha);
  return {
    sha,
    node_id: nodeId("Commit", sha),
    url: apiUrl(world, repository, `/git/commits/${sha}`),
    html_url: webUrl(world, repository, `/commit/${sha}`),
    author,
    committer,
    message,
    tree: { sha: tree, url: apiUrl(world, repository, `/git/trees/${tree}`) },
    parents: parents.map((parent) => ({
      sha: parent,
      url: apiUrl(world, repository, `/git/commits/${parent}`),
      html_url: webUrl(world, repository, `/commit/${parent}`),
    })),
    verification: verificationOf(committer.email),
  };
}

function verificationOf(committerEmail: string) {
  if (committerEmail !== WEB_FLOW.email) return { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };
  const signature = "-----BEGIN PGP SIGNATURE-----\n\nembedded\n-----END PGP SIGNATURE-----";
  return { verified: true, reason: "valid", signature, payload: "embedded", verified_at: "2026-01-01T00:00:00Z" };
}

/** What lists and comparisons hold, a `commit`. */
export function commitPayload(world: World, repository: Repository, sha: string) {
  const { author, committer, message, tree, verification, parents, ...commit } = gitCommitPayload(world, repository, sha);
  const url = apiUrl(world, repository, `/commits/${sha}`);
  return {
    sha,
    node_id: commit.node_id,
    url,
    html_url: commit.html_url,
    comments_url: `${url}/comments`,
    commit: { url: commit.url, author, committer, message, tree, verification, comment_count: 0 },
    author: world.accounts.has(author.name.toLowerCase()) ? userPayload(world, author.name) : null,
    committer: null,
    parents,
  };
}

/** A file of a difference, with its addresses. */
export function diffEntryPayload(world: World, repository: Repository, sha: string, file: DiffFile) {
  const path = file.filename.split("/").map(encodeURIComponent).join("/");
  return {
    ...file,
    blob_url: webUrl(world, repository, `/blob/${sha}/${path}`),
    raw_url: webUrl(world, repository, `/raw/${sha}/${path}`),
    contents_url: apiUrl(world, repository, `/contents/${path}?ref=${sha}`),
  };
}
