import { call, say, type CheckRun, type ModelRequest, type Pull, type Script, type Turn } from "../../src/testing/index.ts";
import { REPOSITORY, type Stage } from "./stage.ts";

/** A remark as the scripted model makes it. */
export interface Said {
  readonly path: string;
  readonly line: number;
  readonly body: string;
  readonly side?: "LEFT" | "RIGHT";
  readonly suggestion?: string;
}

/** How often the model has answered in the conversation of a request. */
export const turnOf = ({ messages }: ModelRequest): number => messages.filter(({ role }) => role === "assistant").length;

/** A call that posts a review of the first pull request. */
export const post = (comments: readonly Said[], more: Readonly<Record<string, unknown>> = {}): Turn =>
  call("gh_review_pr", { number: 1, body: "My summary.", comments, ...more });

/** A model that posts one review in each conversation, and ends it. */
export function reviewing(comments: readonly Said[] | ((request: ModelRequest) => readonly Said[])): Script {
  return (request) => {
    if (turnOf(request) > 0) return say("Reviewed.");
    return post(typeof comments === "function" ? comments(request) : comments);
  };
}

/** The files of a first change: four new lines. */
export const FRESH = { "src/fresh.js": "one\ntwo\nthree\nfour\n" };

/** Opens alice's pull request of `files` on the branch `topic`, without telling anybody. */
export function propose(
  { github }: Stage,
  files: Readonly<Record<string, string>> = FRESH,
  more: Partial<Parameters<typeof github.openPull>[1]> = {},
): Pull {
  github.push(REPOSITORY, "topic", files);
  return github.openPull(REPOSITORY, { title: "A feature", user: "alice", head: "topic", ...more });
}

/** Tells the bot of a pull request, and waits until nothing is left to do. */
export async function tell(
  stage: Stage,
  pull: Pull,
  action = "opened",
  more: { readonly sender?: string; readonly extra?: object } = {},
): Promise<void> {
  await deliver(stage, pull, action, more);
  await stage.idle();
}

/** Tells the bot of a pull request and waits for nothing but the webhook's answer. */
export async function deliver(
  { github }: Stage,
  pull: Pull,
  action = "opened",
  { sender = pull.user ?? "ghost", extra = {} }: { readonly sender?: string; readonly extra?: object } = {},
): Promise<void> {
  const { status } = await github.deliver(github.events.pullRequest(REPOSITORY, pull, { action, sender, extra: { ...extra } }));
  if (status >= 300) throw new Error(`the webhook was answered ${status}`);
}

/** Pushes to the pull request's branch and tells the bot. */
export async function pushTo(stage: Stage, pull: Pull, files: Readonly<Record<string, string>>): Promise<void> {
  const before = pull.headSha;
  stage.github.push(REPOSITORY, pull.headRef, files);
  await tell(stage, pull, "synchronize", { extra: { before, after: pull.headSha } });
}

/** The bot's check runs on a commit that have a name. */
export const namedChecks = ({ github }: Stage, wanted: string, sha: string): readonly CheckRun[] =>
  github.checkRuns(REPOSITORY).filter(({ headSha, name }) => headSha === sha && name === wanted);

/** The bot's check runs on a commit, as far as they are reviews'. */
export const checksOn = (stage: Stage, sha: string): readonly CheckRun[] => namedChecks(stage, "sallyport", sha);

/** The reviews that the bot has submitted. */
export const reviewsBy = ({ github }: Stage) =>
  github.reviews(REPOSITORY).filter(({ user, state }) => user === github.botLogin && state !== "PENDING");

/** The bot's remarks on lines: `path:line: first line`. */
export const remarksOn = ({ github }: Stage): readonly string[] =>
  github
    .reviewComments(REPOSITORY)
    .filter(({ user }) => user === github.botLogin)
    .map(({ path, line, side, body }) => `${path}:${side === "LEFT" ? "-" : ""}${line}: ${body.split("\n", 1)[0]}`);

/** The requests by which reviews were posted. */
export const postsOf = ({ github }: Stage) => github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/reviews"));
