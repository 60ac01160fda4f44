import type { Message } from "../core/conversation.ts";
import type { RunRequest } from "../core/run.ts";
import { wrapPieces, type Piece } from "./envelope.ts";
import type { Guidance } from "./opening.ts";
import { RECHECK_1 } from "./prompts/recheck-1.ts";
import { REVIEW_1 } from "./prompts/review-1.ts";

export interface ReviewOpeningOptions {
  readonly runId: string;
  readonly request: RunRequest;
  readonly system: string;
  readonly guidance: Guidance;
  /** How many files it changes, what is read of them and what not: the product's own words. */
  readonly scope: string;
  /** What was remarked on it before, one a line; empty where nothing was. */
  readonly earlier?: string;
  /** Those of them whose lines are not what they were, each with its number, its conversation, and its place as it is now. */
  readonly changed?: string;
  /** What the code graph says of what is changed: who calls it, which tests reach it. Empty where it says nothing. */
  readonly around?: string;
  /** The first part of the difference, and how many there are. */
  readonly part: { readonly text: string; readonly of: number };
}

const LONGEST_BODY = 20_000;
const LONGEST_CHANGED = 40_000;

/** The messages before a review's first turn. The same options give the same bytes. */
export function reviewOpening({
  runId,
  request,
  system,
  guidance,
  scope,
  earlier = "",
  changed = "",
  around = "",
  part,
}: ReviewOpeningOptions): readonly Message[] {
  const { repository, thread, actor, unasked } = request;
  const name = `pull request #${thread.number}`;
  const pieces: readonly Piece[] = [
    ...guidance.files.map(({ path, text }): Piece => ({ origin: `${path} on the base branch`, trust: "repository", text })),
    { origin: `${name} title`, trust: "thread", text: request.title, longest: 1000 },
    { origin: `${name} body`, trust: "thread", text: request.body, longest: LONGEST_BODY },
    { origin: `remarks made on ${name} before, not to be made again`, trust: "thread", text: earlier, longest: LONGEST_BODY },
    { origin: `earlier remarks on ${name} whose lines have changed since`, trust: "thread", text: changed, longest: LONGEST_CHANGED },
    { origin: "code graph of what is changed", trust: "thread", text: around, longest: LONGEST_BODY },
    { origin: `difference of ${name}, part 1 of ${part.of}`, trust: "thread", text: part.text },
    ...(unasked === true ? [] : [{ origin: `request on ${name}`, author: actor.login, trust: "asker", text: request.text } as const]),
  ];
  const wrapped = wrapPieces(
    runId,
    pieces.filter(({ text }) => text.trim() !== ""),
  );
  const parts = [
    `Repository ${repository.owner}/${repository.name}, ${name}. ${scope}`,
    REVIEW_1.diff,
    ...wrapped,
    ...(changed === "" ? [] : [RECHECK_1]),
    ...(part.of > 1 ? [REVIEW_1.parts] : []),
  ];
  return [
    { role: "system", text: system },
    { role: "user", text: parts.join("\n\n") },
  ];
}
