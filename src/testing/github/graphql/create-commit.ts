import { admit } from "../access/admit.ts";
import type { Caller } from "../access/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { isFields, type Fields } from "../fields.ts";
import { resolveCommit, treeOf, writeBlob, writeCommit, writeTree, type TreeEntry } from "../git/objects.ts";
import { runGit } from "../git/run-git.ts";
import { WEB_FLOW } from "../payloads/commit.ts";
import { bytesAt } from "../seed/repositories.ts";
import type { Repository, World } from "../state.ts";
import { nodeId, webUrl } from "../urls.ts";
import { announcePush } from "../webhooks/announce.ts";
import { GraphqlError } from "./graphql-error.ts";

/**
 * `createCommitOnBranch`: one commit on a branch that still stands at `expectedHeadOid`, signed by GitHub.
 * Every file it adds is an ordinary one (mode 100644): the mutation has no modes.
 * Source: https://docs.github.com/graphql/reference/mutations#createcommitonbranch
 */
export function createCommitOnBranch(world: World, caller: Caller, variables: Fields): unknown {
  const input = objectIn(variables, "input");
  const target = objectIn(input, "branch");
  const fullName = textIn(target, "repositoryNameWithOwner");
  const repository = world.repositories.get(fullName.toLowerCase());
  if (!repository) throw new GraphqlError("NOT_FOUND", `Could not resolve to a Repository with the name '${fullName}'.`);
  const login = writerOf(repository, caller);
  const branch = textIn(target, "branchName").replace(/^refs\/heads\//, "");
  const head = resolveCommit(repository.gitDirectory, `refs/heads/${branch}`);
  if (head === undefined) throw new GraphqlError("NOT_FOUND", `Could not resolve to a branch with the name '${branch}'.`);
  const expected = textIn(input, "expectedHeadOid");
  if (expected !== head) {
    throw new GraphqlError("STALE_DATA", `Expected branch to point to "${expected}" but it did not. Pull and try again.`);
  }
  if (repository.protectedBranches.has(branch)) {
    throw new GraphqlError("BRANCH_PROTECTION_RULE_VIOLATION", "Changes must be made through a pull request.");
  }
  const sha = writeCommit(repository.gitDirectory, {
    tree: treeWith(world, repository, head, isFields(input["fileChanges"]) ? input["fileChanges"] : {}),
    parents: [head],
    message: messageOf(objectIn(input, "message")),
    author: { name: login, email: `${login}@users.noreply.github.com` },
    committer: WEB_FLOW,
  });
  runGit(repository.gitDirectory, ["update-ref", `refs/heads/${branch}`, sha, head]);
  announcePush(world, repository, branch, login);
  return {
    commit: {
      id: nodeId("Commit", sha),
      oid: sha,
      url: webUrl(world, repository, `/commit/${sha}`),
      tree: { oid: treeOf(repository.gitDirectory, sha) },
      signature: { isValid: true, wasSignedByGitHub: true, state: "VALID" },
    },
    ref: { name: branch, prefix: "refs/heads/", target: { oid: sha } },
    clientMutationId: input["clientMutationId"] ?? null,
  };
}

function writerOf(repository: Repository, caller: Caller): string {
  try {
    admit(repository, caller, { anyOf: ["contents"], level: "write" });
  } catch (error) {
    if (error instanceof ApiError) throw new GraphqlError(error.status === 404 ? "NOT_FOUND" : "FORBIDDEN", error.message);
    throw error;
  }
  return "login" in caller ? caller.login : "";
}

function treeWith(world: World, repository: Repository, head: string, changes: Fields): string {
  const additions = listIn(changes, "additions").map((addition): TreeEntry => {
    const content = Buffer.from(textIn(addition, "contents"), "base64");
    return { path: textIn(addition, "path"), mode: "100644", sha: writeBlob(repository.gitDirectory, content) };
  });
  const deletions = listIn(changes, "deletions").map((deletion): TreeEntry => {
    const path = textIn(deletion, "path");
    if (bytesAt(world, repository, head, path) === undefined) {
      throw new GraphqlError(
        "UNPROCESSABLE",
        `A path was requested for deletion which does not exist as of commit oid \`${head}\`: ${path}`,
      );
    }
    return { path, mode: "100644", sha: null };
  });
  try {
    return writeTree(repository.gitDirectory, treeOf(repository.gitDirectory, head), [...deletions, ...additions]);
  } catch {
    throw new GraphqlError("UNPROCESSABLE", "A path is malformed.");
  }
}

function messageOf(message: Fields): string {
  const headline = textIn(message, "headline");
  const body = message["body"];
  return typeof body === "string" && body !== "" ? `${headline}\n\n${body}` : headline;
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (!isFields(value)) throw missingVariable(name);
  return value;
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string" || value === "") throw missingVariable(name);
  return value;
}

function listIn(fields: Fields, name: string): Fields[] {
  const value: unknown = fields[name] ?? [];
  if (!Array.isArray(value)) throw missingVariable(name);
  return value.filter(isFields);
}

function missingVariable(name: string): GraphqlError {
  return new GraphqlError("INVALID_VARIABLE", `Variable $input was provided invalid value for ${name}`);
}
