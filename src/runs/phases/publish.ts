import type { Conversation } from "../../agent/converse.ts";
import type { Publisher, Submitted } from "../../tools/tool.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { endPhase, phaseResult, type Leftover } from "../phase-results.ts";
import { lastEntry, type RunContext } from "../run-context.ts";

/** The key of the publish phase's own submissions. */
const KEY = "leftover";

/**
 * Publishes what the conversation changed and did not publish: nothing that was worked on is dropped. It becomes a draft pull request, or
 * one more commit where the run has a pull request of its own.
 */
export async function publishLeftover(
  context: RunContext,
  conversation: Conversation,
  workspace: Workspace,
  publisherFor: (key: string) => Publisher,
): Promise<Leftover> {
  const { journal, request } = context;
  const earlier = phaseResult(journal, "publish");
  if (earlier !== undefined) return earlier;
  const leftover = await publish();
  await endPhase(journal, "publish", leftover);
  context.tell({ kind: "phase", run: context.view, phase: "publish" });
  return leftover;

  async function publish(): Promise<Leftover> {
    const whole = await workspace.changeSet();
    const published = lastEntry(journal, "published");
    const isAllThere = published === undefined ? whole.changes.length === 0 : whole.tree === published.tree;
    const branch = lastEntry(journal, "branch")?.name;
    const lacksPull = published !== undefined && published.branch === branch && published.pull === undefined;
    if (isAllThere && !lacksPull) return { status: "none" };
    const publisher = publisherFor(KEY);
    if (published?.pull !== undefined) return outcome(await publisher.commit("Add what was left in the workspace"), published.pull);
    const title = request.title.replace(/\s+/g, " ").trim().slice(0, 200) || `Work on #${request.thread.number}`;
    return outcome(await publisher.openPullRequest({ title, body: introduction(conversation), draft: true }));
  }
}

function outcome(submitted: Submitted, pull?: number): Leftover {
  if (submitted.status === "failed") return { status: "failed", why: submitted.why };
  if (submitted.status === "refused")
    return { status: "held", why: submitted.decision.findings.map(({ rule, why }) => `${rule}: ${why}`).join("; ") };
  const number = pull ?? submitted.id;
  return { status: "published", ...(number === undefined ? {} : { pull: number }) };
}

function introduction(conversation: Conversation): string {
  const why =
    conversation.end === "stop"
      ? "The run ended without asking for a pull request; this draft keeps its work."
      : "The run ended before its work was finished; this draft keeps what there is.";
  return "text" in conversation && conversation.text.trim() !== "" ? `${why}\n\n${conversation.text.trim()}` : why;
}
