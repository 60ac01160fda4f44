import { GitHubError } from "../../github/errors.ts";
import { isWorthAnotherTry } from "../worth-another-try.ts";
import type { RunContext } from "../run-context.ts";

/** More labels than that are no help. */
const MOST = 5;

/** The labels that a triage's last words propose, of those that exist: what was made up is none. */
export function proposedLabels(answer: string, existing: readonly string[]): readonly string[] {
  const line = answer.split("\n").findLast((one) => /^[*_ ]*labels:/i.test(one)) ?? "";
  const named = line
    .replace(/^[*_ ]*labels:[*_ ]*/i, "")
    .split(",")
    .map((word) => word.replaceAll(/[`*]/g, "").trim().replace(/\.$/, "").toLowerCase());
  return existing.filter((label) => named.includes(label.toLowerCase())).slice(0, MOST);
}

/** Puts the proposed labels on the issue, where the configuration wants that. That it cannot be done is no failure of the triage. */
export async function setLabels({ request, reader, submit, settings, log }: RunContext, answer: string): Promise<void> {
  if (!settings.triggers.labels) return;
  try {
    const labels = proposedLabels(
      answer,
      (await reader.labels()).map(({ name }) => name),
    );
    if (labels.length === 0) return;
    const { status, decision } = await submit(
      { kind: "label", repository: request.repository, thread: request.thread, labels },
      { key: "labels" },
    );
    if (status === "refused") log.warn({ rules: decision.findings.map(({ rule }) => rule) }, "the labels were held back");
  } catch (error) {
    if (!(error instanceof GitHubError) || isWorthAnotherTry(error)) throw error;
    log.warn({ code: error.code }, "the labels could not be set");
  }
}
