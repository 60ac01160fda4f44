import { sayFault } from "../config/read-layer.ts";
import { messageOf, StaleAttemptError } from "../core/errors.ts";
import type { FaultyFile } from "../core/journal.ts";
import type { CheckRun } from "../core/operation.ts";
import type { FaultReports } from "../store/fault-reports.ts";
import { codeSpan, oneLine } from "../text/code-span.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import { cleanPlain } from "../text/outgoing/plain.ts";
import { CONFIGURATION_FILE, faultsOf } from "./read-settings.ts";
import type { RunContext } from "./run-context.ts";

/** Bytes of a summary, and characters of a title. */
const LONGEST_SUMMARY = 20_000;
const LONGEST_TITLE = 200;

/**
 * Tells about files with faults, each version of each once, in a check run on the default branch. That it cannot be told is no reason not to
 * work: the run goes on with what is valid.
 */
export async function reportFaults(context: RunContext, reports: FaultReports | undefined): Promise<void> {
  const { commit, faulty } = faultsOf(context);
  if (reports === undefined || commit === undefined) return;
  for (const [index, file] of faulty.entries()) {
    if (!(await reports.claim(file.version, context.run.id))) continue;
    try {
      await tell(context, file, commit, `config-${index + 1}`);
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof StaleAttemptError) throw error;
      await reports.release(file.version, context.run.id);
      context.log.warn({ file: file.file, error: messageOf(error) }, "the faults of a configuration file could not be reported");
    }
  }
}

async function tell({ submit, request, run, settings, outgoing, log }: RunContext, file: FaultyFile, commit: string, key: string) {
  const [first] = file.faults;
  const title = first === undefined ? `${file.file} cannot be used` : sayFault(first, file.file);
  const listed = file.faults.map((fault) => `- ${codeSpan(sayFault(fault, file.file), 1000)}`).join("\n");
  const summary = `The file counts for nothing until this is mended, but for what it tightens; what holds above it goes on to hold.\n\n${listed}`;
  const check: CheckRun = {
    kind: "check-run",
    repository: request.repository,
    name: "sallyport/config",
    headSha: commit,
    status: "completed",
    conclusion: settings.enabled === "observe" ? "neutral" : "failure",
    title: cleanPlain(oneLine(title).slice(0, LONGEST_TITLE).toWellFormed(), outgoing).text,
    summary: cleanAndBound(summary, outgoing, LONGEST_SUMMARY, "more faults").text,
    // Another repository's file has no place in this one.
    ...(file.file === CONFIGURATION_FILE && {
      annotations: file.faults.map((fault) => ({
        path: CONFIGURATION_FILE,
        startLine: fault.line,
        endLine: fault.line,
        level: "failure" as const,
        message: cleanPlain(oneLine(`${fault.key === "" ? "" : `${fault.key}: `}${fault.why}`), outgoing).text,
      })),
    }),
    externalId: `${run.id}/${key}`,
  };
  const { status, decision } = await submit(check, { key });
  if (status === "refused")
    log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the report of a configuration file was held back");
}
