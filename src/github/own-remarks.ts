import { reading } from "./answer.ts";
import type { GitHubSession } from "./client.ts";
import { allPages } from "./pages.ts";
import type { RepositoryName } from "./repository-url.ts";

/** A remark on a line of a pull request that this session's own login made, in whatever state it is now. */
export interface OwnRemark {
  readonly id: number;
  readonly path: string;
  readonly body: string;
  /** The text of the line that it stands on, as the difference showed it then; absent for a remark on a whole file. */
  readonly code?: string;
  /** People waved it away: a thumbs-down, or the command `ignore` below it. */
  readonly isDismissed?: true;
  readonly side: "LEFT" | "RIGHT";
  /** The rows of the hunk as the difference showed it then, each with its sign, down to the line that the remark is about. */
  readonly hunk: readonly string[];
  /** How many lines it is about, the last ones of the hunk. */
  readonly lines: number;
  /** What was said below it, oldest first. */
  readonly answers: readonly { readonly isOwn: boolean; readonly body: string }[];
}

interface RawRemark {
  readonly id: number;
  readonly path: string;
  readonly body?: string | null;
  readonly diff_hunk?: string;
  readonly subject_type?: string;
  readonly in_reply_to_id?: number;
  readonly side?: string;
  readonly original_line?: number | null;
  readonly original_start_line?: number | null;
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
    .map((remark) => {
      const { id, path, body, diff_hunk: shown = "", subject_type: subject, reactions } = remark;
      const isDismissed = ignored.has(id) || (reactions?.["-1"] ?? 0) > 0;
      // A hunk ends with the line that the remark is about.
      const hunk = shown.split("\n");
      const last = hunk.at(-1) ?? "";
      const code = subject === "file" || !/^[-+ ]/.test(last) ? undefined : last.slice(1);
      return {
        id,
        path,
        body: body ?? "",
        side: remark.side === "LEFT" ? "LEFT" : "RIGHT",
        hunk: code === undefined ? [] : hunk,
        lines: linesOf(remark),
        answers: remarks
          .filter(({ in_reply_to_id: root }) => root === id)
          .toSorted((a, b) => a.id - b.id)
          .map((answer) => ({ isOwn: answer.user?.login.toLowerCase() === login, body: answer.body ?? "" })),
        ...(code === undefined ? {} : { code }),
        ...(isDismissed ? { isDismissed } : {}),
      };
    });
}

function linesOf({ original_line: last, original_start_line: first }: RawRemark): number {
  return typeof last === "number" && typeof first === "number" && first < last ? last - first + 1 : 1;
}

/** Whether a reply begins with the command. `login` is the bot's, in lower case. */
function saysIgnore(body: string, login: string): boolean {
  const [handle = "", command = ""] = body
    .trim()
    .toLowerCase()
    .split(/[\s,:]+/, 2);
  return handle.replace(/\[bot\]$/, "") === `@${login.replace(/\[bot\]$/, "")}` && command.replace(/[.!]+$/, "") === "ignore";
}
