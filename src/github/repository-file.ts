import { reading, unless } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A file of a repository as GitHub hands it out. */
export type RepositoryFile =
  | { readonly status: "text"; readonly text: string; /** Git's id of its bytes. */ readonly blob: string }
  | { readonly status: "absent" }
  /** Something stands there that is no text of a size that is handed out. */
  | { readonly status: "unreadable"; readonly why: string; readonly blob: string };

/**
 * Reads one file at a commit, or on the default branch when none is named.
 * @throws {GitHubError} when GitHub could not be asked: nothing is known of the file then.
 */
export async function readRepositoryFile(
  { octokit }: GitHubSession,
  { owner, name: repo }: Pick<RepositoryName, "owner" | "name">,
  path: string,
  { commit, longest = 0 }: { readonly commit?: string; /** Bytes, where more than 1 MB is to be read. */ readonly longest?: number } = {},
): Promise<RepositoryFile> {
  const data = await unless(["not-found"], undefined, () =>
    reading(`read ${path} of ${owner}/${repo}`, async () => {
      const ref = commit === undefined ? {} : { ref: commit };
      return (await octokit.rest.repos.getContent({ owner, repo, path, ...ref })).data;
    }),
  );
  if (data === undefined) return { status: "absent" };
  if (Array.isArray(data)) return { status: "unreadable", why: "it is a folder and no file", blob: "folder" };
  if (data.type !== "file") return { status: "unreadable", why: `it is a ${data.type} and no file`, blob: data.sha };
  // Source: https://docs.github.com/rest/repos/contents#get-repository-content (between 1 and 100 MB the content is left out)
  let { content, encoding } = data;
  if (encoding !== "base64" && data.size <= longest) {
    const blob = await reading(`read ${path} of ${owner}/${repo}`, () => octokit.rest.git.getBlob({ owner, repo, file_sha: data.sha }));
    ({ content, encoding } = blob.data);
  }
  if (encoding !== "base64") {
    return { status: "unreadable", why: `it is larger than ${Math.max(1, Math.floor(longest / 1024 ** 2))} MB`, blob: data.sha };
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(content, "base64"));
    return { status: "text", text, blob: data.sha };
  } catch {
    return { status: "unreadable", why: "it is no UTF-8", blob: data.sha };
  }
}
