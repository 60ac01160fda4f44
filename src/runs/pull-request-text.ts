import type { Finding } from "../core/result.ts";
import type { RunRequest } from "../core/run.ts";
import { boundText } from "../text/bound.ts";
import { stripHidden } from "../text/hidden.ts";
import { cleanAndBound } from "../text/outgoing/bound-clean.ts";
import { cleanOutgoing } from "../text/outgoing/clean.ts";
import { withoutDirectives } from "../text/outgoing/directives.ts";
import type { OutgoingPolicy } from "../text/outgoing/policy.ts";
import { renderGate } from "./report.ts";

/** GitHub takes 65,536 characters; whatever it counts, bytes are the most. */
const LONGEST_BODY = 65_000;
/** What the description keeps at least, whatever the gate has to say. */
const LEAST_DESCRIPTION = 8_000;
/** GitHub's limit is 256. */
const LONGEST_TITLE = 200;

export interface PullRequestText {
  /** The model's description: hostile text. */
  readonly text: string;
  /** How the tests stood, in one sentence. */
  readonly tests: string | undefined;
  /** `Closes #5`; the description ends with it, so that GitHub and people find it. */
  readonly closing: string;
  /** Set where the repository takes no drafts, so that the reader learns what the missing label would have said. */
  readonly lacksDrafts: boolean;
  /** What the description may point at. */
  readonly outgoing: OutgoingPolicy;
}

/** A pull request's description: the text, shortened with a note where it is too long, and the lines that must not be lost after it. */
export function pullRequestBody({ text, tests, closing, lacksDrafts, outgoing }: PullRequestText, findings: readonly Finding[]): string {
  const lines = [
    ...(lacksDrafts ? ["This repository takes no draft pull requests: read this one as a draft of unfinished work."] : []),
    ...(tests === undefined ? [] : [tests]),
    ...(findings.length === 0 ? [] : [boundText(renderGate(findings), LONGEST_BODY - 2 * LEAST_DESCRIPTION, "more findings")]),
  ].join("\n\n");
  const room = LONGEST_BODY - Buffer.byteLength(`${lines}\n\n${closing}`) - 2;
  const description = cleanAndBound(text.trim(), outgoing, room, "the rest of the description").text.trim();
  // A description can become a commit's message, so what would be an order there is none here either.
  const body = cleanOutgoing(withoutDirectives([description, lines].filter((part) => part !== "").join("\n\n")), outgoing).text;
  return body === "" ? closing : `${body}\n\n${closing}`;
}

/** What the work is called where nobody has named it. */
export function nameOf({ thread, ci }: Pick<RunRequest, "thread" | "ci">): string {
  if (thread.kind !== "none") return `Work on #${thread.number}`;
  return ci === undefined ? "Work on a schedule" : "Mend failed CI";
}

/** The last line of a description: what the pull request is for. */
export function closingOf(
  { thread, ci, repository }: Pick<RunRequest, "thread" | "ci" | "repository">,
  { closes, origin }: { readonly closes: boolean; readonly origin: string },
): string {
  if (thread.kind !== "none") return `${closes ? "Closes" : "Refs"} #${thread.number}`;
  if (ci === undefined) return "Made by a schedule of this repository's configuration.";
  return `Made for the failed workflow run ${origin}/${repository.owner}/${repository.name}/actions/runs/${ci.runId}.`;
}

/** The title of a pull request that nobody named: the thread's own, as one line. */
export function titleOf({ title, thread }: Pick<RunRequest, "title" | "thread">): string {
  const line = withoutDirectives(stripHidden(title).replace(/\s+/g, " ")).trim();
  return line === ""
    ? nameOf({ thread })
    : line
        .slice(0, LONGEST_TITLE)
        .toWellFormed()
        .replace(/\ufffd$/, "")
        .trim();
}
