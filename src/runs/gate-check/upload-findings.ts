import { messageOf, StaleAttemptError } from "../../core/errors.ts";
import type { UploadSarif } from "../../core/operation.ts";
import type { PullPin } from "../../core/run.ts";
import type { GateReport } from "../../gate/report/gate-report.ts";
import { GitHubError } from "../../github/errors.ts";
import { lookUploads } from "../../store/gate-checks.ts";
import type { RunContext, RunDependencies } from "../run-context.ts";
import { stepKey } from "../submit.ts";
import { alertsOf, gateSarif } from "./gate-sarif.ts";

/** The keys of an upload that holds findings, and of one that takes back what an earlier one held. */
const FOUND = "code-scanning";
const CLEARED = "code-scanning-cleared";
/** Milliseconds after which the check goes on without: nobody waits for code scanning. */
const LONGEST_MS = 60_000;

const NEEDS = "Code scanning was not told: the App lacks the permission `security_events: write`, which `gate_check.code_scanning` needs.";
const OFF =
  "Code scanning was not told: it is switched off in this repository, so GitHub does not take what `gate_check.code_scanning` sends.";

/**
 * Tells GitHub's code scanning what was found on a pull request, in place of what it was told of an earlier head; where there is nothing to
 * tell, and nothing to take back, no request is made. Answers in a sentence why it could not be told: that is no failure of the check.
 * Source: https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/uploading-a-sarif-file-to-github
 */
export async function uploadFindings(
  context: RunContext,
  { database }: Pick<RunDependencies, "database">,
  { pull: { number, headSha }, report }: { readonly pull: PullPin; readonly report: GateReport },
): Promise<string | undefined> {
  const { run, request, settings, outgoing, log, signal } = context;
  if (!settings.gate_check.code_scanning || settings.enabled === "observe") return undefined;
  const isFound = alertsOf(report).length > 0;
  const { isOvertaken, last } =
    database === undefined
      ? { isOvertaken: false, last: undefined }
      : await lookUploads(database, { repositoryId: request.repository.id, number, run: run.id });
  // What stands there is about a later head.
  if (isOvertaken || (!isFound && last !== stepKey(FOUND, "upload-sarif"))) return undefined;
  const sarif = gateSarif(report, outgoing);
  const upload: UploadSarif = { kind: "upload-sarif", repository: request.repository, number, headSha, sarif };
  try {
    const { status, decision } = await context.submit(upload, {
      key: isFound ? FOUND : CLEARED,
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    if (status === "done") return undefined;
    log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "what code scanning was to be told was held back");
    return "Code scanning was not told: the gate itself held back what it was to be told.";
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StaleAttemptError) throw error;
    log.warn({ error: messageOf(error) }, "code scanning could not be told what was found");
    return whyNot(error);
  }
}

/** GitHub answers 403 and 404 both to who may not, and where it is off; only the first it says of is the App's. */
function whyNot(error: unknown): string {
  if (!(error instanceof GitHubError)) return "Code scanning was not told: GitHub did not take it in time.";
  if (error.code === "missing-permission") return NEEDS;
  if (error.code === "forbidden" || error.code === "not-found") return OFF;
  return "Code scanning was not told: GitHub did not take it.";
}
