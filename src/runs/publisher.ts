import { createHash } from "node:crypto";
import { AttemptError, SallyportError } from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { Commit, OpenPullRequest, Operation } from "../core/operation.ts";
import type { Finding } from "../core/result.ts";
import type { Pin } from "../core/run.ts";
import { coAuthorTrailer } from "../gate/outgoing.ts";
import { GitHubError, type GitHubErrorCode } from "../github/errors.ts";
import type { Markers } from "../github/marker.ts";
import { boundText } from "../text/bound.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import { cleanOutgoing } from "../text/outgoing/clean.ts";
import { cleanPlain } from "../text/outgoing/plain.ts";
import type { Publisher, Resolved, ReviewSubmitted, ReviewWish, Submitted } from "../tools/tool.ts";
import { UnpublishableError } from "../workspace/change-set.ts";
import type { Remote, Store } from "../workspace/store.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { inTemplate, type Conventions } from "./conventions.ts";
import { commitTarget, ownBranch } from "./own-branch.ts";
import { begunOn, BESIDE, lastReplay, placeWork, ready, replayedOn, type Placed, type Ready } from "./place-work.ts";
import { commitOf, hasMade, pendingWork, type Pending } from "./published.ts";
import { closingOf, nameOf, pullRequestBody } from "./pull-request-text.ts";
import { renderGate } from "./report.ts";
import type { RunContext } from "./run-context.ts";
import type { Standing } from "./standing.ts";
import type { Submission } from "./submit.ts";
import { testsSentence } from "./tests-note.ts";
import { isWorthAnotherTry } from "./worth-another-try.ts";

export interface PublisherOptions {
  readonly pin: Pin;
  readonly workspace: Workspace;
  /** Where commits are read that came to a branch while the run worked. */
  readonly source: { readonly store: Store; readonly remote: Remote };
  readonly standing: Standing;
  readonly markers: Markers;
  readonly conventions?: Conventions;
  /** Posts a review of the pull request that the run is about; absent where it is about none. */
  readonly postReview?: (callId: string, wish: ReviewWish) => Promise<ReviewSubmitted>;
  /** Resolves conversations of the bot's own remarks; absent where the run is no review. */
  readonly resolveRemarks?: (remarks: readonly number[]) => Promise<Resolved>;
}

/** GitHub takes 65,536 characters; whatever it counts, bytes are the most, and the marker and what the gate warns of come on top. */
const LONGEST_COMMENT = 60_000;
const LONGEST_WARNING = 4_000;

/** What a pull request is asked for with. */
type PullRequestWish = Parameters<Publisher["openPullRequest"]>[0];

/** `lacksDrafts`: a draft was asked for, and the repository takes none. */
type Opened = Submitted & { readonly lacksDrafts?: boolean };

export interface Publishers {
  /** For one tool call. What fails is an answer that the model can act on. */
  forCall(callId: string): Publisher;
  /** For the run itself: what another try may mend is thrown. */
  readonly forRun: { openPullRequest(wish: PullRequestWish): Promise<Opened>; commit(message: string): Promise<Submitted> };
  /** What people were asked about and have approved, exactly as they read it. */
  again(asked: Asked): Promise<Submitted>;
}

/** A row of the journal that says what people were asked. */
type Asked = Extract<JournalEntry, { kind: "asked" }>;

/** What GitHub answers when a branch is not where it was, or no longer there. */
const MOVED: readonly GitHubErrorCode[] = ["branch-moved", "not-found", "conflict"];

/** What has been tried already of one wish. */
interface Tried {
  readonly branch?: string;
  readonly lacksDrafts?: boolean;
  /** Commits of the head branch that it had left behind before the work came there. */
  readonly left?: readonly string[];
}

/** Work that somebody outruns this often is not published by trying once more. */
const MOST_MOVES = 3;

/**
 * How a run's tool calls, and its publish phase, ask for what leaves: one after the other, since a call that was given up for its time may
 * still be on its way. What is published is named by the work itself, so the same work is published once, whoever asks and however often.
 */
export function createPublishers(context: RunContext, options: PublisherOptions): Publishers {
  const { request, journal, outgoing } = context;
  const { repository, thread } = request;
  const { pin, workspace, source, standing, markers, conventions = {} } = options;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  // What the clock started, or the bot's own push, has nobody to name.
  const trailer = request.schedule !== undefined || request.ci?.people.length === 0 ? "" : coAuthorTrailer(request.actor);
  const plain = (text: string) => cleanPlain(text, outgoing);
  const messageOf = (text: string): string => {
    const message = plain(text).text.trim();
    // A model that read earlier commits names the asker itself.
    const own = (message.endsWith(trailer) ? message.slice(0, message.length - trailer.length).trim() : message) || nameOf(request);
    return trailer === "" ? own : `${own}\n\n${trailer}`;
  };

  /** Notes what stands on GitHub now, also when only a part of a submission came there: whatever follows builds on it. */
  async function notePublished(commit: string | undefined, { whole, earlier, as }: Sent, branch: string, pull?: number): Promise<void> {
    const stands = commit ?? earlier?.commit;
    if (stands === undefined) throw new TypeError("a commit was published without an id");
    const number = pull ?? earlier?.pull;
    const { tree, changes } = whole;
    // Without a commit of its own it stands as the last one left it.
    const replayed = commit === undefined ? earlier?.replayed : as.replayed;
    await journal.append({
      kind: "published",
      branch,
      commit: stands,
      tree,
      changes,
      ...(number === undefined ? {} : { pull: number }),
      ...(replayed === undefined ? {} : { replayed }),
    });
  }

  async function openPullRequest(wish: PullRequestWish, tried: Tried = {}): Promise<Opened> {
    const pending = await pendingWork(journal, workspace);
    const { changes, earlier, key } = pending;
    // A commit on the run's own branch that no pull request shows yet is something to open one for.
    const lacksPull = earlier !== undefined && earlier.pull === undefined && earlier.branch !== pin.pull?.headRef;
    if (changes.changes.length === 0 && !lacksPull) return nothing();
    const placed = await onBase(pending, wish.base);
    if (placed.status === "failed") return placed;
    const sent = { ...pending, as: placed };
    const branch = await ownBranch(context, tried.branch);
    const isDraft = (wish.draft ?? false) && tried.lacksDrafts !== true;
    const closes = thread.kind === "issue" && wish.draft !== true;
    const text = {
      text: inTemplate(wish.body, conventions.template),
      tests: testsSentence(journal),
      closing: closingOf(request, { closes, origin: outgoing.origin }),
      lacksDrafts: tried.lacksDrafts ?? false,
      outgoing,
    };
    const operation: OpenPullRequest = {
      kind: "open-pull-request",
      repository,
      branch,
      base: wish.base ?? pin.base.ref,
      title: plain(wish.title).text.trim() || nameOf(request),
      body: pullRequestBody(text, []),
      draft: isDraft,
      message: messageOf(wish.message ?? wish.title),
      written: [wish.title, wish.body, ...(wish.message === undefined ? [] : [wish.message])],
      changes: placed.changes,
      ...(hasMade(journal, branch, placed.changes.base.commit) ? { branchExists: true } : {}),
    };
    // What the gate warns of is shown to whoever reviews the pull request.
    const annotate = (judged: Operation, findings: readonly Finding[]): Operation =>
      judged.kind === "open-pull-request" ? { ...judged, body: pullRequestBody(text, findings) } : judged;
    let submission: Submission;
    try {
      submission = await standing.on(placed.base, () => context.submit(operation, { key, annotate }));
    } catch (error) {
      const commit = commitOf(journal, key);
      if (commit !== undefined) await notePublished(commit, sent, branch);
      if (!(error instanceof GitHubError)) throw error;
      if (error.code === "reference-exists" && tried.branch === undefined) return openPullRequest(wish, { ...tried, branch });
      if (error.code === "draft-not-supported" && isDraft) return openPullRequest(wish, { ...tried, lacksDrafts: true });
      throw error;
    }
    if (submission.status === "refused") return submission;
    await notePublished(commitOf(journal, key), sent, branch, submission.outcome.id);
    const removed = [...new Set([...plain(wish.title).removed, ...cleanOutgoing(wish.body, outgoing).removed])];
    return { ...done(submission), removed, lacksDrafts: tried.lacksDrafts ?? false };
  }

  /** The work as a pull request against `base` shows it: replayed there when the run was not for that branch. */
  async function onBase(pending: Pending, base: string | undefined): Promise<Ready> {
    const { changes, earlier } = pending;
    // Any other branch is refused by the gate, by its name.
    if (base === undefined || base === pin.base.ref || base !== repository.defaultBranch) {
      return ready(await placeWork(context, { source, pending, upon: pin.base.ref, onto: changes.base.commit }), pin.base.ref);
    }
    if (earlier !== undefined) {
      const why = `A part of this work is published on ${earlier.branch} already, so it is not published against ${base} as well.`;
      return { status: "failed", why };
    }
    const onto = lastReplay(journal, pending.key, base)?.onto ?? (await context.reader.branchTip(base));
    if (onto === undefined) return { status: "failed", why: `There is no branch ${base}.` };
    return ready(await placeWork(context, { source, pending, upon: base, onto }), base);
  }

  /** The work on the head branch as that stands now, whoever has pushed to it meanwhile. */
  async function onHead(pending: Pending, branch: string, left: readonly string[]): Promise<Ready> {
    const begun = left.length === 0 ? begunOn(journal, pending, branch) : undefined;
    const onto = begun ?? (await context.reader.branchTip(branch));
    if (onto === undefined || left.includes(onto) || left.length >= MOST_MOVES) return { status: "failed", why: headMoved(branch) };
    return ready(await placeWork(context, { source, pending, upon: branch, onto }), branch);
  }

  async function commit(text: string, tried: Tried = {}): Promise<Submitted> {
    const pending = await pendingWork(journal, workspace);
    const { changes, key } = pending;
    if (changes.changes.length === 0) return nothing();
    if (tried.branch !== undefined) await ownBranch(context, tried.branch);
    const target = await commitTarget(context, pin, pending);
    if ("why" in target) return { status: "failed", why: target.why };
    const { branch, createsBranch, isHead } = target;
    const { left = [] } = tried;
    const placed = isHead
      ? await onHead(pending, branch, left)
      : ready(await placeWork(context, { source, pending, upon: branch, onto: changes.base.commit }), branch);
    if (placed.status === "failed") return placed;
    const sent = { ...pending, as: placed };
    const operation: Commit = {
      kind: "commit",
      repository,
      branch,
      message: messageOf(text),
      written: [text],
      changes: placed.changes,
      ...(createsBranch ? { createsBranch } : {}),
    };
    let submission: Submission;
    try {
      submission = await standing.on(placed.base, () => context.submit(operation, { key }));
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      const hasMoved = MOVED.includes(error.code);
      if (hasMoved && isHead) return commit(text, { ...tried, left: [...left, placed.changes.base.commit] });
      // What somebody pushed on our own branch is theirs: the work goes on beside it.
      if ((hasMoved || error.code === "reference-exists") && tried.branch === undefined) return commit(text, { branch });
      throw error;
    }
    if (submission.status === "refused") return submission;
    await notePublished(commitOf(journal, key), sent, branch);
    const note = isHead && placed.replayed !== undefined ? { note: replayedOn(branch, placed.replayed.onto) } : {};
    return { ...done(submission), removed: plain(text).removed, ...note };
  }

  async function comment(callId: string, number: number, body: string): Promise<Submitted> {
    // The model chooses the ids of its calls: whatever they spell, they name nothing else of the run.
    const key = `call-${createHash("sha256").update(callId).digest("hex").slice(0, 16)}`;
    const { text, removed } = cleanAndBound(body.trim(), outgoing, LONGEST_COMMENT, "the rest of the comment");
    if (text.trim() === "")
      return { status: "failed", why: "The comment says nothing that people would see, so there is nothing to write." };
    const bodyOf = (findings: readonly Finding[]): string => {
      const warnings = findings.length === 0 ? [] : [boundText(renderGate(findings), LONGEST_WARNING, "more findings")];
      const shown = cleanOutgoing([text.trim(), ...warnings].join("\n\n"), outgoing).text;
      return `${shown}\n\n${markers.stamp({ run: context.run.id, state: "done", key })}`;
    };
    const target = number === thread.number ? thread : ({ kind: "pull-request", number } as const);
    const annotate = (judged: Operation, findings: readonly Finding[]): Operation =>
      judged.kind === "comment" ? { ...judged, body: bodyOf(findings) } : judged;
    const submission = await context.submit(
      { kind: "comment", repository, thread: target, body: bodyOf([]), written: [body] },
      { key, annotate },
    );
    return submission.status === "refused" ? submission : { ...done(submission), removed };
  }

  async function again({ key, operation: asked }: Asked): Promise<Submitted> {
    // The same repository, whatever it was called when people were asked.
    const operation = asked.repository.id === repository.id ? { ...asked, repository } : asked;
    if (operation.kind === "comment") {
      const submission = await context.submit(operation, { key });
      return submission.status === "refused" ? submission : done(submission);
    }
    const pending = await pendingWork(journal, workspace);
    // It was published before this process died, or is no longer what people read.
    if (pending.key !== key) return { status: "failed", why: "The work is not the one that was approved any more." };
    const replay = lastReplay(journal, key);
    const { upon, onto } = replay ?? { upon: operation.branch, onto: pending.changes.base.commit };
    const placed = ready(await placeWork(context, { source, pending, upon, onto }), upon);
    if (placed.status === "failed") return placed;
    const sent = { ...pending, as: placed };
    let submission: Submission;
    try {
      submission = await standing.on(placed.base, () => context.submit({ ...operation, changes: placed.changes }, { key }));
    } catch (error) {
      // Only what GitHub refuses for good ends here: else the next try finds what is there, and goes on with the same words.
      const commit = error instanceof GitHubError && !isWorthAnotherTry(error) ? commitOf(journal, key) : undefined;
      if (commit !== undefined) await notePublished(commit, sent, operation.branch);
      throw error;
    }
    if (submission.status === "refused") return submission;
    const pull = operation.kind === "open-pull-request" ? submission.outcome.id : undefined;
    await notePublished(commitOf(journal, key), sent, operation.branch, pull);
    return done(submission);
  }

  /** Refusals are answers; that this process stops or has lost the run is none. */
  async function answered<T extends Submitted>(
    operation: Operation["kind"],
    isThrown: (error: unknown) => boolean,
    work: () => Promise<T>,
  ): Promise<T | Exclude<Submitted, { status: "done" }>> {
    try {
      return await inTurn(work);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof SallyportError) || error instanceof AttemptError || isThrown(error)) throw error;
      if (!(error instanceof UnpublishableError)) return { status: "failed", why: [error.message, error.hint].filter(Boolean).join(" ") };
      const decision = { verdict: "block", findings: error.findings } as const;
      await journal.append({ kind: "decision", operation, key: "workspace", decision });
      return { status: "refused", decision };
    }
  }

  const publisher = (isThrown: (error: unknown) => boolean): Publishers["forRun"] => ({
    openPullRequest: (wish) => answered("open-pull-request", isThrown, () => openPullRequest(wish)),
    commit: (text) => answered("commit", isThrown, () => commit(text)),
  });
  const forTools = publisher(() => false);
  return {
    forCall: (callId) => ({
      ...forTools,
      comment: (number, body) =>
        answered(
          "comment",
          () => false,
          () => comment(callId, number, body),
        ),
      review: (wish) =>
        answered(
          "review",
          () => false,
          () => options.postReview?.(callId, wish) ?? Promise.resolve(noPull(thread.number)),
        ),
      resolve: (remarks) =>
        answered(
          "resolve-thread",
          () => false,
          () => options.resolveRemarks?.(remarks) ?? Promise.resolve(noRemarks()),
        ),
      reserveBranch: (wish) => inTurn(() => ownBranch(context, undefined, wish)),
    }),
    forRun: publisher(isWorthAnotherTry),
    again: (asked) => answered(asked.operation.kind, isWorthAnotherTry, () => again(asked)),
  };
}

function noPull(number: number): ReviewSubmitted {
  return { status: "failed", why: `#${number} is an issue: there is no pull request to review in this run.` };
}

function noRemarks(): Resolved {
  return { status: "failed", why: "Conversations are resolved by a review that looks at its earlier remarks again, and by no other run." };
}

/** Pending work in the form in which it is sent. */
interface Sent extends Pending {
  readonly as: Pick<Extract<Placed, { status: "placed" }>, "replayed">;
}

function nothing(): Submitted {
  return {
    status: "failed",
    why: "Nothing has changed that is not published already, so there is nothing to publish. Change a file first.",
  };
}

function done({ outcome: { id, url }, decision }: Submission & { readonly status: "done" }): Submitted & { readonly status: "done" } {
  return { status: "done", decision, ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
}

function headMoved(branch: string): string {
  return `The head branch ${branch} has moved or is gone since this run began. ${BESIDE}`;
}
