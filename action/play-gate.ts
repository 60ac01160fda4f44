import type { FileSettings } from "../src/config/file-schema.ts";
import { memoryJournal } from "../src/core/memory-journal.ts";
import type { Run, RunRequest } from "../src/core/run.ts";
import type { GateLayer, GateSettings } from "../src/config/gate-policy.ts";
import { judgeLocal } from "../src/commands/gate/judge-local.ts";
import { outgoingPolicy } from "../src/gate/outgoing.ts";
import type { GateReport } from "../src/gate/report/gate-report.ts";
import { readSettings } from "../src/runs/read-settings.ts";
import { renderGate } from "../src/runs/report.ts";
import { openRunContext } from "../src/runs/run-context.ts";
import { newRunId } from "../src/store/runs.ts";
import { codeSpan } from "../src/text/code-span.ts";
import { cleanAndBound } from "../src/text/outgoing/bound-clean.ts";
import { fetchMergeBase } from "../src/workspace/compare.ts";
import { rangeChange } from "../src/workspace/local/local-change.ts";
import { storeCheckout } from "../src/workspace/local/store-checkout.ts";
import type { StepLog } from "./log.ts";
import type { Outcome } from "./outcome.ts";
import type { Stage } from "./stage.ts";

export interface PlayGateOptions {
  readonly stage: Stage;
  /** Says which pull request. */
  readonly request: RunRequest;
  readonly server: FileSettings;
  readonly secrets: readonly string[];
  readonly log: StepLog;
  readonly signal: AbortSignal;
}

/** Bytes of the findings in the step summary. */
const LONGEST_STORY = 300_000;

/**
 * Judges what a pull request changes, whoever made it, by the policy of the default branch: no model, and nothing is written.
 * @throws {SallyportError} when it could not be judged.
 */
export async function playGate({ stage, request, server, secrets, log, signal }: PlayGateOptions): Promise<Outcome> {
  const { repository, pull } = request;
  if (pull === undefined) throw new TypeError("a gate's request names a pull request");
  const run: Run = { id: newRunId(), request, state: "working", attempt: 1, createdAt: new Date() };
  const dependencies = stage.dependencies({ server });
  const context = openRunContext(run, memoryJournal(), signal, dependencies);
  const [settings, store] = await Promise.all([readSettings(context, server), dependencies.stores.open(repository.id)]);
  const session = stage.session();
  const remote = { url: `${session.origin}/${repository.owner}/${repository.name}.git`, token: () => session.token() };
  const mergeBase = (await fetchMergeBase({ store, remote, base: pull.baseSha, head: pull.headSha, signal })) ?? pull.baseSha;
  const checkout = storeCheckout(store);
  const [base, head] = await Promise.all([checkout.resolve(mergeBase), checkout.resolve(pull.headSha)]);
  const report = await judgeLocal({
    checkout,
    change: await rangeChange(checkout, { base, head }),
    subject: `#${pull.number}`,
    // How much one run may change says nothing about people's pull requests.
    layers: [{ ...rulesOf(settings.gate), limits: NO_LIMITS }],
    secrets,
    ...(dependencies.advisories === undefined ? {} : { advisories: dependencies.advisories(session) }),
  });
  log.info({ run: run.id, verdict: report.verdict, findings: report.findings.length }, "a pull request was judged");
  return outcomeOf(run, report, (text) => {
    const policy = outgoingPolicy(request, { origin: session.origin, hosts: settings.gate.hosts });
    return cleanAndBound(text, policy, LONGEST_STORY, "more findings").text;
  });
}

const NO_LIMITS = { files: 1e9, bytes: 1e12, deleted_share: 1, pull_requests: 1, comments: 1 };

/** Nobody is asked here: what the configuration says about approvals is left out. */
function rulesOf(settings: GateSettings): GateLayer {
  const { approvals: _, ...rules } = settings;
  return rules as unknown as GateLayer;
}

const CONCLUSIONS = { pass: "done", ask: "waiting", block: "blocked" } as const;
const WORDS: Readonly<Record<GateReport["verdict"], string>> = {
  pass: "The gate lets it through",
  ask: "The gate wants a person to look at it",
  block: "The gate holds it back",
};

function outcomeOf(run: Run, { verdict, subject, files, findings, base }: GateReport, clean: (text: string) => string): Outcome {
  const why = `${WORDS[verdict]}: ${subject} changes ${files} ${files === 1 ? "file" : "files"} since ${base.commit.slice(0, 10)}.`;
  const told = findings.length === 0 ? "" : `\n\n${renderGate(findings)}`;
  return {
    conclusion: CONCLUSIONS[verdict],
    why,
    runId: run.id,
    findings,
    story: clean(`**${verdict}** — ${why}${told}\n\n<sub>run ${codeSpan(run.id)}</sub>`),
  };
}
