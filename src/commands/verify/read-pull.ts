import { readGitHub } from "../../config/environment.ts";
import { SallyportError } from "../../core/errors.ts";
import { findReceipt } from "../../receipts/block.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A pull request as people name it. */
export interface PullName {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
}

/** What GitHub says of a pull request's head. */
export interface PullHead {
  readonly repositoryId: number;
  readonly commit: string;
  readonly tree: string;
  /** Receipts in the check runs on it, whoever wrote them: only their signatures tell. */
  readonly receipts: readonly string[];
}

/** The check runs that show receipts. */
const CHECKS = ["sallyport/receipt", "sallyport", "sallyport/gate"];
/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

/** Reads `owner/repo#number`, or the address of a pull request's page; undefined for anything else. */
export function readPullName(text: string): PullName | undefined {
  const [, owner, name, number] =
    /^([\w.-]{1,100})\/([\w.-]{1,100})#(\d{1,10})$/.exec(text) ??
    /^https?:\/\/[^/\s]+\/([\w.-]{1,100})\/([\w.-]{1,100})\/pull\/(\d{1,10})(?:[/?#].*)?$/.exec(text) ??
    [];
  return owner === undefined || name === undefined ? undefined : { owner, name, number: Number(number) };
}

/**
 * Asks GitHub for the head of a pull request and the receipts on it, with `GITHUB_TOKEN` where that is set: public repositories need none.
 * @throws {SallyportError} when GitHub does not answer it.
 */
export async function readPullHead({ owner, name, number }: PullName, variables: Variables): Promise<PullHead> {
  const repository = `/repos/${owner}/${name}`;
  const pull = await ask<{ readonly head: { readonly sha: string }; readonly base: { readonly repo: { readonly id: number } } }>(
    `${repository}/pulls/${number}`,
    variables,
  );
  const { sha } = pull.head;
  const commit = await ask<{ readonly tree: { readonly sha: string } }>(`${repository}/git/commits/${sha}`, variables);
  const receipts: string[] = [];
  for (const check of CHECKS) {
    const { check_runs: runs } = await ask<{ readonly check_runs: readonly { readonly output?: { readonly text?: string | null } }[] }>(
      `${repository}/commits/${sha}/check-runs?check_name=${encodeURIComponent(check)}&filter=all&per_page=100`,
      variables,
    );
    receipts.push(...runs.flatMap(({ output }) => findReceipt(output?.text ?? "") ?? []));
  }
  return { repositoryId: pull.base.repo.id, commit: sha, tree: commit.tree.sha, receipts };
}

async function ask<T>(path: string, variables: Variables): Promise<T> {
  const token = (variables["GITHUB_TOKEN"] ?? variables["GH_TOKEN"] ?? "").trim();
  const response = await fetch(`${apiUrl(variables)}${path}`, {
    headers: {
      accept: "application/vnd.github+json",
      "user-agent": "sallyport",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    },
    // A redirect could lead the token away.
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  });
  if (!response.ok) {
    throw new SallyportError(`GitHub answered ${response.status} to GET ${path}.`, {
      code: "github-refused",
      hint: token === "" ? "Set GITHUB_TOKEN for a repository that is not public." : "Check the name, and what the token may read.",
    });
  }
  return (await response.json()) as T;
}

/** As in workflows, else as for the server. */
function apiUrl(variables: Variables): string {
  const named = variables["GITHUB_API_URL"]?.trim() ?? "";
  return named === "" ? readGitHub(variables).apiUrl : named.replace(/\/+$/, "");
}
