import type { Conversation } from "../../agent/converse.ts";
import type { ChangeSet } from "../../core/change-set.ts";
import type { Journal } from "../../core/journal.ts";
import type { Decision, ToolResult } from "../../core/result.ts";
import type { Pin } from "../../core/run.ts";
import type { Submitted } from "../../tools/tool.ts";
import { UnpublishableError } from "../../workspace/change-set.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { endPhase, phaseResult, type Leftover } from "../phase-results.ts";
import type { Publishers } from "../publisher.ts";
import { workKey } from "../published.ts";
import { titleOf } from "../pull-request-text.ts";
import { lastEntry, type RunContext } from "../run-context.ts";

export interface LeftoverOptions {
  readonly conversation: Conversation;
  readonly workspace: Workspace;
  readonly publishers: Publishers;
  readonly pin: Pin;
}

/**
 * Publishes what the conversation changed and did not publish: nothing that was worked on is dropped. It becomes one more commit where the
 * run has a pull request of its own, or finished its work on somebody's; else a draft pull request.
 */
export async function publishLeftover(
  context: RunContext,
  { conversation, workspace, publishers, pin }: LeftoverOptions,
): Promise<Leftover> {
  const { journal, request, signal } = context;
  signal.throwIfAborted();
  const earlier = phaseResult(journal, "publish");
  if (earlier !== undefined) return earlier;
  const leftover = await publish();
  signal.throwIfAborted();
  await endPhase(journal, "publish", leftover);
  context.tell({ kind: "phase", run: context.view, phase: "publish" });
  return leftover;

  async function publish(): Promise<Leftover> {
    const again = await publishApproved();
    if (again?.status === "refused") return heldBack(again.decision);
    const whole = await comparable(workspace);
    const published = lastEntry(journal, "published");
    const isAllThere = published === undefined ? whole.changes.length === 0 : whole.tree === published.tree;
    const branch = lastEntry(journal, "branch")?.name;
    const lacksPull = published !== undefined && published.branch === branch && published.pull === undefined;
    if (isAllThere && !lacksPull) return { status: "none" };
    // People were asked about exactly this work: another form of it would only be another question.
    const last = journal.entries.findLast((entry) => entry.kind === "decision" && entry.key === workKey(journal, whole));
    if (last?.kind === "decision" && last.decision.verdict === "ask") return heldBack(last.decision);
    const { forRun } = publishers;
    if (published?.pull !== undefined)
      return outcome(await forRun.commit("Add what was left in the workspace"), { as: "commit", pull: published.pull });
    const tried = lastTry(journal);
    let why = again?.status === "failed" ? again.why : tried?.text;
    // A try that the gate refused may have failed for its words alone; what GitHub refused is not asked for again.
    if (tried?.status !== "error" && conversation.end === "stop" && pin.pull?.sameRepository === true) {
      const committed = await forRun.commit(titleOf(request));
      if (committed.status !== "failed") return outcome(committed, { as: "commit" });
      why = committed.why;
    }
    const opened = await forRun.openPullRequest({ title: titleOf(request), body: introduction(conversation, why), draft: true });
    const made = opened.lacksDrafts === true ? "pull-request" : "draft";
    return outcome(opened, { as: made, ...(why === undefined ? {} : { why }) });
  }

  /** What people have approved, to the letter; undefined where they were not asked, or the work stands on GitHub already. */
  async function publishApproved(): Promise<Submitted | undefined> {
    const approved = lastEntry(journal, "approved");
    if (approved === undefined) return undefined;
    const asked = journal.entries.findLast((entry) => entry.kind === "asked" && entry.approval === approved.approval);
    return asked?.kind === "asked" ? publishers.again(asked) : undefined;
  }

  function outcome(submitted: Submitted, made: Pick<Extract<Leftover, { status: "published" }>, "as" | "pull" | "why">): Leftover {
    if (submitted.status === "failed") return { status: "failed", why: submitted.why };
    if (submitted.status === "refused") return heldBack(submitted.decision);
    const number = made.pull ?? submitted.id;
    const branch = lastEntry(journal, "published")?.branch ?? "";
    return { status: "published", branch, ...made, ...(number === undefined ? {} : { pull: number }) };
  }
}

/** A decision that lets nothing through, with the findings that hold it. */
function heldBack({ verdict, findings }: Decision): Leftover {
  const holding = findings.filter(({ severity }) => severity === verdict);
  const why = holding.map(({ rule, why }) => `${rule}: ${why}`).join("; ");
  return { status: verdict === "ask" ? "waiting" : "held", why };
}

/** Whether there is anything to publish is asked without what cannot be published; whether it may be is the publisher's question. */
async function comparable(workspace: Workspace): Promise<ChangeSet> {
  try {
    return await workspace.changeSet();
  } catch (error) {
    if (error instanceof UnpublishableError) return error.comparable;
    throw error;
  }
}

/** The model's own last try to publish, if it came to nothing. */
function lastTry({ entries }: Journal): ToolResult | undefined {
  const since = entries.findLastIndex(({ kind }) => kind === "published") + 1;
  for (const row of entries.slice(since).toReversed()) {
    const entry = row.kind === "nested" ? row.entry : row;
    if (entry.kind === "tool-result" && PUBLISHING.has(entry.tool) && entry.result.status !== "ok") return entry.result;
  }
  return undefined;
}

const PUBLISHING: ReadonlySet<string> = new Set(["gh_create_pr", "gh_commit_changes"]);

function introduction(conversation: Conversation, why: string | undefined): string {
  const sentence =
    why !== undefined
      ? `The run could not publish its work as it meant to; this draft keeps it. ${why}`
      : conversation.end === "stop"
        ? "The run ended without asking for a pull request; this draft keeps its work."
        : "The run ended before its work was finished; this draft keeps what there is.";
  return "text" in conversation && conversation.text.trim() !== "" ? `${sentence}\n\n${conversation.text.trim()}` : sentence;
}
