import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A remark on a line of a pull request that this session's own login made, in whatever state it is now. */
export interface OwnRemark {
  readonly path: string;
  readonly body: string;
  /** The text of the line that it stands on, as the difference showed it then; absent for a remark on a whole file. */
  readonly code?: string;
  /** People waved it away: a thumbs-down, or the command `ignore` below it. */
  readonly isDismissed?: true;
}

interface RawRemark {
  readonly id: number;
  readonly path: string;
  readonly body?: string | null;
  readonly diff_hunk?: string;
  readonly subject_type?: string;
  readonly in_reply_to_id?: number;
  readonly user: { readonly login: string } | null;
  readonly reactions?: { readonly "-1"?: number };
}

/** All own remarks on a pull request, over all pages; answers within their threads aside. Source: https://docs.github.com/rest/pulls/comments */
export async function ownRemarks(session: GitHubSession, repository: RepositoryName, number: number): Promise<readonly OwnRemark[]> {
  const login = (await session.botLogin()).toLowerCase();
  const { owner, name: repo } = repository;
  const remarks = await reading(`read the remarks on ${owner}/${repo}#${number}`, () =>
    allPages<RawRemark>(session.octokit, "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", { owner, repo, pull_number: number }),
  );
  const ignored = new Set(
    remarks.flatMap(({ in_reply_to_id: root, body }) => (root !== undefined && saysIgnore(body ?? "", login) ? [root] : [])),
  );
  return remarks
    .filter(({ user, in_reply_to_id: parent }) => user?.login.toLowerCase() === login && parent === undefined)
    .map(({ id, path, body, diff_hunk: hunk = "", subject_type: subject, reactions }) => {
      const isDismissed = ignored.has(id) || (reactions?.["-1"] ?? 0) > 0;
      // A hunk ends with the line that the remark is about.
      const last = hunk.split("\n").at(-1) ?? "";
      const code = subject === "file" || !/^[-+ ]/.test(last) ? undefined : last.slice(1);
      return { path, body: body ?? "", ...(code === undefined ? {} : { code }), ...(isDismissed ? { isDismissed } : {}) };
    });
}

/** Whether a reply begins with the command. `login` is the bot's, in lower case. */
function saysIgnore(body: string, login: string): boolean {
  const [handle = "", command = ""] = body
    .trim()
    .toLowerCase()
    .split(/[\s,:]+/, 2);
  return handle.replace(/\[bot\]$/, "") === `@${login.replace(/\[bot\]$/, "")}` && command.replace(/[.!]+$/, "") === "ignore";
}
