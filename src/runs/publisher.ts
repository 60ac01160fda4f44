import type { ChangeSet } from "../core/change-set.ts";
import { SallyportError, StaleAttemptError } from "../core/errors.ts";
import type { Commit, OpenPullRequest, Operation } from "../core/operation.ts";
import type { Finding } from "../core/result.ts";
import type { Pin } from "../core/run.ts";
import { nameBranch } from "../gate/branch-name.ts";
import type { Markers } from "../github/marker.ts";
import { stripHidden } from "../text/hidden.ts";
import type { Publisher, Submitted } from "../tools/tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { changesSince } from "./changes-since.ts";
import { renderGate } from "./report.ts";
import { lastEntry, type RunContext } from "./run-context.ts";
import type { Submission } from "./submit.ts";

export interface PublisherOptions {
  readonly pin: Pin;
  readonly workspace: Workspace;
  readonly markers: Markers;
  /** How the repository's tests stood last, in one sentence for the pull request. */
  readonly testsNote: () => string | undefined;
}

/** What is left to publish: all of it, or what came after the run's last commit. */
interface Pending {
  readonly changes: ChangeSet;
  readonly whole: ChangeSet;
}

/**
 * How one tool call, or the publish phase, asks for what leaves. `key` names the asker within the run for ever, so a call that is repeated
 * after a crash finds what it made.
 */
export function createPublisher(context: RunContext, options: PublisherOptions, key: string): Publisher {
  const { request, journal } = context;
  const { repository, thread } = request;
  const { pin, workspace } = options;

  const pending = async (): Promise<Pending> => {
    const whole = await workspace.changeSet();
    const published = lastEntry(journal, "published");
    if (published === undefined) return { whole, changes: whole };
    return {
      whole,
      changes: await changesSince(published, whole, { pinned: (sha) => workspace.baseBlob(sha), published: (sha) => journal.blob(sha) }),
    };
  };

  const trailer = `Co-authored-by: ${request.actor.login} <${request.actor.id}+${request.actor.login}@users.noreply.github.com>`;
  const message = (text: string): string => `${stripHidden(text).trim()}\n\n${trailer}`;

  async function settle(submission: Submission, whole: ChangeSet, branch: string): Promise<Submitted> {
    if (submission.status === "refused") return submission;
    const { outcome, decision, operation } = submission;
    const earlier = lastEntry(journal, "published");
    const commit = committed(operation) ? outcome.sha : earlier?.commit;
    const pull = operation.kind === "open-pull-request" ? outcome.id : earlier?.pull;
    if (commit === undefined) throw new TypeError("a commit was published without an id");
    await journal.append({
      kind: "published",
      branch,
      commit,
      tree: whole.tree,
      changes: whole.changes,
      ...(pull === undefined ? {} : { pull }),
    });
    const { id, url } = outcome;
    return { status: "done", decision, ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
  }

  return {
    comment: (number, body) =>
      answered(async () => {
        const mark = options.markers.stamp({ run: context.run.id, state: "done", key });
        const text = `${stripHidden(body).trim()}\n\n${mark}`;
        const target = number === thread.number ? thread : ({ kind: "pull-request", number } as const);
        const submission = await context.submit({ kind: "comment", repository, thread: target, body: text }, { key });
        if (submission.status === "refused") return submission;
        const { id, url } = submission.outcome;
        const made = { ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
        return { status: "done", decision: submission.decision, ...made };
      }),

    openPullRequest: (wish) =>
      answered(async () => {
        const { changes, whole } = await pending();
        const branch = await ownBranch(context);
        const branchExists = lastEntry(journal, "published")?.branch === branch;
        const draft = wish.draft ?? false;
        const operation: OpenPullRequest = {
          kind: "open-pull-request",
          repository,
          branch,
          base: wish.base ?? pin.base.ref,
          title: stripHidden(wish.title).trim(),
          body: bodyOf(
            wish.body,
            options.testsNote(),
            thread.kind === "issue" ? `${draft ? "Refs" : "Closes"} #${thread.number}` : `Refs #${thread.number}`,
          ),
          draft,
          message: message(wish.title),
          changes,
          ...(branchExists ? { branchExists } : {}),
        };
        return settle(await context.submit(operation, { key, annotate: withWarnings }), whole, branch);
      }),

    commit: (text) =>
      answered(async () => {
        const { changes, whole } = await pending();
        const target = await commitTarget(context, pin);
        if ("why" in target) return { status: "failed", why: target.why };
        const operation: Commit = {
          kind: "commit",
          repository,
          branch: target.branch,
          message: message(text),
          changes,
          ...(target.createsBranch ? { createsBranch: true } : {}),
        };
        return settle(await context.submit(operation, { key }), whole, target.branch);
      }),
  };
}

/** Refusals of GitHub are answers that the model can act on; everything else goes up. */
async function answered(work: () => Promise<Submitted>): Promise<Submitted> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SallyportError) || error instanceof StaleAttemptError) throw error;
    return { status: "failed", why: error.hint === undefined ? error.message : `${error.message} ${error.hint}` };
  }
}

/** A pull request from a branch that carries all of the work already makes no commit. */
const committed = (operation: Operation): boolean => "changes" in operation && operation.changes.changes.length > 0;

/** The run's own branch: named once by the gate, then kept in the journal. */
async function ownBranch({ journal, reader, request }: RunContext): Promise<string> {
  const known = lastEntry(journal, "branch");
  if (known !== undefined) return known.name;
  const existing = new Set(await reader.branchesStartingWith("sallyport"));
  const name = nameBranch({ number: request.thread.number, title: request.title, taken: (branch) => existing.has(branch) });
  await journal.append({ kind: "branch", name });
  return name;
}

/** Where a plain commit goes: the head of the run's pull request when it can be written to, else the run's own branch. */
async function commitTarget(
  context: RunContext,
  { pull }: Pin,
): Promise<{ readonly branch: string; readonly createsBranch: boolean } | { readonly why: string }> {
  const published = lastEntry(context.journal, "published");
  if (pull === undefined || (published !== undefined && published.branch !== pull.headRef)) {
    return { branch: await ownBranch(context), createsBranch: published === undefined };
  }
  if (await context.reader.isProtected(pull.headRef)) {
    return { why: `The head branch ${pull.headRef} is protected, so it is left alone. Publish the change with gh_create_pr instead.` };
  }
  return { branch: pull.headRef, createsBranch: false };
}

function bodyOf(text: string, tests: string | undefined, closing: string): string {
  return [stripHidden(text).trim(), ...(tests === undefined ? [] : [tests]), closing].filter((part) => part !== "").join("\n\n");
}

/** What the gate warns of is shown to whoever reviews the pull request. */
function withWarnings(operation: Operation, findings: readonly Finding[]): Operation {
  if (operation.kind !== "open-pull-request") return operation;
  return { ...operation, body: `${operation.body}\n\n${renderGate(findings)}` };
}
