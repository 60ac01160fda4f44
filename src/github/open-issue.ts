import type { OpenIssue } from "../core/operation.ts";
import type { WriteOutcome } from "../core/result.ts";
import { reading } from "./answer.ts";
import type { CommentOptions } from "./comment.ts";
import { repositoryPath } from "./repository-url.ts";
import { send } from "./send.ts";
import type { WriteStep } from "./step.ts";

/** Newest issues among which a lost one is looked for. */
const LOOKED_AT = 50;

/** The one step of a new issue. A lost one is found by the marker that its body carries, among the App's own. */
export function openIssueStep({ repository, title, body, kind }: OpenIssue, key: string, options: CommentOptions): WriteStep {
  const { session, markers } = options;
  const { owner, name: repo } = repository;
  const find = async (): Promise<WriteOutcome | undefined> => {
    const mark = markers?.read(body);
    if (mark === undefined) return undefined;
    const creator = await session.botLogin();
    const { data } = await reading(`look for an issue of the App's own in ${owner}/${repo}`, () =>
      session.octokit.rest.issues.listForRepo({ owner, repo, creator, state: "all", per_page: LOOKED_AT }),
    );
    return issueOutcome(data.find((issue) => markers?.read(issue.body ?? "")?.run === mark.run));
  };
  return {
    key,
    operation: kind,
    find,
    send: () =>
      send(
        { method: "POST", path: repositoryPath(repository, "issues"), body: { title, body } },
        { doing: `open an issue in ${owner}/${repo}`, accept: issueOutcome, find },
        options,
      ),
  };
}

function issueOutcome(data: unknown): WriteOutcome | undefined {
  if (typeof data !== "object" || data === null || !("number" in data) || typeof data.number !== "number") return undefined;
  return {
    operation: "open-issue",
    id: data.number,
    ...("html_url" in data && typeof data.html_url === "string" ? { url: data.html_url } : {}),
  };
}
