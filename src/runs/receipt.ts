import type { CheckRun } from "../core/operation.ts";
import { messageOf, StaleAttemptError } from "../core/errors.ts";
import { receiptBlock, receiptDigest, receiptSentence } from "../receipts/block.ts";
import { seal } from "../receipts/envelope.ts";
import { statementOf } from "../receipts/statement.ts";
import { phaseResult } from "./phase-results.ts";
import type { Report } from "./report.ts";
import { lastEntry, type RunContext, type RunDependencies } from "./run-context.ts";
import { testsEnd } from "./tests-note.ts";

/** A run's signed receipt, and the text that was signed: that is judged by the gate as well, since the envelope hides it from its rules. */
export interface MadeReceipt {
  readonly envelope: string;
  readonly statement: string;
  /** Where it can be had, besides on GitHub. */
  readonly keptAt: string;
}

/** The check run by which the receipt of a published commit is shown. */
const NAME = "sallyport/receipt";
const KEY = "receipt";

/**
 * Signs and keeps what an ended run vouches for; undefined where it vouches for nothing, waits for people, or no receipt can be made: what was
 * done stays done.
 */
export async function makeReceipt(
  { run, request, journal, log }: RunContext,
  { receipts, mask }: RunDependencies,
  { end, unread }: { readonly end: Report["end"]; readonly unread: readonly string[] },
): Promise<MadeReceipt | undefined> {
  if (receipts === undefined || end === "waiting") return undefined;
  const tests = testsEnd(journal);
  const statement = statementOf({
    runId: run.id,
    request,
    pin: phaseResult(journal, "authorize")?.pin,
    end,
    entries: journal.entries,
    unread,
    ...(tests === undefined ? {} : { tests: { command: tests.command, ended: tests.ended + tests.before, isOutdated: tests.isOutdated } }),
    version: receipts.version,
    rules: receipts.rules,
  });
  if (statement === undefined) return undefined;
  const text = mask(JSON.stringify(statement));
  const { envelope } = seal(text, receipts.key);
  try {
    await receipts.keep(run.id, envelope);
  } catch (error) {
    log.warn({ error: messageOf(error) }, "the run's receipt could not be kept");
    return undefined;
  }
  return { envelope, statement: text, keptAt: receipts.keptAt(run.id) };
}

/**
 * Shows the receipt of a commit that the run published, in a check run on that commit. A review shows its own in the check run that it has. That
 * it cannot be shown is no failure of the run.
 */
export async function showReceipt(context: RunContext, receipt: MadeReceipt): Promise<void> {
  const { envelope, statement } = receipt;
  const { run, journal, request, submit, log, signal } = context;
  const published = lastEntry(journal, "published");
  if (published === undefined) return;
  const block = receiptBlock(envelope);
  const check: CheckRun = {
    kind: "check-run",
    repository: request.repository,
    name: NAME,
    headSha: published.commit,
    externalId: `${run.id}/receipt`,
    status: "completed",
    conclusion: "neutral",
    title: `Receipt of run ${run.id}`,
    summary: `${receiptSentence(receipt)} It says what the run read, what the gate decided and which tree this commit must have; it is no verdict on the change.`,
    ...(block === "" ? {} : { text: block }),
  };
  try {
    // By its digest: a run that goes on after an approval has another one to show.
    const { status } = await submit({ ...check, written: [statement] }, { key: `${KEY}-${receiptDigest(envelope).slice(0, 12)}` });
    if (status === "refused") log.warn({}, "the gate held the run's receipt back; it is kept on this server");
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StaleAttemptError) throw error;
    log.warn({ error: messageOf(error) }, "the run's receipt could not be shown on its commit");
  }
}
