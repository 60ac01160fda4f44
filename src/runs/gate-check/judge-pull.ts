import type { GateSettings } from "../../config/gate-policy.ts";
import type { Commit } from "../../core/operation.ts";
import type { Decision } from "../../core/result.ts";
import type { Pin, PullPin } from "../../core/run.ts";
import { policyOf } from "../../gate/policy-of.ts";
import type { RunScope } from "../../gate/scope.ts";
import { fetchMergeBase } from "../../workspace/compare.ts";
import { rangeChange, regularFileAt, type LocalChange } from "../../workspace/local/local-change.ts";
import type { Checkout, Revision } from "../../workspace/local/open-checkout.ts";
import { storeCheckout } from "../../workspace/local/store-checkout.ts";
import type { DeskGraph } from "../desk-graph.ts";
import { openRevisionGraph } from "../revision-graph.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import type { GateState } from "./gate-state.ts";

/** The key under which the gate's verdict on a pull request stands in the run's journal. */
export const JUDGED = "judged";

/** How much one run may change says nothing about people's pull requests. */
const NO_LIMITS: GateSettings["limits"] = { files: 1e9, bytes: 1e12, deleted_share: 1, pull_requests: 1, comments: 1 };

/** What a pull request changes, and what the gate says of it. */
export interface PullJudgement {
  readonly decision: Decision;
  readonly change: LocalChange;
  /** Of the commit at which the head left its base; absent where there are no code graphs. */
  readonly graph: Pick<DeskGraph, "reach" | "glance"> | undefined;
}

/**
 * Judges the whole difference of a pull request by all rules of the outer door, as though it were the bot's own and about to leave: it never
 * is. It is read from the bare store, and nothing of it is run. The run's scope must let `state.judging` in while this is at work.
 * @throws {FetchError} when a commit cannot be had, {SallyportError} when the difference is too large to be held.
 */
export async function judgePull(
  context: RunContext,
  { stores, scopes, gate, advisories, buildGraph }: Pick<RunDependencies, "stores" | "scopes" | "gate" | "advisories" | "buildGraph">,
  { pin, state }: { readonly pin: Pin & { readonly pull: PullPin }; readonly state: GateState },
): Promise<PullJudgement> {
  const { run, request, session, signal, view, settings, log } = context;
  const { repository } = request;
  const store = await stores.open(repository.id);
  const remote = { url: `${session.origin}/${repository.owner}/${repository.name}.git`, token: () => session.token() };
  const checkout = storeCheckout(store);
  const { baseSha, headSha, number } = pin.pull;
  const mergeBase = (await fetchMergeBase({ store, remote, base: baseSha, head: headSha, signal })) ?? baseSha;
  const [base, head] = await Promise.all([checkout.resolve(mergeBase), checkout.resolve(headSha)]);
  const change = await rangeChange(checkout, { base, head });
  const graph = buildGraph === undefined ? undefined : openRevisionGraph({ checkout, revision: base, build: buildGraph, log });
  const branch = `pull/${number}/head`;
  const operation: Commit = { kind: "commit", repository, branch, message: `Judge #${number} at ${headSha}`, changes: change.changes };
  using _base = scopes.registerBase(run.id, {
    ...baseOf(checkout, base, change),
    ...(graph === undefined ? {} : { reach: graph.reach }),
    ...(advisories === undefined ? {} : { advisories: advisories(session) }),
  });
  state.judging = judgingScope(branch, settings.gate);
  try {
    // A change of nothing has nothing to be judged, and the rules would rightly refuse to commit it.
    const judged: Decision =
      change.changes.changes.length === 0 ? { verdict: "allow", findings: [] } : (await gate.judge(operation, view)).decision;
    const decision = change.problems.length === 0 ? judged : { ...judged, verdict: "block" as const };
    return { decision: { ...decision, findings: [...change.problems, ...judged.findings] }, change, graph };
  } finally {
    delete state.judging;
  }
}

/** What is judged is addressed to the pull request's own head, wherever that lives, and nothing is performed of it. */
function judgingScope(branch: string, gate: GateSettings): NonNullable<GateState["judging"]> {
  const policy = policyOf({ ...gate, limits: NO_LIMITS });
  const scope: Pick<RunScope, "heads" | "configured"> = {
    heads: [branch],
    configured: { policy, approvalHours: gate.approvals.expires_hours },
  };
  return scope;
}

function baseOf(checkout: Checkout, base: Revision, { basePaths }: LocalChange) {
  return { paths: () => basePaths, file: (path: string) => regularFileAt(checkout, base, path) };
}
