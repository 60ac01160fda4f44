import type { Decision } from "../../core/result.ts";
import type { Pin, PullPin } from "../../core/run.ts";
import { earlierLooks } from "../../store/gate-checks.ts";
import { threadKey } from "../../store/runs.ts";
import type { Ending } from "../phases/report.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { gateReport } from "./gate-sarif.ts";
import type { GateState } from "./gate-state.ts";
import { JUDGED, judgePull } from "./judge-pull.ts";
import { uploadFindings } from "./upload-findings.ts";

/**
 * The work of a run of kind `gate`: judges a pull request whoever made it, asks people where a rule asks, and looks how far it reaches. What it
 * found is in the journal and in `state`; the check run that says it is the run's voice.
 */
export async function checkPull(context: RunContext, dependencies: RunDependencies, pin: Pin, state: GateState): Promise<Ending> {
  const { journal, log, request } = context;
  const { pull } = pin;
  if (pull === undefined) return { failure: { why: `#${request.thread.number} is no pull request.` } };
  const { decision, change, graph } = await judgePull(context, dependencies, { pin: { ...pin, pull }, state });
  const { changes, base } = change;
  const report = gateReport(pull, decision, change);
  state.report = report;
  state.upload = () => uploadFindings(context, dependencies, { pull, report });
  await journal.append({ kind: "decision", operation: "commit", key: JUDGED, decision });
  await noteAsked(context, decision, { pull, paths: changes.changes.map(({ path }) => path) });
  if (decision.verdict === "allow") {
    const heldOn = await heldBeside(context, dependencies, pull);
    if (heldOn !== undefined) state.heldOn = heldOn;
  }
  if (changes.changes.length > 0) state.look = async () => (await graph?.glance(changes)) ?? "unknown";
  const files = changes.changes.length;
  log.info({ number: pull.number, head: pull.headSha, files, verdict: decision.verdict }, "a pull request was judged");
  return {
    nothing: `#${pull.number} changes ${files} ${files === 1 ? "file" : "files"} from ${base.commit.slice(0, 10)} to ${pull.headSha.slice(0, 10)}.`,
  };
}

/** What people are asked is the difference itself, from its base to this head: it is never submitted. */
async function noteAsked(
  { journal, request }: RunContext,
  { verdict, approval }: Decision,
  { pull, paths }: { readonly pull: PullPin; readonly paths: readonly string[] },
): Promise<void> {
  if (verdict !== "ask" || approval === undefined) return;
  const { repository } = request;
  const message = `Judge #${pull.number} at ${pull.headSha}`;
  const operation = { kind: "commit" as const, repository, branch: `pull/${pull.number}/head`, message };
  await journal.append({ kind: "asked", approval, key: JUDGED, operation, paths });
}

/**
 * Another open pull request with this very head, against a base from which it changes what the gate holds back. Looks at one head are made one
 * after the other, so none is missed.
 */
async function heldBeside(
  { request, run, reader }: RunContext,
  { database }: Pick<RunDependencies, "database">,
  { number, headSha }: PullPin,
): Promise<number | undefined> {
  if (database === undefined) return undefined;
  const seen = new Set([number]);
  for (const look of await earlierLooks(database, threadKey(request), run.id)) {
    if (seen.has(look.number)) continue;
    // Of each pull request the newest look counts.
    seen.add(look.number);
    if (look.state === "done") continue;
    const other = await reader.pull(look.number);
    if (other?.isOpen === true && other.headSha === headSha) return look.number;
  }
  return undefined;
}
