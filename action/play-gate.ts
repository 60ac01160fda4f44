import type { FileSettings } from "../src/config/file-schema.ts";
import { SallyportError } from "../src/core/errors.ts";
import { memoryJournal } from "../src/core/memory-journal.ts";
import type { Run, RunEnd, RunRequest } from "../src/core/run.ts";
import { receiptBlock } from "../src/receipts/block.ts";
import { checkPull } from "../src/runs/gate-check/gate-check.ts";
import { gateSarif } from "../src/runs/gate-check/gate-sarif.ts";
import type { GateState } from "../src/runs/gate-check/gate-state.ts";
import { gateEnd, gateSummary, remarkOn } from "../src/runs/gate-check/gate-words.ts";
import { endPhase } from "../src/runs/phase-results.ts";
import { reportOf } from "../src/runs/phases/report.ts";
import { readSettings } from "../src/runs/read-settings.ts";
import { makeReceipt } from "../src/runs/receipt.ts";
import { openRunContext } from "../src/runs/run-context.ts";
import { scopeOf } from "../src/runs/run-scope.ts";
import { newRunId } from "../src/store/runs.ts";
import { cleanAndBound } from "../src/text/outgoing/bound-clean.ts";
import { cleanPlain } from "../src/text/outgoing/plain.ts";
import type { Outcome } from "./outcome.ts";
import type { Stage } from "./stage.ts";

export interface PlayGateOptions {
  readonly stage: Stage;
  /** Says which pull request. */
  readonly request: RunRequest;
  readonly server: FileSettings;
  /** The folder in which the code graph is kept. */
  readonly graphCache?: string;
  readonly signal: AbortSignal;
}

/** Bytes of what stands in the step summary, the receipt aside. */
const LONGEST_STORY = 300_000;
const NOBODY_ANSWERS = "A step waits for nobody's answer: where people are to approve it, the App asks them.";

/**
 * Judges what a pull request changes, whoever made it, as the server's check does: by the same rules, with the policy of the default branch,
 * and in the same words. No model is asked, and nothing is written to GitHub.
 * @throws {SallyportError} when it could not be judged.
 */
export async function playGate({ stage, request, server, graphCache, signal }: PlayGateOptions): Promise<Outcome> {
  const { pull } = request;
  if (pull === undefined) throw new TypeError("a gate's request names a pull request");
  const run: Run = { id: newRunId(), request, state: "working", attempt: 1, createdAt: new Date() };
  const journal = memoryJournal();
  const { openBuildGraph } = await import("./code-graph.ts");
  const dependencies = { ...stage.dependencies({ server }), buildGraph: openBuildGraph(graphCache) };
  const context = openRunContext(run, journal, signal, dependencies);
  const pin = { commit: pull.headSha, base: { ref: pull.baseRef, sha: pull.baseSha }, pull };
  const settings = await readSettings(context, server);
  await endPhase(journal, "authorize", { pin, profile: "read" });
  const state: GateState = {};
  using _scope = dependencies.scopes.register(run.id, () => ({
    ...scopeOf(request, pin, journal, context.submitting()),
    ...state.judging,
  }));
  const ending = await checkPull(context, dependencies, pin, state);
  const { report: judged } = state;
  if (judged === undefined) throw new SallyportError(ending.failure?.why ?? "The pull request was not judged.", { code: "not-judged" });
  await stage.keepFile("sarifFile", `sallyport-gate-${run.id}.sarif`, gateSarif(judged, context.outgoing));
  const told = reportOf(context, dependencies, ending);
  const receipt = await makeReceipt(context, dependencies, { end: told.end, unread: [] });
  const report = { ...told, ...(receipt === undefined ? {} : { receipt }) };
  const isObserved = settings.enabled === "observe";
  const title = cleanPlain(gateEnd(report, judged.findings, undefined, isObserved).title, context.outgoing).text;
  const story = `**${title}**\n\n${gateSummary(report, judged, { glance: await state.look?.() })}`;
  const conclusion: RunEnd = isObserved ? "done" : report.end;
  return {
    conclusion,
    why: [`${title}.`, report.summary, ...(conclusion === "waiting" ? [NOBODY_ANSWERS] : [])].join(" "),
    runId: run.id,
    findings: judged.findings,
    remarks: judged.findings.map((finding) => ({
      ...remarkOn(finding, context.outgoing),
      ...(finding.where === undefined ? {} : { path: finding.where.path }),
      ...(finding.where?.line === undefined ? {} : { startLine: finding.where.line }),
    })),
    story: [
      cleanAndBound(story, context.outgoing, LONGEST_STORY, "the rest of it").text,
      ...(receipt === undefined ? [] : [receiptBlock(receipt.envelope)]),
    ].join("\n\n"),
  };
}
